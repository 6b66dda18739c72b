"""Observations and actions of a seat."""
