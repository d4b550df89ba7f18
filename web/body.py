"""Reading what a client posts: an offer, alone or in a form with its session; a JSON object."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from transport.strict_json import read_json
from web.errors import RequestRefusedError

BODY_LIMIT: Final = 128 * 1024  # an offer of a browser has 3 to 12 KiB
BODY_SECONDS: Final = 10.0
ACCEPTED: Final = "application/sdp, multipart/form-data"


@dataclass(frozen=True, slots=True)
class OfferForm:
    """A posted offer: the session description, and the wishes that came with it."""

    sdp: str
    session: dict[str, object] = field(default_factory=dict)


async def read_offer(request: Request) -> OfferForm:
    """Read `application/sdp`, or the form with the parts `sdp` and `session` (JSON).

    Raises:
        RequestRefusedError: 415 another type, 413 too big, 408 too slow, 400 not readable.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/sdp", "multipart/form-data"):
        raise RequestRefusedError(
            415,
            f"content type is {kind[:80]!r}; accepted: {ACCEPTED}",
            headers={"Accept-Post": ACCEPTED},
        )
    body = await _read_bounded(request)
    if kind == "application/sdp":
        return OfferForm(_text(body, "sdp"))
    form = await _parse_form(request, body)
    return OfferForm(_part(form, "sdp"), _session(_part(form, "session", default="{}")))


async def read_object(request: Request, limit: int = BODY_LIMIT) -> dict[str, Any]:
    """Read a JSON object of at most `limit` bytes; no body at all is an empty one.

    Raises:
        RequestRefusedError: 415 another type, 413 too big, 408 too slow, 400 not readable.
    """
    return parse_object(await read_bytes(request, limit, ("application/json",)))


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body; of none at all an empty one.

    Raises:
        RequestRefusedError: 400, it holds none.
    """
    try:
        value = read_json(body or b"{}")
    except ValueError as error:
        raise RequestRefusedError(400, f"the body is not JSON: {error}", "bad_json") from None
    if not isinstance(value, dict):
        raise RequestRefusedError(400, "the body is not a JSON object", "bad_json")
    return value


async def read_bytes(
    request: Request, limit: int, kinds: Collection[str], seconds: float = BODY_SECONDS
) -> bytes:
    """Read a body of one of some media types, or none at all.

    Raises:
        RequestRefusedError: 415 another type, 413 too big, 408 too slow, 400 ended early.
    """
    body = await _read_bounded(request, limit, seconds)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind not in kinds:
        accepted = ", ".join(kinds)
        raise RequestRefusedError(415, f"content type is {kind[:80]!r}; accepted: {accepted}")
    return body


async def read_typed(request: Request, kind: str, hint: str) -> str:
    """Read text of one media type.

    Args:
        kind: the type.
        hint: the header that names it to who sent another: "Accept-Post" or "Accept-Patch".

    Raises:
        RequestRefusedError: 415 another type, 413 too big, 408 too slow, 400 not readable.
    """
    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if sent != kind:
        message = f"content type is {sent[:80]!r}; accepted: {kind}"
        raise RequestRefusedError(415, message, headers={hint: kind})
    return _text(await _read_bounded(request), "the body")


async def _read_bounded(
    request: Request, limit: int = BODY_LIMIT, seconds: float = BODY_SECONDS
) -> bytes:
    declared = request.headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        raise _too_big(limit)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for piece in request.stream():
                body += piece
                if len(body) > limit:
                    raise _too_big(limit)
    except TimeoutError:
        raise RequestRefusedError(
            408, f"the body did not arrive within {seconds:g} seconds"
        ) from None
    except ClientDisconnect:
        raise RequestRefusedError(400, "the body ended early", "incomplete_body") from None
    return bytes(body)


async def _parse_form(request: Request, body: bytes) -> FormData:
    async def whole() -> AsyncGenerator[bytes, None]:
        yield body

    try:
        parser = MultiPartParser(
            request.headers, whole(), max_files=4, max_fields=8, max_part_size=BODY_LIMIT
        )
        return await parser.parse()
    except (MultiPartException, KeyError) as error:
        raise RequestRefusedError(400, f"the form cannot be read: {error}", "bad_form") from None


def _part(form: FormData, name: str, default: str | None = None) -> str:
    value = form.get(name, default)
    if value is None:
        raise RequestRefusedError(400, f"the form has no part {name!r}", "missing", name)
    if isinstance(value, str):
        return value
    return _text(value.file.read(), name)


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise RequestRefusedError(400, f"{name} is not UTF-8 text", param=name) from None


def _session(text: str) -> dict[str, object]:
    try:
        value = read_json(text)
    except ValueError as error:
        raise RequestRefusedError(400, f"session is not JSON: {error}", param="session") from None
    if not isinstance(value, dict):
        raise RequestRefusedError(400, "session is not a JSON object", param="session")
    return value


def _too_big(limit: int) -> RequestRefusedError:
    return RequestRefusedError(413, f"the body is larger than {limit} bytes")
