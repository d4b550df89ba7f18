"""The errors agents raise."""


class AgentError(RuntimeError):
    """Something in agents failed although its input was acceptable."""


class AgentValueError(ValueError):
    """An input agents do not accept; the message names the value and what is accepted."""


class ModelError(AgentError):
    """A language model failed. `retry`: whether the same request may succeed when sent again."""

    def __init__(self, message: str, *, retry: bool) -> None:
        advice = "a retry may succeed" if retry else "a retry would fail again"
        super().__init__(f"{message}; {advice}")
        self.retry = retry
