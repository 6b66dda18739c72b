"""Errors whose text is shown to the player."""


class Refused(ValueError):
    """Raised when the rules or the server refuse a request."""


class Stale(Refused):
    """Raised when a request answers a choice that is no longer pending."""
