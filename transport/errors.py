"""The errors of the wire."""

from pipeline.errors import ServerFullError, VivantError


class OfferError(VivantError, ValueError):
    """An SDP offer cannot be answered; nothing has been opened for it."""


class CallNotFoundError(VivantError, LookupError):
    """No call of that name is open: it never was, or has ended."""


class SessionGoneError(VivantError, LookupError):
    """A session cannot be taken up again: it has ended, was never there, or waited too long."""


class OutletNotFoundError(VivantError, LookupError):
    """A stream has no egress of that id."""


class OutletsFullError(VivantError):
    """A stream goes to as many places as it may, or to that place already."""


class CallFailedError(VivantError):
    """A call could not be set up or has broken; a new one may succeed."""

    retryable = True


class CallRefusedError(CallFailedError):
    """A server did not take the call.

    Attributes:
        status: of HTTP.
        retry_after_s: after how many seconds the server wants to be asked again, or None.
    """

    def __init__(self, message: str, status: int, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s


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


class StreamNotFoundError(VivantError, LookupError):
    """No stream has that name: it never was, or has ended."""


class StreamTakenError(VivantError):
    """A stream of that name is there, or somebody publishes to it, and there can be only one."""

    retryable = True


class ExchangeNotFoundError(VivantError, LookupError):
    """No connection to the stream has that name: it never was, or has ended."""


class ViewersFullError(ServerFullError):
    """No more viewers are taken."""

    def __init__(self, limit: int, whose: str, retry_after_s: int = 5) -> None:
        VivantError.__init__(
            self, f"{whose} has {limit} viewers, and takes no more; try again in {retry_after_s} s"
        )
        self.retry_after_s = retry_after_s


class FragmentError(VivantError, ValueError):
    """A fragment of SDP that was to name more candidates cannot be read."""


class UnconditionalError(VivantError):
    """A connection is changed only by whoever says which state of it is meant (RFC 6585, 3)."""


class OutdatedError(VivantError):
    """The state of the connection that was meant is not the one it is in (RFC 9110, 15.5.13)."""


class RestartError(VivantError):
    """ICE is not begun again on a connection (RFC 9725, 4.3.1); a new one may be made."""


class DeliveryError(VivantError):
    """What was sent to another server was not taken; a new try may succeed."""

    retryable = True


class SignatureError(VivantError):
    """What came to a room's chat is not signed as the room's secret signs it."""


class ReplayError(VivantError):
    """What came to a room's chat has been taken before, under the same id."""


class PayloadError(VivantError, ValueError):
    """What came to a room's chat holds nothing that could be read; the message says what is."""
