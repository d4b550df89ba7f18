"""Currencies by their ISO 4217 codes, and the signs people write for them."""

from collections.abc import Mapping
from typing import Final

from agents.errors import AgentValueError


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Active codes of ISO 4217, funds and metals apart.
CODES: Final = _codes(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
    BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL
    GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF
    KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
    MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
    SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH
    UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG
    """
)
_WHOLE: Final = _codes("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF")
_THOUSANDTHS: Final = _codes("BHD IQD JOD KWD LYD OMR TND")

# What is written beside a number, in lower case. Longer signs are looked for first, so that
# "hk$" is not read as "$". "¥" is the yuan unless a column says otherwise.
SIGNS: Final[Mapping[str, str]] = {
    "us$": "USD", "hk$": "HKD", "nt$": "TWD", "a$": "AUD", "c$": "CAD", "s$": "SGD",
    "nz$": "NZD", "r$": "BRL", "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₩": "KRW",
    "₹": "INR", "₫": "VND", "฿": "THB", "rmb": "CNY", "人民币": "CNY", "元": "CNY", "块": "CNY",
    "圆": "CNY", "美元": "USD", "美金": "USD", "港币": "HKD", "港元": "HKD", "新台币": "TWD",
    "日元": "JPY", "欧元": "EUR", "英镑": "GBP", "韩元": "KRW", "新元": "SGD", "澳元": "AUD",
    "加元": "CAD", "dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR",
    "yuan": "CNY",
}  # fmt: skip


def decimals(code: str) -> int:
    """Return how many decimals amounts of a currency have, 0 to 3."""
    return 0 if code in _WHOLE else 3 if code in _THOUSANDTHS else 2


def read_currency(text: str) -> str:
    """Return the code for a code or sign, such as "usd", "¥" or "人民币".

    Raises:
        AgentValueError: it is neither.
    """
    plain = text.strip()
    code = plain.upper()
    if code in CODES:
        return code
    if plain.lower() in SIGNS:
        return SIGNS[plain.lower()]
    raise AgentValueError(
        f"currency {plain[:40]!r} is not known; accepted: codes of ISO 4217 such as CNY, USD, EUR"
    )
