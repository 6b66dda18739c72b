"""The journal of entries from which rooms are restored."""
