"""Versions of documents, so that two operators do not write over each other (RFC 9110, 13)."""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from transport.errors import OutdatedError


class Versions:
    """Lets one change of a document happen after another, each seeing the one before.

    A version is a digest of the document's JSON: what has not changed keeps it, over restarts too.
    """

    def __init__(self) -> None:
        self.changing = asyncio.Lock()


def etag_of(document: Mapping[str, Any]) -> str:
    """Return the entity tag of a document."""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f'"{hashlib.blake2s(text.encode(), digest_size=15).hexdigest()}"'


def answer_document(
    document: Mapping[str, Any], status: int = 200, location: str | None = None
) -> JSONResponse:
    """Answer with a document and its version."""
    headers = {"ETag": etag_of(document), "Cache-Control": "no-cache"}
    if location is not None:
        headers["Location"] = location
    return JSONResponse(document, status, headers)


def check_version(request: Request, document: Mapping[str, Any]) -> None:
    """Check that whoever changes a document has seen it as it is; who does not say is not asked.

    Raises:
        OutdatedError: `If-Match` names none of its version.
    """
    wanted = request.headers.getlist("if-match")
    if not wanted:
        return
    named = {tag.strip() for header in wanted for tag in header.split(",")}
    if "*" not in named and etag_of(document) not in named:
        raise OutdatedError(
            "it has been changed since it was read: read it again, and make the change to that"
        )
