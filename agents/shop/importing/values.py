"""Reads what stands in the cells of a merchant's file: amounts, numbers, lists, times, answers."""

import re
import unicodedata
from datetime import datetime, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Final

from agents.errors import AgentValueError
from agents.shop.currencies import SIGNS, read_currency
from agents.shop.importing.columns import plain, words

_SOLD_OUT: Final = words("sold_out")
_UNCOUNTED: Final = words("uncounted")
_DIGITS: Final = re.compile(r"\d[\d.,' ]*")
_GROUPED: Final = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?|\d{1,3}(\.\d{3}){2,}(,\d+)?")
_SPACED: Final = re.compile(r"\d{1,3}([ ']\d{3})+([.,]\d{1,2})?")
_CHINESE_GROUPED: Final = re.compile(r"\d{1,4}(,\d{4})+(\.\d+)?")
_COUNTED: Final = re.compile(
    r"(\d[\d,]*)(?:\.0+)? *(件|个|只|条|把|罐|套|台|瓶|盒|pcs|pieces?|units?)?"
)
_LIST: Final = re.compile(r"[;；|｜\n]")
_NAMES: Final = re.compile(r"[;；|｜\n、，,]")
_BULLET: Final = re.compile(r"^(?:[-*•·]|\d{1,2}[.、)])\s+")
_PAIRS: Final = re.compile(r"[|｜\n]")
_QUESTION: Final = re.compile(
    r"(?:q|question|问|问题)\s*[:：]\s*(.+?)\s*(?:a|answer|答|回答)\s*[:：]\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
_ARROW: Final = re.compile(r"\s*(?:=>|->|→|⇒)\s*")
_MARK: Final = re.compile(r"(?<=[?？])\s*")
_TEN_THOUSAND: Final = Decimal(10000)


def read_amount(text: str) -> tuple[Decimal, str | None]:
    """Return an amount of money and its currency, None where the text names none.

    Accepted are such as "19.90", "$19.90", "1,299.00 CNY", "128元", "19,90 €", "1.2万".

    Raises:
        AgentValueError: it is no single amount.
    """
    folded = unicodedata.normalize("NFKC", text).strip().lower()
    match = _DIGITS.search(folded)
    if match is None or folded.startswith("-"):
        raise _no_amount()
    before, after = folded[: match.start()].strip(), folded[match.end() :].strip()
    amount = _number(match[0].strip(" '"))
    if after.startswith("万"):
        amount, after = amount * _TEN_THOUSAND, after.removeprefix("万").strip()
    currencies = {_currency(part) for part in (before, after) if part}
    if len(currencies) > 1:
        raise AgentValueError("names two currencies; accepted: one, such as $19.90 or 128 CNY")
    return amount, next(iter(currencies), None)


def read_stock(text: str) -> int | None:
    """Return a number of pieces; None where it says that they are not counted.

    Raises:
        AgentValueError: it is no whole number, and no word such as "sold out".
    """
    folded = plain(text)
    if folded in _SOLD_OUT:
        return 0
    if folded in _UNCOUNTED:
        return None
    match = _COUNTED.fullmatch(unicodedata.normalize("NFKC", text).strip().casefold())
    if match is None:
        raise AgentValueError("is no stock; accepted: whole numbers from 0, or 'sold out'")
    return int(match[1].replace(",", ""))


def read_until(text: str, zone: tzinfo | None) -> str:
    """Return a moment as ISO 8601 with a time zone.

    A date alone means the end of that day.

    Args:
        zone: of times that name none; None accepts only those that do.

    Raises:
        AgentValueError: it is no time, or names no zone where none is given.
    """
    folded = unicodedata.normalize("NFKC", text).strip().replace("/", "-")
    try:
        moment = datetime.fromisoformat(folded)
    except ValueError:
        raise AgentValueError(
            "is no time; accepted: such as 2030-12-31T20:00+08:00 or 2030-12-31"
        ) from None
    if re.fullmatch(r"[\d-]+", folded) or (
        folded.endswith("00:00:00")
        and moment.tzinfo is None
        and moment.time() == datetime.min.time()
    ):
        moment = moment.replace(hour=23, minute=59, second=59)
    if moment.tzinfo is None:
        if zone is None:
            raise AgentValueError("has no time zone; accepted: such as 2030-12-31T20:00+08:00")
        moment = moment.replace(tzinfo=zone)
    return moment.isoformat()


def read_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list, separated by ; or | or lines."""
    return _parts(_LIST, text)


def read_names(text: str) -> tuple[str, ...]:
    """Return the parts of a list of names, which commas may separate too."""
    return _parts(_NAMES, text)


def read_questions(text: str) -> tuple[tuple[str, str], ...]:
    """Return questions and answers, such as "Is it warm? => Yes. | Q: ... A: ...".

    Raises:
        AgentValueError: a part has no answer.
    """
    pairs = [_pair(part) for part in _parts(_PAIRS, text)]
    return tuple(pairs)


def _pair(text: str) -> tuple[str, str]:
    match = _QUESTION.fullmatch(text)
    if match:
        return match[1], match[2]
    for parting in (_ARROW, _MARK):
        question, *answer = parting.split(text, maxsplit=1)
        if question and answer and answer[0].strip():
            return question.strip(), answer[0].strip()
    raise AgentValueError("has a question without an answer; accepted: 'Is it warm? => Yes.'")


def _parts(parting: re.Pattern[str], text: str) -> tuple[str, ...]:
    parts = (_BULLET.sub("", part.strip()) for part in parting.split(text))
    return tuple(dict.fromkeys(part for part in parts if part))


def _number(digits: str) -> Decimal:
    """Return a number written with separators of thousands and decimals of any custom."""
    if re.search("[ ']", digits) and not _SPACED.fullmatch(digits):
        raise _no_amount()
    compact = digits.replace(" ", "").replace("'", "")
    if _GROUPED.fullmatch(compact) or _CHINESE_GROUPED.fullmatch(compact):
        by_comma = "," in compact and compact.find(",") < (compact + ".").find(".")
        compact = compact.replace("," if by_comma else ".", "").replace(",", ".")
    elif re.fullmatch(r"\d+,\d{1,2}|\d{1,3}(\.\d{3})+,\d{1,2}", compact):
        compact = compact.replace(".", "").replace(",", ".")
    try:
        return Decimal(compact)
    except InvalidOperation:
        raise _no_amount() from None


def _currency(part: str) -> str:
    """Return the currency of what stands beside a number: "rmb ¥", "usd $" or "元"."""
    found = set()
    for piece in part.split():
        try:
            found.add(read_currency(piece))
        except AgentValueError:
            rest = piece
            for sign in sorted(SIGNS, key=len, reverse=True):
                if sign in rest:
                    found.add(SIGNS[sign])
                    rest = rest.replace(sign, "")
            if rest.strip(".,"):
                raise _no_amount() from None
    if len(found) != 1:
        raise _no_amount()
    return found.pop()


def _no_amount() -> AgentValueError:
    return AgentValueError(
        "is no price; accepted: one amount, such as 19.90, $19.90, ¥128 or 128元"
    )
