"""The clause cutter: streamed text becomes clauses a voice can start on."""

import re
from dataclasses import dataclass

from agents.clause import Language
from agents.words import word_list

_CLOSERS = "\"'”’»)]}）】》」』〉"
_WIDE_STOPS = "。！？；，、：…—"
_STRONG = set(".!?。！？；;\n")
_STOP = re.compile(rf"\n|[.!?;,:{_WIDE_STOPS}]+[{re.escape(_CLOSERS)}]*")
_CJK = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")
_WORD_BEFORE = re.compile(r"([\w.]*)\.$")
# Characters needed after a break to know the word that follows it.
_LOOKAHEAD = 10
_SPOKEN = re.compile(r"\w")

# Never the end of a sentence; what follows belongs to them.
_TITLES = frozenset(word_list("titles_en"))
# The end of a sentence only where a capital follows.
_CLOSING = frozenset(word_list("closing_en"))
# A long phrase is best broken before one of these.
_HINGES = frozenset(word_list("hinges_en"))


@dataclass(frozen=True, slots=True)
class Limits:
    """Lengths in characters, leading space included.

    Attributes:
        shortest: a weak stop (comma, colon, dash) cuts only at or after this length.
        first_shortest, first_longest: the same bounds for the first clause of a reply.
        longest: a clause without a usable stop is cut at a space at this length or before.
        hard: nothing is ever longer, even an unbroken word.
    """

    shortest: int
    longest: int
    first_shortest: int
    first_longest: int
    hard: int


LIMITS: dict[Language, Limits] = {
    "en": Limits(shortest=24, longest=140, first_shortest=8, first_longest=48, hard=240),
    "zh": Limits(shortest=7, longest=40, first_shortest=3, first_longest=16, hard=120),
}


class ClauseCutter:
    """Cuts a stream of text into clauses whose concatenation is exactly that text.

    The cuts do not depend on how the text was split into pieces. Nothing is cut inside a number,
    an abbreviation, an address of the web or an ellipsis; closing quotes and brackets stay with
    the clause they close, white space leads the clause it precedes.
    """

    def __init__(self, language: Language, limits: Limits | None = None) -> None:
        self._limits = limits or LIMITS[language]
        self._buffer = ""
        self._first = True

    def feed(self, piece: str) -> list[str]:
        """Add a piece of text and return the clauses that now stand, possibly none."""
        self._buffer += piece
        return self._cut(final=False)

    def flush(self) -> list[str]:
        """Return what is left at the end of the reply and start afresh."""
        clauses = self._cut(final=True)
        if self._buffer:
            clauses.append(self._buffer)
        self._buffer = ""
        self._first = True
        return clauses

    def _cut(self, *, final: bool) -> list[str]:
        clauses: list[str] = []
        while (end := _find_cut(self._buffer, self._limits, self._first, final)) is not None:
            clauses.append(self._buffer[:end])
            self._buffer = self._buffer[end:]
            self._first = False
        return clauses


def cut(text: str, language: Language) -> list[str]:
    """Return the clauses of a whole text; joined they equal it."""
    cutter = ClauseCutter(language)
    return cutter.feed(text) + cutter.flush()


def _find_cut(text: str, limits: Limits, first: bool, final: bool) -> int | None:
    """Return where the first clause of `text` ends, or None while that cannot be known."""
    shortest = limits.first_shortest if first else limits.shortest
    longest = limits.first_longest if first else limits.longest
    over = limits.hard if len(text) > limits.hard else None
    broken = False
    for stop in _STOP.finditer(text):
        end = stop.start() if stop.group() == "\n" else stop.end()
        if end > longest and not broken:
            if len(text) <= longest + _LOOKAHEAD and not final:
                return None
            broken = True
            if (at := _break_long(text, longest)) is not None:
                return at
        if end > limits.hard:
            return over
        verdict = _ends_clause(text, stop, final)
        if verdict is None:
            # A run of stops without end must not hold the clause back for ever.
            return over
        if verdict and _is_long_enough(text[:end], stop.group(), shortest):
            return end
    if not broken and len(text) > longest + (0 if final else _LOOKAHEAD):
        at = _break_long(text, longest)
        return over if at is None else at
    return over


def _is_long_enough(clause: str, stop: str, shortest: int) -> bool:
    if not _SPOKEN.search(clause):
        return False
    if any(sign in _STRONG for sign in stop):
        return True
    # The pause of a Chinese list is too slight to part a clause that is not long.
    return len(clause) >= (2 * shortest if stop == "、" else shortest)


def _ends_clause(text: str, stop: re.Match[str], final: bool) -> bool | None:
    """Say whether a clause may end at `stop`; None when the next characters are needed first."""
    signs = stop.group().rstrip(_CLOSERS)
    if signs == "\n":
        return True
    after = text[stop.end() : stop.end() + 1]
    if not after:
        # At the end of the reply the rest is one clause anyway.
        return False if final else None
    before = text[stop.start() - 1 : stop.start()]
    if signs[-1] in _WIDE_STOPS:
        return not (before.isdigit() and after.isdigit())
    if _CJK.match(after):
        return not (signs == "." and before.isdigit())
    if not after.isspace():
        return False
    return _latin_stop(text, stop, signs, final)


def _latin_stop(text: str, stop: re.Match[str], signs: str, final: bool) -> bool | None:
    following = text[stop.end() :].lstrip()
    if not following:
        return False if final else None
    head = text[: stop.start() + 1]
    if signs == ",":
        return not (head[-2:-1].isdigit() and following[0].isdigit())
    if signs != ".":
        return True
    match = _WORD_BEFORE.search(head)
    word = match.group(1) if match else ""
    if word.lower() == "no":
        return not following[0].isdigit()
    if word.lower() in _TITLES or (len(word) == 1 and word.isupper() and word != "I"):
        return False
    if word.isdigit() and head.strip() == f"{word}.":
        # "1." that opens a numbered line.
        return False
    return not (word.lower() in _CLOSING and not following[0].isupper())


def _break_long(text: str, longest: int) -> int | None:
    """Return where to break a phrase that has no stop in its first `longest` characters."""
    spaces = [m.start() for m in re.finditer(r"(?<=\S)\s", text[: longest + 1])]
    usable = [at for at in spaces if at > 2 and not _joins_number(text, at)]
    hinges = [at for at in usable if _next_word(text, at) in _HINGES and at >= longest // 2]
    if hinges or usable:
        return (hinges or usable)[-1]
    if _CJK.search(text[:longest]):
        return next((at for at in range(longest, 2, -1) if _may_split(text, at)), None)
    return None


def _joins_number(text: str, at: int) -> bool:
    """Say whether the space at `at` lies beside a figure, as in "30 minutes" or "No. 5"."""
    return text[at - 1].isdigit() or text[at + 1 : at + 2].isdigit() or text[at - 1] in "$€£¥.,"


def _next_word(text: str, at: int) -> str:
    match = re.match(r"\s+(\w+)\b", text[at:])
    return match.group(1).lower() if match else ""


def _may_split(text: str, at: int) -> bool:
    """Say whether two neighbours may part: a Chinese character on one side, no numeral."""
    left, right = text[at - 1], text[at]
    if right in _WIDE_STOPS or right in _CLOSERS or right.isspace():
        return False
    if any(c.isnumeric() or c in "点百千万亿元块折$¥￥." for c in (left, right)):
        return False
    return bool(_CJK.match(left) or _CJK.match(right))
