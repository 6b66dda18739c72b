"""Errors whose text is shown to the player."""


class Refused(ValueError):
    """The rules or the server refuse a request."""


class Stale(Refused):
    """A request answers a choice that is no longer pending."""
