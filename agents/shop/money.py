"""How amounts of money and moments are said."""

from datetime import datetime
from decimal import Decimal

from agents.clause import Language
from agents.shop.phrases import months

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "KRW": "₩", "VND": "₫", "THB": "฿"}
_NAMES_EN = {
    "CNY": "yuan", "JPY": "yen", "HKD": "Hong Kong dollars", "TWD": "New Taiwan dollars",
    "SGD": "Singapore dollars", "AUD": "Australian dollars", "CAD": "Canadian dollars",
    "NZD": "New Zealand dollars", "CHF": "Swiss francs", "MYR": "ringgit",
}  # fmt: skip
_NAMES_ZH = {
    "CNY": "元", "USD": "美元", "EUR": "欧元", "GBP": "英镑", "JPY": "日元", "HKD": "港元",
    "TWD": "新台币", "SGD": "新加坡元", "AUD": "澳元", "CAD": "加元", "NZD": "新西兰元",
    "CHF": "瑞士法郎", "KRW": "韩元", "INR": "卢比", "MYR": "林吉特", "THB": "泰铢",
    "VND": "越南盾",
}  # fmt: skip


def say_money(amount: Decimal, currency: str, language: Language) -> str:
    """Return an amount as it is written for speech: "$89.90", "199 yuan", "199元".

    Args:
        currency: ISO 4217; a code without a name of its own is said as it is.
    """
    figure = _figure(amount)
    if language == "zh":
        return figure + _NAMES_ZH.get(currency, f" {currency}")
    if currency in _SIGNS:
        return _SIGNS[currency] + figure
    return f"{figure} {_NAMES_EN.get(currency, currency)}"


def say_moment(iso: str, language: Language) -> str:
    """Return a moment in its own time zone: "8 PM on December 3", "12月3日20点".

    Args:
        iso: ISO 8601 with a time zone, as an offer's `until`.
    """
    at = datetime.fromisoformat(iso)
    month = months(language)[at.month - 1]
    if language == "zh":
        clock = f"{at.hour}点" + (f"{at.minute}分" if at.minute else "")
        return f"{month}{at.day}日{clock}"
    minutes = f":{at.minute:02d}" if at.minute else ""
    clock = f"{(at.hour - 1) % 12 + 1}{minutes} {'PM' if at.hour >= 12 else 'AM'}"
    return f"{clock} on {month} {at.day}"


def _figure(amount: Decimal) -> str:
    """Write an amount without needless zeros, with both digits of cents or none: 89.90, 89."""
    if amount == amount.to_integral_value():
        return str(int(amount))
    exact = format(amount.normalize(), "f")
    return format(amount, ".2f") if len(exact.partition(".")[2]) < 2 else exact
