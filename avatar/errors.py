"""The errors avatar raises."""


class AvatarError(RuntimeError):
    """Something in avatar failed although its input was acceptable."""


class AvatarValueError(ValueError):
    """An input avatar does not accept; the message names the value and what is accepted."""
