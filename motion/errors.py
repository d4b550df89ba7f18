"""The errors motion raises."""


class MotionError(RuntimeError):
    """Something in motion failed although its input was acceptable."""


class MotionValueError(ValueError):
    """An input motion does not accept; the message names the value and what is accepted."""
