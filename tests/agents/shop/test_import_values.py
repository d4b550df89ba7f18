"""What stands in cells."""

from datetime import UTC
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import AgentValueError
from agents.shop.importing.columns import column, policy_key
from agents.shop.importing.values import (
    read_amount,
    read_list,
    read_names,
    read_questions,
    read_stock,
    read_until,
)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("19.90", "19.90", None),
        ("$19.90", "19.90", "USD"),
        ("US$ 20", "20", "USD"),
        ("HK$88", "88", "HKD"),
        ("¥128", "128", "CNY"),
        ("￥１２８", "128", "CNY"),
        ("128元", "128", "CNY"),
        ("RMB 1,299.00", "1299.00", "CNY"),
        ("1.2万", "12000.0", None),
        ("19,90 €", "19.90", "EUR"),
        ("1.299,00 EUR", "1299.00", "EUR"),
        ("1'299.50", "1299.50", None),
        ("12,345,678", "12345678", None),
        ("128 CNY", "128", "CNY"),
        ("人民币128元", "128", "CNY"),
    ],
)
def test_amounts_are_read(text: str, amount: str, currency: str | None) -> None:
    assert read_amount(text) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "free",
        "-5",
        "$",
        "99-199",
        "12 34 56",
        "1,2,3",
        "nan",
        "inf",
        "128元起",
        "$5 per kg",
        "1e5",
        "$5 €",
    ],
)
def test_what_is_no_single_amount_is_refused(text: str) -> None:
    with pytest.raises(AgentValueError):
        read_amount(text)


@given(st.text(max_size=20))
def test_any_text_is_an_amount_or_refused(text: str) -> None:
    try:
        amount, _ = read_amount(text)
    except AgentValueError:
        return
    assert amount.is_finite()
    assert amount >= 0


@pytest.mark.parametrize(
    ("text", "stock"),
    [
        ("120", 120),
        ("1,200", 1200),
        ("5.0", 5),
        ("12件", 12),
        ("12 pcs", 12),
        ("Sold out", 0),
        ("售罄", 0),
        ("有货", None),
    ],
)
def test_stocks_are_read(text: str, stock: int | None) -> None:
    assert read_stock(text) == stock


@pytest.mark.parametrize("text", ["-1", "1.5", "many", "", "1e3"])
def test_what_is_no_stock_is_refused(text: str) -> None:
    with pytest.raises(AgentValueError, match="is no stock"):
        read_stock(text)


def test_lists_questions_and_times_are_read() -> None:
    assert read_list("Light; warm | - soft\n1. big") == ("Light", "warm", "soft", "big")
    assert read_list("A bag, with a zip") == ("A bag, with a zip",)
    assert read_names("tote、帆布包, bag") == ("tote", "帆布包", "bag")
    assert read_questions("Is it warm? => Yes. | Q: Big? A: No.\n防水吗？不防水。") == (
        ("Is it warm?", "Yes."),
        ("Big?", "No."),
        ("防水吗？", "不防水。"),
    )
    with pytest.raises(AgentValueError, match="has a question without an answer"):
        read_questions("Is it warm?")
    assert read_until("2030-12-31", UTC) == "2030-12-31T23:59:59+00:00"
    assert read_until("2030/12/31 20:00+08:00", None) == "2030-12-31T20:00:00+08:00"
    with pytest.raises(AgentValueError, match="has no time zone"):
        read_until("2030-12-31T20:00", None)


@pytest.mark.parametrize(
    ("name", "field", "language"),
    [
        ("name", "name", None),
        ("name_en", "name", "en"),
        ("Name (English)", "name", "en"),
        ("英文名", "name", "en"),
        ("商品名称（英文）", "name", "en"),
        ("中文名称", "name", "zh"),
        ("name_zh-CN", "name", "zh"),
        ("SKU", "id", None),
        ("售价", "price", None),
        ("原价", "list_price", None),
        ("Compare-at price", "list_price", None),
        ("颜色", "attribute:colour", None),
        ("Color_zh", "attribute:colour", "zh"),
        ("防水等级", "attribute:防水等级", None),
        ("Battery hours", "attribute:battery_hours", None),
        ("point 2 en", "points", "en"),
    ],
)
def test_columns_are_understood(name: str, field: str, language: str | None) -> None:
    found = column(name)
    assert found is not None
    assert (found.field, found.language) == (field, language)


def test_columns_may_name_a_unit_or_a_currency() -> None:
    units = {name: column(name) for name in ("price (USD)", "价格(元)", "price_eur", "重量（g）")}
    assert [found and found.unit for found in units.values()] == ["USD", "CNY", "EUR", "g"]


def test_policies_are_kept_under_one_name() -> None:
    assert [policy_key(name) for name in ("Return policy", "退换货政策", "Price promise")] == [
        "returns",
        "returns",
        "price_promise",
    ]
