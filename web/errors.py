"""Refusals the HTTP application answers with, in the error shape of the OpenAI API."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from pipeline.errors import (
    AvatarPreparingError,
    ConfigurationError,
    ServerFullError,
    VivantError,
)
from transport.errors import CallNotFoundError, EventError, OfferError
from transport.strict_json import write_json

_TYPES = {404: "not_found_error", 429: "rate_limit_error", 503: "server_busy_error"}
_CODES = {
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    413: "request_too_large",
    415: "unsupported_media_type",
}

_ENGINE_ERRORS: Final[Mapping[type[VivantError], tuple[int, str, str | None]]] = {
    EventError: (400, "invalid_value", "session"),
    OfferError: (400, "bad_offer", "sdp"),
    ConfigurationError: (400, "invalid_value", None),
    CallNotFoundError: (404, "not_found", "call_id"),
    ServerFullError: (503, "server_full", None),
    AvatarPreparingError: (503, "avatar_preparing", "avatar"),
    VivantError: (500, "call_failed", None),
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
    status, code, param = next(
        known for kind, known in _ENGINE_ERRORS.items() if isinstance(error, kind)
    )
    headers = None
    if isinstance(error, EventError):
        code, param = error.code, error.param
    if isinstance(error, ServerFullError | AvatarPreparingError):
        headers = {"Retry-After": str(error.retry_after_s)}
    return refuse(request, RequestRefusedError(status, str(error), code, param, headers))


def fail(request: Request, _: Exception) -> JSONResponse:
    """Answer 500 without telling what broke: the cause is in the log."""
    return refuse(request, RequestRefusedError(500, "the server failed", "internal_error"))
