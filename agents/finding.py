"""Finds what may stand for one argument in what somebody said."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from agents.concepts import features, read, spaced, word_set
from agents.heard import Found, Heard
from agents.slots import Kind, Slot, unit_of

_LARGEST_NUMBER = 10**15
_LONGEST_TEXT = 200
_MOST_LISTED = 20

_NAMES = r"[A-Z][\w'-]*(?:\s(?:of\s|de\s|la\s)?[A-Z][\w'-]*){0,3}"
_PERSON = re.compile(
    r"(?:[Mm]y name is|[Nn]ame's|[Tt]he name is|[Nn]ame of|[Uu]nder(?: the name)?(?: of)?"
    rf"|[Cc]all me|[Tt]his is|I'm|I am|[Ff]or)\s(?P<found>{_NAMES})"
)
_PERSON_ZH = re.compile(
    r"(?:我叫|名字是|名字叫|姓名是?|叫做?|我是)(?P<found>[\u3400-\u9fff]{2,4}?|[A-Z][a-z]+)"
    r"(?=[，。,.！!\s]|的|$)"
)
_PLACE = re.compile(rf"\b(?:in|at|to|near|around|for)\s(?P<found>{_NAMES})")
_ENDS = (
    r"(?=\s(?:to|from|on|at|in|for|by|tomorrow|today|next|this|please)\b"
    r"|[到去往飞的在今明后下这周，。,.?？!！\d]|$)"
)
_ONE_WAY: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(
        rf"(?:(?<![a-z])(?:{english})\s|(?:{chinese}))"
        rf"(?P<found>{_NAMES}|[\u3400-\u9fff]{{2,6}}?|[a-z]{{3,}}){_ENDS}"
    )
    for kind, english, chinese in (
        ("origin", "from|leaving", "从|自"),
        ("destination", "to|into|towards", "飞往|到|去|往|飞"),
    )
}
_SIZE = re.compile(r"(?:\bsize\s|尺码|码数)\s?(?P<found>\w{1,4})(?!\w)|(?P<before>\d{2})码")
_QUOTED = re.compile(r"[\"“「](?P<found>.+?)[\"”」]")
_TOLD = re.compile(
    r"(?:\bsaying|\bthat says|\bsay that|\btell (?:him|her|them)(?: that)?"
    r"|留言[说:：，]?|备注[:：]?)\s?(?P<found>.+)"
)
# Arguments that say no more than their name does.
_SWITCHES = frozenset({"on", "is_on", "enabled", "enable", "active", "power"})
_SWITCH = re.compile(r"\b(?:on|off)\b|打开|开启|关闭|关掉|关上")
_DENIED = re.compile(
    r"(?:\b(?:no|not|without|don't|doesn't|isn't|never)\s(?:\w+\s)?|[不没别无免])$"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value an argument may have: where it was found, and how well it suits, higher is better."""

    value: Any
    spans: tuple[tuple[int, int], ...]
    suits: int = 0


def candidates(slot: Slot, heard: Heard, dull: Iterable[str] = ()) -> list[Candidate]:
    """Return what may stand for an argument, best first; whether it is valid is not asked here.

    `dull`: see `Heard.rest`.
    """
    if slot.kind in _FINDERS:
        return _FINDERS[slot.kind](slot, heard)
    if slot.kind in ("text", "query", "place", "texts"):
        return _left_over(slot, heard, dull)
    return []


def named_values(values: Iterable[str], heard: Heard) -> list[Candidate]:
    """Return which of some values are named, in their order; "extra large" is not "large" too."""
    found: list[Candidate] = []
    used: list[tuple[int, int]] = []
    for value in sorted(values, key=len, reverse=True):
        for start, end in _places(value, heard):
            if heard.is_free(start, end) and all(end <= a or b <= start for a, b in used):
                used.append((start, end))
                found.append(Candidate(value, ((start, end),)))
    return sorted(found, key=lambda one: one.spans)


def _choice(slot: Slot, heard: Heard) -> list[Candidate]:
    """Return the one value that is named; two of them leave it open."""
    values = [slot.schema["const"]] if "const" in slot.schema else slot.schema["enum"]
    if len(values) == 1 and slot.required:
        return [Candidate(values[0], ())]
    named = named_values([v for v in values if isinstance(v, str)], heard)
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    for number in heard.numbers() if numbers and not named else ():
        equal = [v for v in numbers if Fraction(v) == number.value]
        named += [Candidate(equal[0], ((number.start, number.end),))] if equal else []
    return named[:1] if len({str(one.value) for one in named}) == 1 else []


def _choices(slot: Slot, heard: Heard) -> list[Candidate]:
    values = [v for v in slot.items.get("enum", ()) if isinstance(v, str)]
    named = named_values(values, heard)[:_MOST_LISTED]
    spans = tuple(span for one in named for span in one.spans)
    listed = list(dict.fromkeys(one.value for one in named))
    return [Candidate(listed, spans)] if listed else []


def _numbers(slot: Slot, heard: Heard) -> list[Candidate]:
    unit = unit_of(slot)
    found = [
        Candidate(_plain(value), ((n.start, n.end),), unit.suits(n.kind))
        for n in heard.numbers()
        if abs(value := unit.converted(n.value, n.kind)) <= _LARGEST_NUMBER
    ]
    return sorted(found, key=lambda one: -one.suits)


def _number_list(slot: Slot, heard: Heard) -> list[Candidate]:
    found = [one for one in _numbers(slot, heard) if one.suits >= 0][:_MOST_LISTED]
    found.sort(key=lambda one: one.spans)
    spans = tuple(span for one in found for span in one.spans)
    return [Candidate([one.value for one in found], spans)] if found else []


def _codes(slot: Slot, heard: Heard) -> list[Candidate]:
    mails = [(f.start, f.end) for f in heard.emails()]
    codes = [f for f in heard.codes() if not any(a <= f.start and f.end <= b for a, b in mails)]
    # "A1234" rather than the 2 of "2 of them".
    codes.sort(key=lambda f: (len(f.value) < 3, f.start))
    spelt = [
        Candidate(value, ((f.start, f.end),))
        for f in codes
        for value in dict.fromkeys((f.value, f.value.upper(), f.value.replace("-", "").upper()))
    ]
    if slot.kind == "code" or not codes:
        return spelt
    spans = tuple((f.start, f.end) for f in codes[:_MOST_LISTED])
    return [Candidate([f.value for f in codes[:_MOST_LISTED]], spans)]


def _boolean(slot: Slot, heard: Heard) -> list[Candidate]:
    """Return whether what the argument is about is named, and not denied."""
    if slot.name.lower() in _SWITCHES:
        found = [
            (match, match[0] in ("on", "打开", "开启")) for match in _SWITCH.finditer(heard.text)
        ]
        return [Candidate(on, (match.span(),)) for match, on in found]
    about = features(spaced(slot.name)) or features(slot.about)
    for part in heard.parts:
        if not about.isdisjoint(part.keys) and heard.is_free(part.start, part.end):
            denied = _DENIED.search(heard.text[: part.start].lower()) is not None
            return [Candidate(not denied, ((part.start, part.end),))]
    return []


def _marked(pattern: re.Pattern[str], heard: Heard) -> list[Candidate]:
    """Return what stands where a pattern has its place for what is sought."""
    return [
        Candidate(match[match.lastgroup or 0][:_LONGEST_TEXT], (match.span(),))
        for match in pattern.finditer(heard.text)
        if heard.is_free(*match.span())
    ]


def _look(slot: Slot, heard: Heard) -> list[Candidate]:
    """Return a colour or a size by its name, "size M", "红色"."""
    found = _marked(_SIZE, heard) if slot.kind == "size" else []
    wanted = word_set("looks", slot.kind)
    return found + [
        Candidate(heard.text[part.start : part.end], ((part.start, part.end),))
        for part in heard.parts
        if not wanted.isdisjoint(part.keys) and heard.is_free(part.start, part.end)
    ]


def _message(slot: Slot, heard: Heard) -> list[Candidate]:
    """Return what is to be told, in quotes or after "saying"; all that was said, if it must be."""
    found = _marked(_QUOTED, heard) + _marked(_TOLD, heard)
    whole = [Candidate(heard.text[:_LONGEST_TEXT], ())] if slot.required and heard.text else []
    return found + whole


def _left_over(slot: Slot, heard: Heard, dull: Iterable[str]) -> list[Candidate]:
    """Return what is left of a question once its small words and the tool's own are taken away."""
    led = _marked(_PLACE, heard) if slot.kind == "place" else []
    runs = heard.rest(dull)
    if slot.kind == "texts":
        parts = [part.strip() for run in runs for part in re.split(r",|\band\b|、|和", run.value)]
        spans = tuple((run.start, run.end) for run in runs)
        listed = [part for part in parts if part][:_MOST_LISTED]
        return [Candidate(listed, spans)] if listed else []
    runs.sort(key=lambda run: -len(run.value))
    if slot.kind == "place":
        runs.sort(
            key=lambda run: not re.search(r"\b(?:in|at|to|near|for)\s$", heard.text[: run.start])
        )
    return led + [Candidate(r.value[:_LONGEST_TEXT], ((r.start, r.end),)) for r in runs[:1]]


def _found(find: Callable[[Heard], list[Found]]) -> Callable[[Slot, Heard], list[Candidate]]:
    def finder(slot: Slot, heard: Heard) -> list[Candidate]:
        del slot
        return [Candidate(one.value, ((one.start, one.end),)) for one in find(heard)]

    return finder


_FINDERS: Mapping[Kind, Callable[[Slot, Heard], list[Candidate]]] = {
    "choice": _choice,
    "choices": _choices,
    "number": _numbers,
    "numbers": _number_list,
    "boolean": _boolean,
    "code": _codes,
    "codes": _codes,
    "email": _found(Heard.emails),
    "phone": _found(Heard.phones),
    "url": _found(Heard.urls),
    "date": _found(Heard.dates),
    "time": _found(Heard.times),
    "moment": _found(Heard.moments),
    "person": lambda _slot, heard: _marked(_PERSON, heard) + _marked(_PERSON_ZH, heard),
    "origin": lambda _slot, heard: _marked(_ONE_WAY["origin"], heard),
    "destination": lambda _slot, heard: _marked(_ONE_WAY["destination"], heard),
    "color": _look,
    "size": _look,
    "message": _message,
}


def _places(value: str, heard: Heard) -> list[tuple[int, int]]:
    """Return where a value is named: by its words, or by words of the same concept."""
    if len(value) <= 2 and value.isascii():
        pattern = rf"(?<![\w']){re.escape(value)}(?![\w'])"
        return [match.span() for match in re.finditer(pattern, heard.text)]
    wanted, parts = read(spaced(value)), heard.parts
    size = len(wanted)
    return [
        (parts[at].start, parts[at + size - 1].end)
        for at in range(len(parts) - size + 1 if size else 0)
        if all(
            set(w.keys) & set(p.keys) for w, p in zip(wanted, parts[at : at + size], strict=True)
        )
    ]


def _plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
