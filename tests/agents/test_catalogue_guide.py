"""The examples of docs/catalogue.md are what it says they are."""

import io
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from agents.knowledge.importing import import_documents
from agents.shop.form import product_to_json, shop_from_json, shop_to_json
from agents.shop.importing import Imported, import_file

GUIDE = Path(__file__).parents[2] / "docs" / "catalogue.md"
EXAMPLES = dict(
    re.findall(r"<!-- example: (\S+) -->\n```\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
)


def example(name: str) -> Imported:
    found = import_file(name, EXAMPLES[name].encode())
    assert found.problems == ()
    return found


def test_the_complete_row_is_the_product_of_the_json_but_for_its_words() -> None:
    (product,) = example("products.csv").products
    (told,) = shop_from_json(json.loads(EXAMPLES["shop.json"])).products
    fields = ("id", "name", "category", "price", "currency", "list_price", "stock", "offer", "link")
    assert [getattr(product, name) for name in fields] == [getattr(told, name) for name in fields]
    assert set(product_to_json(product)) == set(product_to_json(told))
    assert product.attributes["size"] == {"en": "38 x 32 cm"}
    assert product.points["en"] == ("Fits a laptop.", "Stands on its own.")
    assert product.questions[0].answer == {"en": "No.", "zh": "不防水。"}


def test_the_chinese_row_needs_a_zone_for_its_date() -> None:
    text = EXAMPLES["shangpin.csv"]
    (problem,) = import_file("a.csv", text.encode()).problems
    assert (problem.row, problem.column) == (2, "活动截止")
    (product,) = import_file("a.csv", text.replace("2030-12-31", "").encode("gb18030")).products
    assert (product.price, product.currency, product.stock) == (Decimal(128), "CNY", 0)
    assert product.offer is not None
    assert product.offer.price == 99
    assert product.points == {"zh": ("保温12小时", "放包里不漏")}
    assert product.attributes["防水等级"] == {"en": "IPX4", "zh": "IPX4"}


def test_policies_and_markdown() -> None:
    assert set(example("policies.csv").policies) == {"shipping", "returns"}
    found = example("shop.md")
    assert [product.id for product in found.products] == ["tote", "mug"]
    assert found.products[0].questions[0].question == {"en": "Is it waterproof?", "zh": "防水吗？"}
    assert found.products[0].points == {"en": ("Fits a laptop.",), "zh": ("放得下电脑。",)}
    assert set(found.policies) == {"shipping", "returns"}


def test_the_product_sheet_as_a_pdf() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    for number, line in enumerate(EXAMPLES["sheet.pdf"].splitlines()):
        canvas.drawString(50, 800 - 16 * number, line)
    canvas.save()
    found = import_file("sheet.pdf", packed.getvalue())
    assert found.problems == ()
    assert [(each.id, each.price) for each in found.products] == [
        ("canvas-tote", Decimal(39)),
        ("dawn-thermos", Decimal(32)),
    ]
    assert found.policies == {"shipping": {"en": "within 2 working days."}}


def test_the_shop_as_json_and_the_documents() -> None:
    shop = json.loads(EXAMPLES["shop.json"])
    assert shop_to_json(shop_from_json(shop)) == shop
    (document,) = import_documents("craft.md", EXAMPLES["craft.md"].encode(), "craft").documents
    assert document.id == "open-table"
    assert document.metadata == {"kind": "opener", "moment": "the first minute"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_tested(name: str) -> None:
    assert Path(__file__).read_text("utf-8").count(f'"{name}"') >= 1
