"""The text of PDF files, within bounds."""

import io
import logging
import zlib
from typing import Final

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from agents.errors import AgentValueError

MOST_PAGES: Final = 50
MOST_CHARACTERS: Final = 1_000_000
# What the reader of a foreign format answers damaged files with.
_BROKEN: Final = (
    PyPdfError, zlib.error, OSError, EOFError, LookupError, ValueError, TypeError, AttributeError,
    ArithmeticError, RuntimeError, AssertionError, MemoryError,
)  # fmt: skip

# It logs each flaw of a file, which is nothing to the operator of a server.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def pdf_pages(data: bytes) -> list[str]:
    """Return the text of each page, laid out in lines as on the page.

    Raises:
        AgentValueError: it is no PDF, has a password, or is more than `MOST_PAGES` pages or
            `MOST_CHARACTERS` characters.
    """
    if b"%PDF-" not in data[:1024]:
        raise AgentValueError("the file is no PDF")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted:
            raise AgentValueError("the PDF has a password; accepted: PDFs without one")
        if len(reader.pages) > MOST_PAGES:
            raise AgentValueError(f"the PDF has {len(reader.pages)} pages; accepted: {MOST_PAGES}")
        pages = [_text(page) for page in reader.pages]
    except AgentValueError:
        raise
    except _BROKEN as error:
        raise AgentValueError(
            f"the PDF cannot be read: {type(error).__name__}; is it damaged?"
        ) from error
    if sum(map(len, pages)) > MOST_CHARACTERS:
        raise AgentValueError(f"the PDF's text is longer than {MOST_CHARACTERS} characters")
    return pages


def _text(page: PageObject) -> str:
    return page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False)
