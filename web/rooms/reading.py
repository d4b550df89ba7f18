"""What documents of the leaves refuse, told as the HTTP interface tells it; lists of documents."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from starlette.responses import JSONResponse

from agents.errors import AgentValueError
from transport.strict_json import shown
from web.errors import RequestRefusedError

UNKEPT: Final = {"Cache-Control": "no-store"}
_FIELD: Final = re.compile(r"\w+(?:\[\d+\])?(?:\.[\w-]+(?:\[\d+\])?)*(?=[: ])")


@contextmanager
def refusing() -> Iterator[None]:
    """Turn what a document refuses into a refusal that names the field at fault.

    Raises:
        RequestRefusedError: 400, instead of AgentValueError.
    """
    try:
        yield
    except AgentValueError as error:
        found = _FIELD.match(str(error))
        param = found[0].partition(".")[2] or None if found else None
        raise RequestRefusedError(400, str(error), param=param) from None


def answer_list(data: Sequence[Mapping[str, Any]], **more: object) -> JSONResponse:
    """Answer with a list of documents."""
    return JSONResponse({"object": "list", "data": list(data), **more}, headers=UNKEPT)


def answer_deleted(kind: str, record_id: str) -> JSONResponse:
    """Answer that a document is gone."""
    return JSONResponse({"id": record_id, "object": kind, "status": "deleted"})


def own_id(body: Mapping[str, Any], record_id: str) -> dict[str, Any]:
    """Return a document as it is kept under the id of its path, which it need not repeat.

    Raises:
        RequestRefusedError: 400, its id is another one.
    """
    found = body.get("id", record_id)
    if found != record_id:
        message = f"id is {shown(found)}; accepted: {record_id[:60]}, as in the path"
        raise RequestRefusedError(400, message, param="id")
    return {**body, "id": record_id}
