"""The errors agents raise."""


class AgentError(RuntimeError):
    """Something in agents failed although its input was acceptable."""


class AgentValueError(ValueError):
    """An input agents do not accept; the message names the value and what is accepted."""
