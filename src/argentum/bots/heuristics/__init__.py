"""Heuristics in points: evaluation, exchanges, calls and abilities. Used by `steady`."""
