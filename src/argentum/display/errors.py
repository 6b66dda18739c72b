"""What a table refuses to do."""


class Refused(ValueError):
    """Something that cannot be done, with the reason in words."""


class Stale(Refused):
    """A move for a choice that is no longer asked for."""
