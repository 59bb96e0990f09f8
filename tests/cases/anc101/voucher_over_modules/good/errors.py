class NotYet(Exception):
    """Somebody should come back later."""


class TooLate(Exception):
    """The window is over."""
