"""Whether a moment is recent, by a clock that may be set back."""


def is_recent(at: float, now: float, seconds: float) -> bool:
    """Say whether a moment is less than so many seconds ago. What lies ahead was before the clock
    was set back, and is not recent.
    """
    return 0.0 <= now - at < seconds
