"""Documents from Markdown, text, PDF, CSV and XLSX files, and from a folder of them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from agents.clause import Language
from agents.errors import AgentValueError
from agents.knowledge.document import Collection, Document, check_document
from agents.pdf import pdf_pages
from agents.shop.importing.columns import has_han, plain
from agents.shop.importing.csv_file import csv_rows, decoded
from agents.shop.importing.result import MOST_BYTES, Problem, bounded, shown
from agents.shop.importing.sections import heading_of
from agents.shop.importing.tables import Row
from agents.shop.importing.xlsx_file import xlsx_sheets

MOST_DOCUMENTS: Final = 5000
MOST_FILES: Final = 200
ENDINGS: Final = ("md", "markdown", "txt", "pdf", "csv", "tsv", "xlsx")
# Attributes of a heading as Pandoc writes them: {#id kind=opener moment="the first minute"}.
_ATTRIBUTES: Final = re.compile(r"(.*)\{([^{}]*)\}")
_ATTRIBUTE: Final = re.compile(r"#(\S+)|\b([^\W\d]\w*)=(?:\"([^\"]*)\"|(\S+))")
_COLUMNS: Final[Mapping[str, frozenset[str]]] = {
    "id": frozenset(("id", "编号")),
    "title": frozenset(("title", "name", "标题", "名称")),
    "text": frozenset(("text", "content", "body", "内容", "正文")),
    "language": frozenset(("language", "lang", "语言")),
    "source": frozenset(("source", "来源", "出处")),
}


@dataclass(frozen=True, slots=True)
class ImportedDocuments:
    """What was read from a file; what has a problem is left out."""

    documents: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Draft:
    """A document in the making, and where it stands in the file."""

    row: int
    title: str
    text: str
    fields: Mapping[str, str]


def import_documents(
    name: str, data: bytes, collection: Collection, language: Language | None = None
) -> ImportedDocuments:
    """Read a file of documents. It never raises: whatever is wrong is a `Problem`.

    Markdown gives a document for each heading with text below it; a PDF or a text gives one; a
    table gives one a row, with columns title and text at least, others being metadata.

    Args:
        name: of the file; its ending tells the format, and it is named as the source.
        language: of texts that do not say theirs; None tells it from the script.
    """
    stem, _, ending = Path(name).name.rpartition(".")
    if ending.lower() not in ENDINGS or not stem:
        accepted = ", ".join(f".{each}" for each in ENDINGS)
        return _failed(name, f"is no file that can be read; accepted: {accepted}")
    if len(data) > MOST_BYTES:
        size = f"{len(data) / 2**20:.1f} MiB"
        return _failed(size, f"is too large; accepted: {MOST_BYTES // 2**20} MiB")
    problems: list[Problem] = []
    try:
        drafts = list(_drafts(stem, ending.lower(), data, problems))
    except AgentValueError as error:
        return _failed("", str(error))
    if not drafts and not problems:
        return _failed(name, "holds no document; accepted: headings with text below them")
    return _gather(drafts, problems, collection, language, source=shown(Path(name).name), stem=stem)


def import_folder(
    folder: Path, collection: Collection, language: Language | None = None
) -> ImportedDocuments:
    """Read all files of a folder that can be read, not those of folders in it, in order of name.

    Links and hidden files are left out. Problems name the file in front of their message.
    """
    files = sorted(
        path
        for path in folder.iterdir()
        if path.suffix[1:].lower() in ENDINGS
        and not path.name.startswith(".")
        and path.is_file()
        and not path.is_symlink()
    )
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    if len(files) > MOST_FILES:
        message = f"files are too many; accepted: {MOST_FILES}, the others are left out"
        problems.append(Problem(0, "", str(len(files)), message))
    for path in files[:MOST_FILES]:
        if path.stat().st_size > MOST_BYTES:
            message = f"{path.name}: is too large; accepted: {MOST_BYTES // 2**20} MiB"
            problems.append(Problem(0, "", "", message))
            continue
        found = import_documents(path.name, path.read_bytes(), collection, language)
        told = list(found.problems)
        for document in found.documents:
            if document.id in documents:
                told.append(Problem(0, "id", document.id, "is the id of another file's document"))
            documents.setdefault(document.id, document)
        problems += [
            Problem(each.row, each.column, each.value, f"{path.name}: {each.message}")
            for each in told
        ]
    return ImportedDocuments(tuple(documents.values()), bounded(problems))


def _drafts(stem: str, ending: str, data: bytes, problems: list[Problem]) -> Iterator[_Draft]:
    if ending in ("md", "markdown"):
        yield from _sections(decoded(data))
    elif ending == "txt":
        yield _Draft(1, stem, decoded(data).strip(), {})
    elif ending == "pdf":
        text = "\n\n".join(_paragraphs(page) for page in pdf_pages(data)).strip()
        yield _Draft(1, stem, text, {})
    elif ending == "xlsx":
        for rows in xlsx_sheets(data).values():
            yield from _table(rows)
    else:
        yield from _table(csv_rows(decoded(data), problems, lambda name: _column(name) is not None))


def _gather(
    drafts: Iterable[_Draft],
    problems: list[Problem],
    collection: Collection,
    language: Language | None,
    *,
    source: str,
    stem: str,
) -> ImportedDocuments:
    documents: dict[str, Document] = {}
    for number, draft in enumerate(drafts, 1):
        fields = dict(draft.fields)
        identifier = fields.pop("id", "").lower() or _slug(f"{stem}-{draft.title}", number)
        told = fields.pop("language", "").lower()
        spoken = told or language or ("zh" if has_han(draft.title + draft.text) else "en")
        document = Document(
            identifier, collection, draft.title, draft.text, cast(Language, spoken),
            source=fields.pop("source", "") or source, metadata=fields,
        )  # fmt: skip
        try:
            check_document(document)
        except AgentValueError as error:
            message = str(error).partition(": ")[2]
            problems.append(Problem(draft.row, "", shown(draft.title), message))
            continue
        if identifier in documents:
            message = "is the id of two documents; the first is kept"
            problems.append(Problem(draft.row, "id", identifier, message))
        elif len(documents) >= MOST_DOCUMENTS:
            message = f"is one too many; accepted: {MOST_DOCUMENTS} documents"
            problems.append(Problem(draft.row, "", shown(draft.title), message))
        else:
            documents[identifier] = document
    return ImportedDocuments(tuple(documents.values()), bounded(problems))


def _sections(text: str) -> Iterator[_Draft]:
    """Return what stands below each heading; attributes of outer headings hold below them."""
    row, title, lines = 1, "", list[str]()
    fields: dict[str, str] = {}
    outer: list[tuple[int, dict[str, str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        heading = heading_of(line)
        if heading is None:
            lines.append(line)
            continue
        yield from _section(row, title, lines, fields)
        level, (title, given) = heading[0], _attributes(heading[1])
        outer = [each for each in outer if each[0] < level]
        inherited = outer[-1][1] if outer else {}
        fields = {**inherited, **given}
        outer.append((level, {key: fields[key] for key in fields if key != "id"}))
        row, lines = number, []
    yield from _section(row, title, lines, fields)


def _section(row: int, title: str, lines: list[str], fields: Mapping[str, str]) -> Iterator[_Draft]:
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    if title and text:
        yield _Draft(row, title, text, fields)


def _attributes(heading: str) -> tuple[str, dict[str, str]]:
    match = _ATTRIBUTES.fullmatch(heading)
    if match is None:
        return heading, {}
    found: dict[str, str] = {}
    for identifier, key, quoted, bare in _ATTRIBUTE.findall(match[2]):
        found |= {"id": identifier} if identifier else {key: quoted or bare}
    return match[1].rstrip(), found


def _table(rows: Iterable[Row]) -> Iterator[_Draft]:
    names: list[str] | None = None
    for row in rows:
        if names is None:
            fields = [_column(cell) for cell in row.cells]
            if "title" in fields and "text" in fields:
                names = [
                    field or re.sub(r"\W+", "_", plain(cell)).strip("_")
                    for field, cell in zip(fields, row.cells, strict=True)
                ]
            continue
        given = zip(names, row.cells, strict=False)
        cells = {name: cell.strip() for name, cell in given if name and cell.strip()}
        if cells:
            yield _Draft(row.number, cells.pop("title", ""), cells.pop("text", ""), cells)


def _column(name: str) -> str | None:
    text = plain(name)
    return next((field for field, names in _COLUMNS.items() if text in names), None)


def _paragraphs(page: str) -> str:
    return "\n".join(line.strip() for line in page.splitlines())


def _slug(text: str, number: int) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-")
    return slug if slug and not has_han(text) else f"{slug or 'document'}-{number}"


def _failed(value: str, message: str) -> ImportedDocuments:
    return ImportedDocuments(problems=(Problem(0, "", shown(value), message),))
