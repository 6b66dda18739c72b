"""Estimates in points of villages, exchanges, calls and abilities, on which `steady` is based."""
