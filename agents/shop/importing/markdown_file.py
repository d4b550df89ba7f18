"""Markdown (CommonMark's headings and lists, and GFM's tables).

A product is a heading with a list of fields below it, "- price: $39". Text below the heading is its
description, a heading "FAQ" below it holds its questions. A heading "Policies" begins the policies,
a heading or "- name: text" each.
"""

import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Final

from agents.errors import AgentValueError
from agents.shop.importing.columns import has_han
from agents.shop.importing.csv_file import decoded
from agents.shop.importing.gathering import gather
from agents.shop.importing.records import Record
from agents.shop.importing.result import MOST_COLUMNS, Imported, Problem, failed
from agents.shop.importing.sections import (
    Section,
    field_of,
    heading_of,
    is_policies,
    is_questions,
    policy_record,
)
from agents.shop.importing.tables import Row, Table, is_head
from agents.shop.product import Shop

_MOST_LINES: Final = 100_000
_BULLET: Final = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)")
_EMPHASIS: Final = re.compile(r"(\*\*|__|`)(.+?)\1")
_RULE: Final = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*")
_PIPE: Final = re.compile(r"(?<!\\)\|")


def import_markdown(data: bytes, shop: Shop | None, zone: tzinfo | None) -> Imported:
    """Read a Markdown file."""
    try:
        lines = decoded(data).splitlines()
    except AgentValueError as error:
        return failed(str(error))
    if len(lines) > _MOST_LINES:
        return failed(f"has {len(lines)} lines; accepted: {_MOST_LINES}")
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        reader.read(number, line)
    records = reader.finish()
    if not records and not reader.problems:
        return failed(
            "no product was found; accepted: a heading for each with a list of its fields, "
            "such as '- price: $39', or tables"
        )
    return gather(records, reader.problems, shop, zone)


class _Reader:
    """Reads a document line by line."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._records: list[Record] = []
        self._section: Section | None = None
        self._level = 0
        self._policies = 0
        self._policy: tuple[int, str, list[str]] | None = None
        self._asking = False
        self._rows: list[Row] = []
        self._fenced = False

    def read(self, number: int, line: str) -> None:
        """Take the next line."""
        if line.lstrip().startswith(("```", "~~~")):
            self._fenced = not self._fenced
            return
        if self._fenced:
            return
        if "|" in line and (self._rows or line.lstrip().startswith("|")):
            self._rows.append(Row(number, _cells(line)))
            return
        self._end_table()
        heading = heading_of(line)
        if heading:
            self._head(number, heading[0], _bare(heading[1]))
        elif line.strip():
            self._line(number, line)

    def finish(self) -> list[Record]:
        """Return the records of the whole document."""
        self._end_table()
        self._end_section()
        self._end_policy()
        return sorted(self._records, key=lambda record: record.row)

    def _head(self, number: int, level: int, title: str) -> None:
        self._end_policy()
        if self._policies and level > self._policies:
            self._policy = (number, title, [])
            return
        self._policies = 0
        if is_policies(title):
            self._end_section()
            self._policies = level
        elif self._section and level > self._level and self._section.cells:
            self._part(title)
        else:
            self._end_section()
            self._section, self._level = Section(number, title), level

    def _part(self, title: str) -> None:
        """Take a heading below a product: its questions, one of them, or a field's."""
        section = self._section
        assert section is not None
        self._asking = is_questions(title) or section.ask(title)
        found = None if self._asking else field_of(title + ":")
        if found:
            section.add(found[0], "")

    def _line(self, number: int, line: str) -> None:
        bullet = _BULLET.fullmatch(line)
        text = _bare(bullet[2] if bullet else line.strip())
        if self._policies:
            self._policy_line(number, text, bulleted=bool(bullet))
        elif self._section is not None:
            self._product_line(self._section, text, indent=len(bullet[1]) if bullet else -1)

    def _policy_line(self, number: int, text: str, *, bulleted: bool) -> None:
        found = field_of(text) if bulleted and self._policy is None else None
        if found:
            self._records.append(policy_record(number, found[0].key, found[1], found[0].language))
        elif self._policy is not None:
            self._policy[2].append(text)

    def _product_line(self, section: Section, text: str, *, indent: int) -> None:
        if section.ask(text):
            self._asking = True
        elif self._asking and section.questions:
            section.answer(text)
        elif indent >= 2 and section.extend(text):
            return
        elif (found := field_of(text)) and (indent >= 0 or found[0].known):
            section.add(*found)
        elif indent >= 0 and section.takes_more:
            section.extend(text)
        else:
            section.prose.append(text)

    def _end_table(self) -> None:
        rows = [row for row in self._rows if not _RULE.fullmatch("|".join(row.cells))]
        self._rows = []
        if rows and is_head(rows[0].cells):
            table = Table()
            self._records += table.records(rows)
            self.problems += table.problems

    def _end_section(self) -> None:
        record = self._section.record() if self._section else None
        if record is not None:
            self._records.append(record)
        self._section, self._asking = None, False

    def _end_policy(self) -> None:
        if self._policy is not None and self._policy[2]:
            number, name, lines = self._policy
            self._records += _by_language(number, name, lines)
        self._policy = None


def _by_language(number: int, name: str, lines: list[str]) -> Iterator[Record]:
    """Return a policy once for each language its lines are written in."""
    for chinese in (False, True):
        told = [line for line in lines if has_han(line) == chinese]
        if told:
            yield policy_record(number, name, ("" if chinese else " ").join(told))


def _cells(line: str) -> list[str]:
    # What stands beyond the columns of a table is told by its first cell.
    parts = _PIPE.split(line.strip().removeprefix("|").removesuffix("|"), MOST_COLUMNS + 1)
    return [_bare(part.replace("\\|", "|").strip()) for part in parts]


def _bare(text: str) -> str:
    """Return a text without the marks of emphasis."""
    return _EMPHASIS.sub(r"\2", text).strip()
