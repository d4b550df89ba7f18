"""Merchants' files of all formats."""

import csv
import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from agents.shop.checks import product_flaws
from agents.shop.exporting import products_to_csv
from agents.shop.importing import ENDINGS, Imported, import_file, merge
from agents.shop.importing.result import MOST_PROBLEMS
from agents.shop.importing.sections import heading_of
from agents.shop.product import Offer, Shop
from agents.shop.sample import sample_shop
from tests.agents.shop.shops import shops

TABLE = (
    "id,name_en,中文名,price,库存,颜色\nbag,Bag,包,$39.00,12,原色、藏青\ncup,Cup,杯子,¥128,0,red\n"
)


def rows(found: Imported) -> list[tuple[int, str, str]]:
    return [(each.row, each.column, each.value) for each in found.problems]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_csv_of_any_encoding_and_separator(encoding: str, separator: str) -> None:
    data = TABLE.replace(",", separator).encode(encoding)
    found = import_file("shop.csv", data)
    assert found.problems == ()
    bag, cup = found.products
    assert (bag.name, bag.price, bag.currency, bag.stock) == (
        {"en": "Bag", "zh": "包"},
        Decimal("39.00"),
        "USD",
        12,
    )
    assert (cup.price, cup.currency) == (Decimal(128), "CNY")
    assert bag.attributes["colour"] == {"zh": "原色、藏青"}
    assert cup.attributes["colour"] == {"zh": "red"}, "the column is a Chinese one"


def test_a_bad_row_does_not_stop_the_good_ones() -> None:
    lines = [
        "id,name,price,currency,stock,offer price,offer ends,link",
        "a,Good,5,USD,1,,,",
        "b,Price,abc,USD,1,,,",
        "c,Stock,5,USD,-1,,,",
        "d,Offer,5,USD,1,6,,",
        "e,Currency,5,XXX,1,,,",
        "f,Two,$5,CNY,1,,,",
        "a,Again,5,USD,1,,,",
        "../g,Id,5,USD,1,,,",
        "h,Formula,=1+1,USD,1,,,",
        "i,Control\x07,5,USD,1,,,",
        "j,NaN,NaN,USD,1,,,",
        "k,Until,5,USD,1,4,tonight,",
        "l,Ends,5,USD,1,,2030-01-01T00:00Z,",
        "m,Link,5,USD,1,,,javascript:x",
        ",,5,USD,1,,,",
        "n,Wide,5,USD,1,,,,,more",
        "o,Also good,7,USD,,,,",
    ]
    found = import_file("a.csv", "\n".join(lines).encode())
    assert [product.id for product in found.products] == ["a", "o"]
    assert rows(found) == [
        (3, "price", "abc"),
        (4, "stock", "-1"),
        (5, "offer price", "6"),
        (6, "currency", "XXX"),
        (7, "currency", "CNY"),
        (8, "id", "a"),
        (9, "id", "../g"),
        (10, "price", "=1+1"),
        (11, "name", "Control\ufffd"),
        (12, "price", "NaN"),
        (13, "offer ends", "tonight"),
        (14, "offer ends", "2030-01-01T00:00Z"),
        (15, "link", "javascript:x"),
        (16, "id", ""),
        (17, "", "more"),
    ]
    assert found.problems[5].message == "is the id of row 2 too, which is kept"


def test_rows_above_the_names_and_unnamed_columns_are_passed_over() -> None:
    data = "Our shop,,\n\nlast change,today,\nid,name,\n1,Bag,note to self\n"
    found = import_file("a.csv", data.encode())
    assert found.problems == ()
    assert [(product.id, product.attributes) for product in found.products] == [("1", {})]


def test_two_columns_that_say_the_same_are_told() -> None:
    found = import_file("a.csv", b"id,name,price,unit price\na,Bag,5,6\n")
    assert [product.price for product in found.products] == [Decimal(5)]
    assert rows(found) == [(1, "unit price", "unit price")]


def test_an_open_quote_ends_the_file_with_a_problem() -> None:
    found = import_file("a.csv", b'id,name\na,Bag\nb,"Cup\nc,Tin\n')
    assert [product.id for product in found.products] == ["a"]
    assert "are quotes doubled and closed?" in found.problems[0].message
    assert found.problems[0].row == 3


def test_a_table_of_policies() -> None:
    data = "政策,内容_zh,text_en\n退换货,十四天内可退。,Within 14 days.\n,空,\n支付,,\n"
    found = import_file("policies.csv", data.encode())
    assert found.policies == {"returns": {"zh": "十四天内可退。", "en": "Within 14 days."}}
    assert [each.row for each in found.problems] == [3, 4]


def test_what_stands_in_the_shop_is_changed_and_kept() -> None:
    shop = sample_shop()
    data = "id,price,stock,offer price,colour_en,points_en\ndawn-thermos,30,5,-,blue,Warm; light\n"
    found = import_file("a.csv", data.encode(), shop)
    assert found.problems == ()
    before, after = shop.product("dawn-thermos"), merge(shop, found).product("dawn-thermos")
    assert (after.price, after.stock, after.offer) == (Decimal(30), 5, None)
    assert after.attributes["colour"] == {"en": "blue", "zh": before.attributes["colour"]["zh"]}
    assert after.points == {"en": ("Warm", "light"), "zh": before.points["zh"]}
    assert (after.name, after.picture) == (before.name, before.picture)
    assert merge(shop, found).products[0] == shop.products[0]
    alone = import_file("a.csv", data.encode())
    assert rows(alone) == [(2, "name", "")]


def test_an_offer_dearer_than_the_price_it_had_is_refused() -> None:
    found = import_file("a.csv", b"id,price\ndawn-thermos,20\n", sample_shop())
    assert [each.message for each in found.problems] == ["is more than the price, 20"]


def test_new_products_are_priced_in_the_shops_currency() -> None:
    found = import_file("a.csv", "id,name,价格\nnew,New,20\n".encode(), sample_shop())
    assert found.products[0].currency == "USD"
    assert import_file("a.csv", "id,名称,价格\nnew,新,20\n".encode()).products[0].currency == "CNY"


@given(shops())
def test_what_is_exported_is_imported_as_it_was(shop: Shop) -> None:
    found = import_file("shop.csv", products_to_csv(shop).encode())
    if shop.products:
        assert found.problems == ()
        assert found.products == shop.products


def test_the_sample_file_is_the_sample_shop() -> None:
    data = products_to_csv(sample_shop()).encode()
    assert import_file("sample_shop.csv", data).products == sample_shop().products


def workbook(*sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number, table in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in table:
            sheet.append(row)
    for cell in book.worksheets[0]["C"]:
        if isinstance(cell.value, float):
            cell.number_format = "[$¥-804]#,##0.00"
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def test_the_first_of_two_of_one_id_is_named_with_its_sheet() -> None:
    found = import_file(
        "shop.xlsx", workbook([["id", "name"], ["a", "A"]], [["id", "name"], ["a", "B"]])
    )
    (problem,) = found.problems
    assert problem.column == "Sheet 2: id"
    assert problem.message == "is the id of row 2 of Sheet 1 too, which is kept"


def test_workbooks_are_read_sheet_by_sheet() -> None:
    goods: list[list[object]] = [
        ["Spring", None, None],
        ["货号", "名称", "价格", "库存", "活动价", "活动截止"],
        [1001, "包", 128.0, 12.0, 99, datetime(2030, 1, 2)],
        [1002, "杯子", "=A3*2", 5, None, None],
        [1003, "伞", 19.9, 5, None, None],
    ]
    policies = [["policy", "text"], ["shipping", "Within two days."]]
    found = import_file("shop.xlsx", workbook(goods, policies), zone=UTC)
    bag, umbrella = found.products
    assert (bag.id, bag.price, bag.currency, bag.stock) == ("1001", Decimal(128), "CNY", 12)
    assert bag.offer == Offer(Decimal(99), {}, "2030-01-02T23:59:59+00:00")
    assert umbrella.price == Decimal("19.9")
    assert found.policies == {"shipping": {"en": "Within two days."}}
    assert rows(found) == [(4, "Sheet 1: 价格", "=A3*2")], "with its sheet, as there are two"
    assert found.problems[0].message == "is a formula; accepted: its value"


def test_a_workbook_that_unpacks_to_far_more_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (65 * 2**20))
    found = import_file("bomb.xlsx", packed.getvalue())
    assert found.problems[0].message == "the workbook unpacks to 65 MiB; accepted: 64 MiB"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (20 * 2**20))
    assert (
        "packed 200 times and more"
        in import_file("bomb.xlsx", packed.getvalue()).problems[0].message
    )


def test_a_damaged_workbook_is_refused() -> None:
    whole = workbook([["id", "name"], ["a", "Bag"]])
    source, packed = zipfile.ZipFile(io.BytesIO(whole)), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part in source.namelist():
            text = source.read(part)
            archive.writestr(part, text[: len(text) // 2] if "sheet" in part else text)
    found = import_file("a.xlsx", packed.getvalue())
    assert "the workbook cannot be read" in found.problems[0].message
    assert "the file is no workbook" in import_file("a.xlsx", whole[:200]).problems[0].message


SHEET = """# Willow

## Harbour Tote / 港湾托特包

A roomy tote.
大托特包。

- **id**: tote
- **Price:** $39
- 原价: $49
- colour: natural, navy
- 颜色: 原色
- points:
  - Fits a laptop.
  - 装得下电脑。
- offer price: $35
- offer condition: for two

### FAQ
**Q: Waterproof?**
A: No.
问：防水吗？
答：不防水。

| id | name | price |
|----|------|-------|
| m-1 | Mug | $5 |
| m-2 | Cup | free |

## 店铺政策
- shipping: within two days.

### 退换货
十四天内可退。
"""


def test_markdown_has_products_tables_questions_and_policies() -> None:
    found = import_file("shop.md", SHEET.encode())
    tote, mug = found.products
    assert (tote.id, tote.name) == ("tote", {"en": "Harbour Tote", "zh": "港湾托特包"})
    assert (tote.price, tote.list_price) == (Decimal(39), Decimal(49))
    assert tote.description == {"en": "A roomy tote.", "zh": "大托特包。"}
    assert tote.points == {"en": ("Fits a laptop.",), "zh": ("装得下电脑。",)}
    assert tote.attributes["colour"] == {"en": "natural, navy", "zh": "原色"}
    assert tote.offer == Offer(Decimal(35), {"en": "for two"})
    (asked,) = tote.questions
    assert asked.question == {"en": "Waterproof?", "zh": "防水吗？"}
    assert asked.answer == {"en": "No.", "zh": "不防水。"}
    assert mug.id == "m-1"
    assert rows(found) == [(28, "price", "free")]
    assert found.policies == {
        "shipping": {"en": "within two days."},
        "returns": {"zh": "十四天内可退。"},
    }


def pdf(*pages: list[tuple[float, float, str]]) -> bytes:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    packed = io.BytesIO()
    canvas = Canvas(packed)
    for page in pages:
        canvas.setFont("STSong-Light", 12)
        for x, y, text in page:
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return packed.getvalue()


def lines(*texts: str) -> list[tuple[float, float, str]]:
    return [(50, 800 - 20 * number, text) for number, text in enumerate(texts)]


def test_a_pdf_has_product_sheets_and_tables() -> None:
    first = lines(
        "Canvas Tote", "ID: tote", "Price: $39.00", "Description: A roomy tote, which is also",
        "good for the market.", "Dawn Thermos", "ID: dawn", "Price: $abc",
        "名称：晨光杯", "编号：cup-2", "价格：128元", "颜色：白色",
    )  # fmt: skip
    table = [
        (x, 800 - 20 * row, text)
        for row, cells in enumerate(
            [("id", "name", "price"), ("m-1", "Mug", "$5.00"), ("m-2", "Big cup", "$7.00")]
        )
        for x, text in zip((50, 150, 300), cells, strict=True)
    ]
    rules = [(50.0, 600.0, "Policies"), (50.0, 580.0, "Shipping: within two days.")]
    found = import_file("shop.pdf", pdf(first, table + rules))
    assert [product.id for product in found.products] == ["tote", "cup-2", "m-1", "m-2"]
    tote, cup = found.products[:2]
    assert tote.description == {"en": "A roomy tote, which is also good for the market."}
    assert (cup.name, cup.price, cup.currency) == ({"zh": "晨光杯"}, Decimal(128), "CNY")
    assert rows(found) == [(1, "Price", "$abc")]
    assert found.policies == {"shipping": {"en": "within two days."}}


def test_a_pdf_is_bounded_and_must_hold_text() -> None:
    assert "has 51 pages" in import_file("a.pdf", pdf(*[lines("x")] * 51)).problems[0].message
    assert "holds no text" in import_file("a.pdf", pdf([])).problems[0].message
    assert "is no PDF" in import_file("a.pdf", b"hello").problems[0].message


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("shop.exe", b"x", "is no file that can be read; accepted: .csv"),
        ("shop", b"x", "is no file that can be read"),
        ("../../etc/passwd", b"x", "is no file that can be read"),
        ("shop.csv", b"", "the file is empty"),
        ("shop.csv", b"\x00\x01\x02", "the file holds NUL characters"),
        ("shop.csv", b"\xff\x80\xff", "the file is no text"),
        ("shop.csv", b"hello\nworld\n", "no row of column names was found"),
        ("shop.csv", b"x" * (10 * 2**20 + 1), "is too large; accepted: 10 MiB"),
        ("shop.md", b"# Hello\n\nworld\n", "no product was found"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(name: str, data: bytes, message: str) -> None:
    found = import_file(name, data)
    assert found.products == ()
    assert message in found.problems[0].message
    assert found.problems[0].row == 0


def test_problems_and_rows_are_bounded() -> None:
    head = "id,name,price\n"
    wrong = head + "".join(f"p-{n},Bag,abc\n" for n in range(300))
    found = import_file("a.csv", wrong.encode())
    assert len(found.problems) == MOST_PROBLEMS + 1
    assert found.problems[-1].message == "100 more problems are not listed"
    many = head + "".join(f"p-{n},Bag,5\n" for n in range(5002))
    found = import_file("a.csv", many.encode())
    assert len(found.products) == 5000
    assert found.problems


@given(
    st.sampled_from(ENDINGS),
    st.binary(max_size=400) | st.text(max_size=400).map(lambda t: t.encode("utf-8", "replace")),
)
def test_whatever_the_bytes_are_nothing_is_raised(ending: str, data: bytes) -> None:
    found = import_file(f"a.{ending}", data)
    assert found.products or found.policies or found.problems


NAMES = st.sampled_from(
    ["id", "name", "名称", "price", "价格(元)", "stock", "原价", "offer", "offer ends", "points",
     "questions", "question 1", "answer 1", "colour_en", "whatever", "policy", "text", "link", ""]
)  # fmt: skip
CELLS = st.text(max_size=12) | st.sampled_from(
    ["1", "-1", "$5", "5元", "=1", "a; b", "Q? => A", "-", "2030-01-01", "NaN", "1e999", "\u202e"]
)


@given(st.lists(NAMES, min_size=1, max_size=8), st.lists(st.lists(CELLS, max_size=9), max_size=6))
def test_whatever_a_table_holds_products_are_acceptable_or_problems_told(
    names: list[str], table: list[list[str]]
) -> None:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerows([["id", "name", *names], *table])
    found = import_file("a.csv", written.getvalue().encode("utf-8", "replace"), zone=UTC)
    assert not [flaw for product in found.products for flaw in product_flaws(product)]
    assert all(each.message and len(each.value) <= 60 for each in found.problems)


@given(
    st.lists(
        st.sampled_from(
            ["# A", "## Bag", "### FAQ", "## Policies", "- id: bag", "- price: $5", "- price: x",
             "  - more", "Q: why?", "A: so.", "| id | name |", "|--|--|", "| a | b |", "text",
             "```", "- points:", "**Stock:** 5", ""]
        )
        | st.text(max_size=15),
        max_size=25,
    )
)  # fmt: skip
def test_whatever_markdown_says_nothing_is_raised(parts: list[str]) -> None:
    found = import_file("a.md", ("\n".join(parts) or " x").encode("utf-8", "replace"))
    assert not [flaw for product in found.products for flaw in product_flaws(product)]
    assert found.products or found.policies or found.problems


WORKBOOK = workbook([["id", "name", "price"], ["a", "Bag", 5.5], ["b", "Cup", "=A1"]])
PDF = pdf(lines("Canvas Tote", "ID: tote", "Price: $39.00"), lines("Shipping: now."))
EDITS = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=6)), min_size=1, max_size=4
)


def damaged(data: bytes, edits: list[tuple[float, bytes]]) -> bytes:
    """Return data with some of its bytes replaced, or taken out, at parts of its length."""
    for place, text in edits:
        at = int(place * len(data))
        data = data[:at] + text + data[at + max(1, len(text)) :]
    return data


@given(st.integers(0, 20), EDITS)
def test_a_workbook_with_damaged_parts_raises_nothing(
    part: int, edits: list[tuple[float, bytes]]
) -> None:
    source, packed = zipfile.ZipFile(io.BytesIO(WORKBOOK)), io.BytesIO()
    names = source.namelist()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            text = source.read(name)
            archive.writestr(
                name, damaged(text, edits) if name == names[part % len(names)] else text
            )
    import_file("a.xlsx", packed.getvalue())
    import_file("a.xlsx", damaged(WORKBOOK, edits))


@given(EDITS)
def test_a_damaged_pdf_raises_nothing(edits: list[tuple[float, bytes]]) -> None:
    import_file("a.pdf", damaged(PDF, edits))


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Bag", (1, "Bag")),
        ("## Bag ##  ", (2, "Bag")),
        ("### C#", (3, "C#")),
        ("# #", (1, "")),
        ("####### seven", None),
        ("#Bag", None),
        ("Bag", None),
    ],
)
def test_headings_are_those_of_commonmark(line: str, heading: tuple[int, str] | None) -> None:
    assert heading_of(line) == heading


@pytest.mark.parametrize(
    "line", ["# " + " " * 400_000 + "x", "|" * 400_000, "- " + "a: " * 130_000]
)
def test_lines_of_any_length_are_read_in_linear_time(line: str) -> None:
    """With backtracking any of them would take hours, and the test would not end."""
    import_file("shop.md", f"# Bag\n\n- price: $1\n\n{line}\n".encode())
