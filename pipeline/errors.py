"""The errors of pipeline and above, each of which says what was wrong and what is accepted."""


class VivantError(RuntimeError):
    """Root of what the engines raise. `retryable` says whether the same call may succeed later."""

    retryable = False


class ConfigurationError(VivantError, ValueError):
    """A setting or option has a value that is not accepted."""


class ServerFullError(VivantError):
    """No session is free. `retry_after_s`: seconds after which a new try makes sense."""

    retryable = True

    def __init__(self, limit: int, retry_after_s: int = 5) -> None:
        super().__init__(f"all {limit} sessions are in use; try again in {retry_after_s} seconds")
        self.retry_after_s = retry_after_s


class AvatarPreparingError(VivantError):
    """A figure is still being built. `retry_after_s`: seconds after which a new try makes sense."""

    retryable = True

    def __init__(self, name: str, retry_after_s: int = 5) -> None:
        super().__init__(f"avatar {name!r} is being prepared; try again in {retry_after_s} seconds")
        self.retry_after_s = retry_after_s


class SessionClosedError(VivantError):
    """The session has ended."""


class StoreError(VivantError):
    """What was to be kept is not on disk. `retry_after_s`: when a new try makes sense."""

    retryable = True

    def __init__(self, message: str, retry_after_s: int = 2) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class AssetError(VivantError):
    """A model or asset is missing, damaged or cannot be fetched."""

    retryable = True
