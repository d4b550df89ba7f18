"""What the client SDK raises. `retryable` says whether the same call may succeed later."""

from pipeline.errors import VivantError


class ClientError(VivantError):
    """Root of the SDK's errors."""


class ClientValueError(ClientError, ValueError):
    """An argument has a value that is not accepted; nothing was sent."""


class ConnectionFailedError(ClientError):
    """The server cannot be reached, or does not answer as a server of this API does."""

    retryable = True


class ConnectionRefusedByServerError(ClientError):
    """The server refused the connection.

    Attributes:
        status: of HTTP; 429 and 503 are worth a second try.
        code: the server's machine-readable reason, or None.
        retry_after_s: seconds after which a new try makes sense, or None.
    """

    def __init__(
        self, message: str, status: int, code: str | None, retry_after_s: float | None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s
        self.retryable = status in (429, 503)


class RequestRefusedError(ClientError):
    """The server did not accept what was asked of it; the conversation goes on.

    Attributes:
        kind, code, param: `type`, `code` and `param` of the server's `error` event.
    """

    def __init__(
        self, message: str, *, kind: str, code: str | None = None, param: str | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.code = code
        self.param = param
        self.retryable = kind in ("rate_limit_error", "server_error")


class ReplyLostError(ClientError):
    """The connection broke before the answer was complete; the conversation goes on."""

    retryable = True


class SessionLostError(ClientError):
    """The conversation cannot go on: its connection did not come back, or the server ended it.
    A new one may be opened.
    """

    retryable = True


class ConversationClosedError(ClientError):
    """The conversation is over: it was closed, or has not been opened."""


class SlowConsumerError(ClientError):
    """Sound was not read in time and its oldest part is gone; reading goes on after the gap.

    Attributes:
        lost_s: seconds of sound that are missing here.
    """

    def __init__(self, lost_s: float) -> None:
        super().__init__(f"{lost_s:.2f} s of sound were not read in time and are lost")
        self.lost_s = lost_s
