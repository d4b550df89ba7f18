"""How names are said: addresses, models, versions, abbreviations, sizes, Roman numerals."""

import re
from collections.abc import Iterator
from typing import Final

from avatar.voice.place import Place, after, before, whole
from avatar.voice.reading import Reader
from avatar.voice.reading_en import MONTHS, EnglishReader

_SHORT: Final = {
    "mr": "mister",
    "mrs": "missus",
    "ms": "miz",
    "prof": "professor",
    "jr": "junior",
    "sr": "senior",
    "e.g": "for example",
    "i.e": "that is",
    "vs": "versus",
    "etc": "et cetera",
    "approx": "approximately",
    "blvd": "Boulevard",
    "hwy": "Highway",
    "apt": "apartment",
    "ltd": "limited",
    "incl": "including",
    "excl": "excluding",
    "ext": "extension",
    "qty": "quantity",
    "ln": "Lane",
    "mt": "Mount",
    "inc": "incorporated",
    "co": "company",
    "corp": "corporation",
    "dept": "department",
    "max": "maximum",
    "min": "minimum",
    "est": "established",
    "avg": "average",
    "w/": "with",
    "w/o": "without",
}
_DOTLESS: Final = "mr mrs ms prof jr sr vs etc approx blvd hwy ltd incl excl ext qty"
_ALONE: Final = {
    **{form: _SHORT[key] for key in _DOTLESS.split() for form in (key, key.capitalize())},
    "Apt": "apartment",
    "Dr": "doctor",
    **{day[:length]: day for day in ("Tuesday", "Thursday", "Friday") for length in (3, 4, 5)},
    **{month[:3]: month for month in MONTHS if month[:3] not in ("Jan", "Mar")},
    "Sept": "September",
}
"""Abbreviations that are said in full without a full stop, whatever stands beside them."""
_STREETS: Final = {"ave": "Avenue", "rd": "Road"}
_RUNS: Final = re.compile(r"[A-Za-z]+|\d+(?:\.\d+)?")
_ROMAN: Final = {"I": 1, "V": 5, "X": 10}
_TRAIN_AFTER: Final = re.compile("次|航班|号航班")
_SPELLED: Final = ("N95", "KN95")
_SURE_LENGTH: Final = 2
_NUMBERED_BEFORE: Final = re.compile(
    r"\b(?:Part|Chapter|Act|Volume|Vol\.?|Phase|Type|Class|Level|Mark|Mk|Book|Episode|Season|"
    r"Section|Stage|Tier|Grade|Category|War)[ ]+$"
)
_NAME_BEFORE: Final = re.compile(r"[A-Z][A-Za-z]*[ -]+$")
_NUMERAL: Final = re.compile("I{2,3}|IV|VI{1,3}|IX|XI{1,3}|XI?V|XVI{1,3}|XIX|XX")
_KING_BEFORE: Final = re.compile(
    r"\b(?:Henry|Louis|Elizabeth|Charles|George|William|Edward|Richard|James|John|Paul|Pius|"
    r"Philip|Napoleon|Catherine|Francis|Benedict|Frederick|Ramses|Leo)[ ]+$"
)
_ENDS_I: Final = re.compile(r"[ ]*(?:$|[\n.,;:!?)]|(?:of|and|or)\b)")
_STREET_BEFORE: Final = re.compile(
    r"(?P<opens>(?:^|[.!?\n]) *)?(?:[A-Z][a-z]+|\d+(?:st|nd|rd|th))[ ]+$"
)
_CAPITAL_AFTER: Final = re.compile(r"[ ]+[A-Z]")
_OFTEN_STRETCHED: Final = (
    "so no yes wow cool good love nice very really hello hi hey wait please way sale free look "
    "yay okay ok all now big hot amazing best super thanks oh ah aw you my me guys yeah great "
    "sweet cute wild huge new deal go what right and too much more long"
)
_STRETCHED: Final = {re.sub(r"(.)\1+", r"\1", word): word for word in _OFTEN_STRETCHED.split()}


def link(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say the host of a link: shop dot com."""
    host = (match["host"] or match["bare"] or "").removeprefix("www.").strip(".-")
    return whole(match, _address(host, reader))


def mail(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say an e-mail address."""
    user, server = (_address(match[name], reader) for name in ("user", "server"))
    return whole(match, f"{user} {reader.sign('at')} {server}")


def _address(name: str, reader: Reader) -> str:
    return f" {reader.sign('dot')} ".join(
        " ".join(
            reader.digits(run) if run.isdigit() else run
            for run in re.findall(r"[A-Za-z]+|\d+", label)
        )
        for label in name.split(".")
        if label
    )


def model(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say the letters and digits of a name, each at its place."""
    for run in _RUNS.finditer(match.group()):
        text = run.group()
        if text[0].isdigit():
            said = _digits(match, text, reader)
        else:
            said = _letters(text, match.string[: match.start() + run.start()][-24:])
        yield said, match.start() + run.start(), match.start() + run.end()


def _digits(match: re.Match[str], digits: str, reader: Reader) -> str:
    if reader.language == "zh" and match.group() in _SPELLED:
        return reader.digits(digits)
    if reader.language == "zh" and digits.isdigit() and _is_code(digits, after(match)):
        return reader.telephone(digits)
    return reader.model(digits)


def _letters(letters: str, ahead: str) -> str:
    """Say letters that touch digits as they would be said alone: 5vs6, Sept5."""
    if _NUMERAL.fullmatch(letters) and _NAME_BEFORE.search(ahead):
        return EnglishReader().cardinal(str(_value(letters)))
    return _ALONE.get(letters) or unstretched(letters)


def _is_code(digits: str, behind: str) -> bool:
    return len(digits) > 5 or (len(digits) > 2 and bool(_TRAIN_AFTER.match(behind)))


def version(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 2.0.1 by its parts; four parts are an address in a network."""
    parts = match["dots"].split(".")
    start = match.start("dots")
    if match["v"]:
        yield match["v"], match.start(), start
    if len(parts) == 4:
        said = f" {reader.sign('dot')} ".join(map(reader.model, parts))
        if reader.language == "zh":
            said = reader.digits(match["dots"])
    else:
        point = "点" if reader.language == "zh" else " point "
        said = point.join(map(reader.cardinal, parts))
    yield said, start, match.end()


def sizes(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say S-XL as a range, XXXL as triple XL."""
    if match["many"]:
        count = len(match["many"])
        times = {3: "triple", 4: "quadruple"}[count]
        said = reader.cardinal(str(count)) if reader.language == "zh" else times
        return whole(match, f"{said} X{match['size']}")
    large = match["large"]
    digit = f"{reader.cardinal(large[0])} " if large[0].isdigit() else ""
    joint = reader.sign("to")
    return whole(match, f"{match['small']} {joint} {digit}{large.lstrip('0123456789')}")


def initials(match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    """Say U.S. as US."""
    return whole(match, match.group().replace(".", ""))


def short(match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    """Say an abbreviation in full."""
    if match["road"]:
        return whole(match, _road(match))
    written = match["abbr"] or match["abbr2"] or match["abbr3"] or match["with"]
    key = written.lower()
    if key in _STREETS:
        return whole(match, _STREETS[key] if _STREET_BEFORE.search(before(match)) else written)
    return whole(match, _SHORT[key])


def _road(match: re.Match[str]) -> str:
    """St. and Dr. behind a name are a street, else a saint and a doctor."""
    named = _CAPITAL_AFTER.match(after(match))
    place = _STREET_BEFORE.search(before(match, 40))
    title = {"St": "Saint", "Dr": "doctor"}[match["road"]]
    if match.group()[-1] != "." and not place and not named:
        return match.group()
    opens = place is not None and place["opens"] is not None
    if not place or (match["road"] == "Dr" and (named or opens)) or (named and opens):
        return title
    return {"St": "Street", "Dr": "Drive"}[match["road"]]


def roman(match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    """Say III behind a name as a number, behind a king's as his; elsewhere they are letters."""
    numeral, ahead = match["numeral"], before(match)
    number = str(_value(numeral))
    english = EnglishReader()
    if (numeral != "I" or _ENDS_I.match(after(match))) and _KING_BEFORE.search(ahead):
        return whole(match, f"the {english.ordinal(number)}")
    numbered = _NUMBERED_BEFORE.search(ahead)
    if numeral == "I":
        ends = _ENDS_I.match(after(match)) or ahead.endswith("World War ")
        known = bool(numbered and ends)
    else:
        known = bool(numbered or (len(numeral) >= _SURE_LENGTH and _NAME_BEFORE.search(ahead)))
    return whole(match, english.cardinal(number) if known else numeral)


def _value(numeral: str) -> int:
    values = [_ROMAN[letter] for letter in numeral]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def as_written(match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    """Say a word that only its neighbourhood keeps from being a model."""
    return whole(match, match.group())


def unstretched(word: str) -> str:
    """Say "soooo" as "so", and keep what has its letters three times for a reason: AAA, WWW."""
    plain = re.sub(r"(.)\1{2,}", r"\1\1", word, flags=re.IGNORECASE)
    if plain == word or (len(word) <= 4 and word.isupper() and len(set(word)) == 1):
        return word
    known = _STRETCHED.get(re.sub(r"(.)\1+", r"\1", word.lower()))
    if known is None:
        return plain
    return known.capitalize() if word[0].isupper() else known
