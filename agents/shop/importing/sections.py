"""Texts of headings and fields: products, their questions, policies. For Markdown and PDF."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from agents.clause import Language
from agents.shop.importing.columns import Column, column, has_han, plain, words
from agents.shop.importing.records import Cell, Record

_POLICY_SECTIONS: Final = words("policy_sections")
_QUESTION_SECTIONS: Final = words("question_sections")
_FIELD: Final = re.compile(r"([^:：]{1,60})[:：](?!//)\s*(.*)", re.DOTALL)
_HEADING: Final = re.compile(r"(#{1,6})\s(.*)")
_ASKED: Final = re.compile(r"(?:q|question|问|问题)\s*[:：]\s*(.+)", re.IGNORECASE)
_ANSWERED: Final = re.compile(r"(?:a|answer|答|回答)\s*[:：]\s*(.+)", re.IGNORECASE)


def field_of(text: str) -> tuple[Column, str] | None:
    """Return the column and value of "Field: value"; None where a line is no such."""
    match = _FIELD.fullmatch(text.strip())
    found = match and column(match[1])
    if not match or found is None or len(match[1].split()) > 5:
        return None
    return found, match[2].strip()


def is_policies(title: str) -> bool:
    """Say whether a heading begins the policies."""
    return plain(title) in _POLICY_SECTIONS


def is_questions(title: str) -> bool:
    """Say whether a heading begins the answered questions of a product."""
    return plain(title) in _QUESTION_SECTIONS


@dataclass(slots=True)
class Section:
    """A product in the making. `row`: where its heading stands."""

    row: int
    title: str
    cells: list[Cell] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    questions: list[tuple[str, str]] = field(default_factory=list)

    def add(self, found: Column, text: str) -> None:
        """Add a field; lines of a list are joined."""
        self.cells.append(Cell(found, text))

    @property
    def takes_more(self) -> bool:
        """Whether the field before is a list, or has no value yet."""
        last = self.cells[-1] if self.cells else None
        return last is not None and (not last.text or last.column.field == "points")

    def extend(self, text: str) -> bool:
        """Add to the field before, as a part of its list; say whether there is one."""
        if not self.cells:
            return False
        last = self.cells.pop()
        self.cells.append(Cell(last.column, f"{last.text} | {text}" if last.text else text))
        return True

    def ask(self, text: str) -> bool:
        """Take a line of a question or its answer; say whether it was one."""
        if match := _ASKED.fullmatch(text):
            self.questions.append((match[1].strip(), ""))
        elif (match := _ANSWERED.fullmatch(text)) and self.questions:
            self.answer(match[1].strip())
        else:
            return False
        return True

    def answer(self, text: str) -> None:
        """Add to the answer of the latest question."""
        question, before = self.questions[-1]
        gap = "" if not before or has_han(text) else " "
        self.questions[-1] = (question, before + gap + text)

    def record(self) -> Record | None:
        """Return the product's record; None where the section holds no field of a product."""
        if not any(cell.column.known for cell in self.cells):
            return None
        cells = [cell for cell in self.cells if cell.text.strip()]
        if self.title and not any(cell.column.field == "name" for cell in cells):
            cells.insert(0, Cell(Column("name", "name"), self.title))
        if self.prose and not any(cell.column.field == "description" for cell in cells):
            cells += [Cell(Column("description", "description"), text) for text in self._told()]
        cells += self._asked()
        return Record(self.row, tuple(cells))

    def _told(self) -> Iterator[str]:
        """Return the prose by language."""
        for chinese in (False, True):
            told = [text for text in self.prose if has_han(text) == chinese]
            if told:
                yield ("" if chinese else " ").join(told)

    def _asked(self) -> Iterator[Cell]:
        """Return questions and answers; as many of both languages are the same ones."""
        chinese = [pair for pair in self.questions if has_han(pair[0])]
        english = [pair for pair in self.questions if not has_han(pair[0])]
        first = 1 if len(chinese) == len(english) else 1 + len(english)
        languages: tuple[tuple[Language, int, list[tuple[str, str]]], ...] = (
            ("en", 1, english),
            ("zh", first, chinese),
        )
        for language, start, pairs in languages:
            for number, pair in enumerate(pairs, start):
                for name, text in zip(("question", "answer"), pair, strict=True):
                    if text:
                        yield Cell(Column(f"{name} {number}", name, language, number), text)


def heading_of(line: str) -> tuple[int, str] | None:
    """Return level and text of an ATX heading of CommonMark; None of any other line."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    text = match[2].strip()
    # A closing row of # stands after a space: that of "C#" is part of the name.
    bare = text.rstrip("#")
    closed = bare != text and (not bare or bare[-1].isspace())
    return len(match[1]), bare.rstrip() if closed else text


def policy_record(row: int, name: str, text: str, language: Language | None = None) -> Record:
    """Return the record of a policy."""
    told = Cell(Column(name, "text", language), text)
    return Record(row, (Cell(Column("policy", "policy"), name), told))
