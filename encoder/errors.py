"""The errors encoder raises."""


class EncoderError(RuntimeError):
    """Something in encoder failed although its input was acceptable."""


class EncoderValueError(ValueError):
    """An input encoder does not accept; the message names the value and what is accepted."""
