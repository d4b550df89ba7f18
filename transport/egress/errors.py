"""What goes wrong while an output is written."""

from pipeline.errors import VivantError


class OutputError(VivantError):
    """An output cannot be opened or has broken. `retryable`: another try may succeed."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.retryable = retryable
