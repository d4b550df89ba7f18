"""`Document`: one entry of the knowledge bases, and what makes it acceptable."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast, get_args

from agents.clause import LANGUAGES, Language
from agents.errors import AgentValueError

Collection = Literal["products", "styling", "craft", "cases"]
COLLECTIONS: Final[tuple[Collection, ...]] = get_args(Collection)

LONGEST_TITLE: Final = 200
LONGEST_TEXT: Final = 100_000
LONGEST_SOURCE: Final = 300
LONGEST_VALUE: Final = 500
MOST_METADATA: Final = 30
ID: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")
_KEY: Final = re.compile(r"[^\W\d]\w{0,39}")
_FIELDS: Final = ("id", "collection", "title", "text", "language", "metadata", "source")


@dataclass(frozen=True, slots=True)
class Document:
    """One entry.

    Attributes:
        id: unique in its collection; 1 to 100 of a-z, 0-9, -, _ and ., the first a letter or digit.
        collection: "products" (what shops sell), "styling" (outfits, colours, scenes), "craft"
            (how good hosts speak) or "cases" (what went well).
        title: what it is about.
        text: what it says, in paragraphs.
        language: of the text.
        metadata: what searches filter by, such as {"kind": "opener"}.
        source: where it is from, shown with citations.
    """

    id: str
    collection: Collection
    title: str
    text: str
    language: Language
    metadata: Mapping[str, str] = field(default_factory=dict)
    source: str = ""


def check_document(document: Document) -> None:
    """Refuse a document that is not acceptable.

    Raises:
        AgentValueError: names the field, its value and what is accepted.
    """
    check_collection(document.collection)
    _need(
        bool(ID.fullmatch(document.id)), document, "id", document.id,
        "1 to 100 of a-z, 0-9, -, _ and ., the first a letter or digit",
    )  # fmt: skip
    _need(
        document.language in LANGUAGES, document, "language", document.language,
        " or ".join(LANGUAGES),
    )  # fmt: skip
    _check_text(document, "title", document.title, LONGEST_TITLE, blank=False)
    _check_text(document, "text", document.text, LONGEST_TEXT, blank=False)
    _check_text(document, "source", document.source, LONGEST_SOURCE)
    _need(
        len(document.metadata) <= MOST_METADATA, document, "metadata",
        str(len(document.metadata)), f"{MOST_METADATA} entries at most",
    )  # fmt: skip
    for key, value in document.metadata.items():
        _need(
            bool(_KEY.fullmatch(key)), document, "metadata", key, "names of letters, digits and _"
        )
        _check_text(document, f"metadata.{key}", value, LONGEST_VALUE)


def check_collection(name: str) -> Collection:
    """Return the collection of a name.

    Raises:
        AgentValueError: there is none.
    """
    if name not in COLLECTIONS:
        raise AgentValueError(f"no collection {name[:60]!r}; accepted: {', '.join(COLLECTIONS)}")
    return name


def document_to_json(document: Document) -> dict[str, Any]:
    """Return a document as a JSON object."""
    return {
        "id": document.id,
        "collection": document.collection,
        "title": document.title,
        "text": document.text,
        "language": document.language,
        "metadata": dict(document.metadata),
        "source": document.source,
    }


def document_from_json(value: Any) -> Document:
    """Read a document.

    Raises:
        AgentValueError: a field is unknown, missing or not acceptable; it is named.
    """
    if not isinstance(value, Mapping):
        raise AgentValueError(f"document: {value!r:.80} is not accepted; an object is")
    for name in value:
        if name not in _FIELDS:
            raise AgentValueError(
                f"document has {name!r:.80}; accepted fields: {', '.join(_FIELDS)}"
            )
    metadata = value.get("metadata", {})
    if not isinstance(metadata, Mapping):
        raise AgentValueError(f"document.metadata: {metadata!r:.80} is not accepted; an object is")
    document = Document(
        **{name: _string(value, name) for name in _FIELDS[:5]},  # type: ignore[arg-type]
        metadata={str(key): _string(metadata, key, "metadata.") for key in metadata},
        source=_string(value, "source") if "source" in value else "",
    )
    check_document(document)
    return document


def _string(value: Mapping[str, Any], name: str, path: str = "") -> str:
    if not isinstance(value.get(name), str):
        raise AgentValueError(
            f"document.{path}{name}: {value.get(name)!r:.80} is not accepted; a text is"
        )
    return cast(str, value[name])


def _check_text(
    document: Document, name: str, text: str, longest: int, *, blank: bool = True
) -> None:
    _need(blank or bool(text.strip()), document, name, text, "a text that is not blank")
    _need(len(text) <= longest, document, name, text, f"{longest} characters at most")
    wrong = next((c for c in text if _is_hostile(c)), "")
    _need(not wrong, document, name, wrong, "text without control characters")


def _is_hostile(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cs")


def _need(holds: bool, document: Document, name: str, value: str, accepted: str) -> None:
    if not holds:
        raise AgentValueError(
            f"document {document.id[:80]!r}: {name} is {value[:60]!r}; accepted: {accepted}"
        )
