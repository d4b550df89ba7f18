"""What the columns of merchants' files are called, in English and Chinese."""

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final, cast

from agents.clause import Language
from agents.errors import AgentValueError
from agents.shop.currencies import CODES, read_currency

ATTRIBUTE: Final = "attribute:"
_DATA: Final[dict[str, Any]] = json.loads(
    (resources.files("agents") / "data" / "import_columns.json").read_text("utf-8")
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_GAPS: Final = re.compile(r"[\s_\-./:()\[\]*#\u200b\ufeff]+")
_NUMBER: Final = re.compile(r"(.*\D) ?(\d{1,2})")
_BRACKETS: Final = re.compile(r"(.+)[(\[]([^()\[\]]+)[)\]]\s*")
# Columns of which there may be several, "point 1", "point 2".
_NUMBERED: Final = ("points", "aliases", "question", "answer")


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds.

    Attributes:
        name: as it stands in the file.
        field: of a product ("price", "offer_price"), or "attribute:" and the attribute's name.
        language: None where the values must tell.
        number: of several columns of one field, from 1; 0 where there is one.
        unit: of its numbers, such as "g", or a currency's code; empty where it says none.
        known: whether the name is one of those understood, not just a name of the merchant's.
    """

    name: str
    field: str
    language: Language | None = None
    number: int = 0
    unit: str = ""
    known: bool = True

    @property
    def key(self) -> str:
        """The name of the attribute or policy that it holds."""
        return self.field.removeprefix(ATTRIBUTE)

    @property
    def place(self) -> tuple[str, Language | None, int]:
        """What no two columns of a file may share."""
        return (self.field, self.language, self.number)


def plain(name: str) -> str:
    """Return a name for comparison: lower case, signs and gaps as one space."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return _GAPS.sub(" ", folded).strip()


def has_han(text: str) -> bool:
    """Say whether a text has Chinese characters."""
    return bool(_HAN.search(text))


def words(name: str) -> frozenset[str]:
    """Return a list of words of the data, each as `plain` gives it."""
    return frozenset(plain(word) for word in _DATA[name])


@lru_cache(maxsize=2048)
def column(name: str) -> Column | None:
    """Return what a column holds by its name; None where it has none.

    "name_en", "Name (English)", "英文名" and "商品名称（英文）" all mean the English name. A name
    that is not understood is an attribute's.
    """
    text = plain(name)
    if not text:
        return None
    whole = _FIELDS.get(text)
    if whole is not None:
        return Column(name.strip(), whole)
    outer, unit = _unit(name)
    stem, language = _language(plain(outer))
    stem, code = _currency(stem)
    if language is None:
        stem, language = _language(stem)
    stem, number = _numbered(stem)
    unit = unit or code
    found = _FIELDS.get(stem)
    if found is not None:
        return Column(name.strip(), found, language, number, unit)
    key = re.sub(r"[^\w]+", "_", stem).strip("_") or "attribute"
    return Column(name.strip(), ATTRIBUTE + key, language, unit=unit, known=False)


def policy_key(name: str) -> str:
    """Return what a policy is kept under: "returns" for "退换货政策", else the merchant's name."""
    text = plain(name)
    return _POLICIES.get(text) or re.sub(r"[^\w]+", "_", text).strip("_")


def _language(text: str) -> tuple[str, Language | None]:
    for word, language in _LANGUAGES:
        if text.endswith(" " + word) or (has_han(word) and text.endswith(word)):
            return text.removesuffix(word).strip(), language
        if text.startswith(word + " ") or (has_han(word) and text.startswith(word)):
            return text.removeprefix(word).strip(), language
    return text, None


def _unit(name: str) -> tuple[str, str]:
    """Return a name without the unit or currency in its brackets, and that."""
    match = _BRACKETS.fullmatch(unicodedata.normalize("NFKC", name))
    if match is None:
        return name, ""
    unit = plain(match[2])
    if unit in _UNITS:
        return match[1], unit
    try:
        return match[1], read_currency(match[2])
    except AgentValueError:
        return name, ""


def _currency(text: str) -> tuple[str, str]:
    """Return a name without a currency's code at its end, "price usd", and that."""
    stem, _, last = text.rpartition(" ")
    if stem and last.upper() in CODES:
        return stem, last.upper()
    return text, ""


def _numbered(text: str) -> tuple[str, int]:
    match = _NUMBER.fullmatch(text)
    if match and _FIELDS.get(match[1].strip()) in _NUMBERED:
        return match[1].strip(), int(match[2])
    return text, 0


def _index() -> dict[str, str]:
    fields = {
        plain(word): field for field, words in _DATA["fields"].items() for word in words
    }  # fmt: skip
    attributes = {
        plain(word): ATTRIBUTE + name
        for name, words in _DATA["attributes"].items()
        for word in words
    }
    own = {plain(field): field for field in _DATA["fields"]}
    return attributes | fields | own


_FIELDS: Final = _index()
_POLICIES: Final = {
    plain(word): name for name, words in _DATA["policies"].items() for word in words
}
_UNITS: Final = words("units")
# The longest first, so that "zh cn" is not taken for "cn".
_LANGUAGES: Final[list[tuple[str, Language]]] = sorted(
    (
        (plain(word), cast(Language, language))
        for language, words in _DATA["languages"].items()
        for word in words
    ),
    key=lambda pair: -len(pair[0]),
)
