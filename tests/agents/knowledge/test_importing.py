"""Documents from files."""

import io
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from agents.knowledge.importing import ENDINGS, import_documents, import_folder

HANDBOOK = """# Handbook {kind=craft language=en}

Read me.

## Openers {#first moment="the first minute"}

Say what is on the table.

Example: "Eight things."

## 结尾 {#last language=zh}
谢谢大家。

## Empty
"""


def test_markdown_gives_a_document_for_each_heading_with_text() -> None:
    found = import_documents("a/handbook.md", HANDBOOK.encode(), "craft")
    assert found.problems == ()
    assert [(each.id, each.title, each.language) for each in found.documents] == [
        ("handbook-handbook", "Handbook", "en"),
        ("first", "Openers", "en"),
        ("last", "结尾", "zh"),
    ]
    first = found.documents[1]
    assert first.text == 'Say what is on the table.\n\nExample: "Eight things."'
    assert first.metadata == {"kind": "craft", "moment": "the first minute"}
    assert first.source == "handbook.md"


def test_tables_give_a_document_for_each_row() -> None:
    rows = (
        "标题;内容;语言;kind\n开场;说说今天有什么。;zh;opener\n;没有标题;zh;x\nEnd;Thanks.;fr;x\n"
    )
    found = import_documents("craft.csv", rows.encode("gb18030"), "craft")
    assert [(each.title, each.metadata) for each in found.documents] == [
        ("开场", {"kind": "opener"})
    ]
    assert [(each.row, each.message) for each in found.problems] == [
        (3, "title is ''; accepted: a text that is not blank"),
        (4, "language is 'fr'; accepted: en or zh"),
    ]
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["title", "text", "id"], ["One", "First.", "one"], ["Two", "Second.", "one"]):
        sheet.append(row)
    packed = io.BytesIO()
    book.save(packed)
    found = import_documents("craft.xlsx", packed.getvalue(), "craft")
    assert [each.text for each in found.documents] == ["First."]
    assert [(each.row, each.column) for each in found.problems] == [(3, "id")]


def test_a_pdf_gives_one_document() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    canvas.drawString(50, 800, "Openers for quiet rooms.")
    canvas.showPage()
    canvas.drawString(50, 800, "Closings.")
    canvas.save()
    (found,) = import_documents("rooms.pdf", packed.getvalue(), "craft").documents
    assert (found.id, found.title) == ("rooms-rooms", "rooms")
    assert found.text == "Openers for quiet rooms.\n\nClosings."


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.exe", b"x", "is no file that can be read; accepted: .md"),
        ("a.md", b"\xff\x80\xff", "the file is no text"),
        ("a.md", b"no heading", "holds no document"),
        ("a.pdf", b"%PDF-1.4 nothing", "the PDF cannot be read"),
        ("a.xlsx", b"PK\x03\x04", "the file is no workbook"),
        ("a.txt", b"x" * (10 * 2**20 + 1), "is too large; accepted: 10 MiB"),
        ("a.txt", b"x" * 100_001, "accepted: 100000 characters at most"),
    ],
)
def test_what_cannot_be_read_is_told(name: str, data: bytes, message: str) -> None:
    found = import_documents(name, data, "craft")
    assert found.documents == ()
    assert message in found.problems[0].message


@given(st.sampled_from(ENDINGS), st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_whatever_the_bytes_are_nothing_is_raised(ending: str, data: bytes) -> None:
    found = import_documents(f"a.{ending}", data, "craft")
    assert found.documents or found.problems


def test_a_folder_is_read_without_links_and_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# One {#one}\nFirst.\n")
    (tmp_path / "a.txt").write_text("Text.")
    (tmp_path / "c.md").write_text("# One again {#one}\nSecond.\n")
    (tmp_path / ".hidden.md").write_text("# Hidden\nNo.\n")
    (tmp_path / "picture.jpg").write_bytes(b"")
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    found = import_folder(tmp_path, "craft")
    assert [(each.id, each.source) for each in found.documents] == [
        ("a-a", "a.txt"),
        ("one", "b.md"),
    ]
    assert [each.message for each in found.problems] == [
        "c.md: is the id of another file's document"
    ]


def test_braces_in_a_title_are_part_of_it_but_for_the_last() -> None:
    (found,) = import_documents("a.md", b"# A {b} c {#d k=e}\n\nText.\n", "craft").documents
    assert (found.title, found.id, found.metadata) == ("A {b} c", "d", {"k": "e"})


def test_attributes_of_any_length_are_read_in_linear_time() -> None:
    """With backtracking it would take hours, and the test would not end."""
    for inner in ("a" * 400_000, "{" * 400_000, " " * 400_000):
        import_documents("a.md", f"# A {{{inner}}}\n\nText.\n".encode(), "craft")
