"""Refusals the HTTP application answers with, in the error shape of the OpenAI API."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from pipeline.errors import (
    AvatarPreparingError,
    ConfigurationError,
    ServerFullError,
    StoreError,
    VivantError,
)
from pipeline.rooms.errors import (
    CommandRefusedError,
    RecordInUseError,
    RecordNotFoundError,
    RecordTakenError,
)
from transport.access.errors import MISSING, CredentialError, LimitReachedError, ScopeError
from transport.errors import (
    CallFailedError,
    CallNotFoundError,
    EventError,
    ExchangeNotFoundError,
    FragmentError,
    OfferError,
    OutdatedError,
    OutletNotFoundError,
    OutletsFullError,
    PayloadError,
    ReplayError,
    RestartError,
    SessionGoneError,
    SignatureError,
    StreamNotFoundError,
    StreamTakenError,
    UnconditionalError,
    ViewersFullError,
)
from transport.strict_json import write_json

# A call that failed for want of an address or of time may succeed when those are there again.
TRY_AGAIN_S: Final = 5

_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    503: "server_busy_error",
}
_CODES = {
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    413: "request_too_large",
    415: "unsupported_media_type",
    421: "misdirected_request",
}

_REALM: Final = 'Bearer realm="vivant"'
MOST_REASON: Final = 123  # bytes, of the reason a WebSocket is closed for

_ENGINE_ERRORS: Final[Mapping[type[VivantError], tuple[int, str, str | None]]] = {
    EventError: (400, "invalid_value", "session"),
    OfferError: (400, "bad_offer", "sdp"),
    ConfigurationError: (400, "invalid_value", None),
    CallNotFoundError: (404, "not_found", "call_id"),
    SessionGoneError: (404, "session_gone", "resume"),
    OutletNotFoundError: (404, "not_found", "egress_id"),
    OutletsFullError: (409, "conflict", None),
    StreamNotFoundError: (404, "not_found", "stream"),
    ExchangeNotFoundError: (404, "not_found", None),
    StreamTakenError: (409, "conflict", "stream"),
    FragmentError: (400, "bad_fragment", None),
    UnconditionalError: (428, "precondition_required", "If-Match"),
    OutdatedError: (412, "precondition_failed", "If-Match"),
    RestartError: (422, "no_ice_restart", None),
    RecordNotFoundError: (404, "not_found", None),
    RecordTakenError: (409, "conflict", "id"),
    RecordInUseError: (409, "in_use", None),
    CommandRefusedError: (409, "refused", None),
    StoreError: (503, "not_kept", None),
    PayloadError: (400, "invalid_payload", None),
    SignatureError: (401, "invalid_signature", None),
    ReplayError: (409, "replayed", "webhook-id"),
    ViewersFullError: (503, "viewers_full", None),
    ServerFullError: (503, "server_full", None),
    AvatarPreparingError: (503, "avatar_preparing", "avatar"),
    CallFailedError: (503, "call_failed", None),
    CredentialError: (401, "invalid_api_key", None),
    ScopeError: (403, "insufficient_scope", None),
    LimitReachedError: (429, "limit_reached", None),
    VivantError: (500, "internal_error", None),
}


class RequestRefusedError(HTTPException):
    """A request that is not served.

    Attributes:
        status_code: 400 to 599.
        detail: what was wrong, with which value, and what is accepted.
        code: a short name a program can compare.
        param: the part of the request that is at fault, or None.
    """

    def __init__(
        self,
        status_code: int,
        message: str,
        code: str | None = None,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status_code, message, headers)
        self.code = code or _CODES.get(status_code, "invalid_value")
        self.param = param


class RefusalResponse(JSONResponse):
    """JSON that may quote what a client sent: what UTF-8 has no form for becomes "?"."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return write_json(content)


def refuse(_: Request, error: Exception) -> JSONResponse:
    """Turn a refusal into `{"error": {"type", "code", "message", "param"}}`."""
    assert isinstance(error, HTTPException)
    return answer(error)


def answer(error: HTTPException) -> JSONResponse:
    """Return a refusal in the error shape."""
    status = error.status_code
    content = {
        "type": _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error"),
        "code": getattr(error, "code", None) or _CODES.get(status, "invalid_value"),
        "message": error.detail,
        "param": getattr(error, "param", None),
    }
    return RefusalResponse({"error": content}, status, headers=error.headers)


def refuse_engine(request: Request, error: Exception) -> JSONResponse:
    """Turn an error of the engines or the wire into the refusal it means."""
    return refuse(request, meaning(error))


def meaning(error: Exception) -> RequestRefusedError:
    """Return what an error of the engines or the wire means to a client."""
    status, code, param = next(
        known for kind, known in _ENGINE_ERRORS.items() if isinstance(error, kind)
    )
    headers: dict[str, str] = {}
    if isinstance(error, EventError):
        param = error.param
    if isinstance(error, RecordNotFoundError):
        param = error.kind
    if isinstance(error, EventError | CredentialError | LimitReachedError):
        code = error.code
    if isinstance(error, ServerFullError | AvatarPreparingError | LimitReachedError | StoreError):
        headers["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, CallFailedError):
        headers["Retry-After"] = str(TRY_AGAIN_S)
    if isinstance(error, SignatureError):
        headers["WWW-Authenticate"] = _REALM
    if isinstance(error, CredentialError | ScopeError):
        headers["WWW-Authenticate"] = _challenge(error)
    return RequestRefusedError(status, str(error), code, param, headers or None)


async def refuse_connection(
    error: RequestRefusedError, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a request, or a WebSocket that has not been accepted, with a refusal.

    A server that cannot answer a WebSocket's handshake with a body closes it with 1008 (RFC 6455).
    """
    response = answer(error)
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        reason = str(error.detail).encode()[:MOST_REASON].decode(errors="ignore")
        await send({"type": "websocket.close", "code": 1008, "reason": reason})


def _challenge(error: CredentialError | ScopeError) -> str:
    """Return how to do better (RFC 6750, 3): nothing more where no credential came."""
    if isinstance(error, ScopeError):
        scope = f', scope="{error.scope}"' if error.scope else ""
        return f'{_REALM}, error="insufficient_scope"{scope}'
    return _REALM if error.code == MISSING else f'{_REALM}, error="invalid_token"'


def fail(request: Request, _: Exception) -> JSONResponse:
    """Answer 500 without telling what broke: the cause is in the log."""
    return refuse(request, RequestRefusedError(500, "the server failed", "internal_error"))
