"""Observations and actions of a seat as bytes and numbers, for networks and learning environments."""
