"""Rooms: the people at a table, its game and its log."""
