"""The errors of the wire."""

from pipeline.errors import VivantError


class OfferError(VivantError, ValueError):
    """An SDP offer cannot be answered; nothing has been opened for it."""


class CallNotFoundError(VivantError, LookupError):
    """No call of that name is open: it never was, or has ended."""


class CallFailedError(VivantError):
    """A call could not be set up or has broken; a new one may succeed."""

    retryable = True


class EventError(VivantError, ValueError):
    """A client event is not accepted.

    Attributes:
        code: machine-readable reason, as in the Realtime API's `error.code`.
        param: dotted path of the offending field, or None.
    """

    def __init__(self, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.param = param
