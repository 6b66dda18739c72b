"""Errors that a client is told."""


class Refused(ValueError):
    """A request that the rules or the server refuse; the text is shown to the player."""


class Stale(Refused):
    """An answer to a choice that is no longer open."""
