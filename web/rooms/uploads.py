"""Files that operators bring: a form with one part "file", bounded in size and time."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from agents.shop.importing import MOST_BYTES
from web.body import read_bytes
from web.errors import RequestRefusedError

FORM: Final = "multipart/form-data"
# Of the form around the file: its boundaries, and the headers of the part.
_AROUND: Final = 16 * 1024
UPLOAD_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Upload:
    """A file somebody brought. `name`: its last part alone, and never a path to open."""

    name: str
    data: bytes


async def read_upload(request: Request) -> Upload:
    """Return the file of a form, at most 10 MiB.

    Raises:
        RequestRefusedError: 415 no form, 413 too big, 408 too slow, 400 not readable.
    """
    body = await read_bytes(request, MOST_BYTES + _AROUND, (FORM,), UPLOAD_SECONDS)

    async def whole() -> AsyncGenerator[bytes, None]:
        yield body

    try:
        parser = MultiPartParser(request.headers, whole(), max_files=1, max_fields=0)
        form = await parser.parse()
    except (MultiPartException, KeyError) as error:
        raise RequestRefusedError(400, f"the form cannot be read: {error}", "bad_form") from None
    try:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise RequestRefusedError(400, "the form has no file 'file'", "missing", "file")
        name = file.filename.replace("\\", "/").rpartition("/")[2]
        return Upload(name[:120], await file.read())
    finally:
        await form.close()
