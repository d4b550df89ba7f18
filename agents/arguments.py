"""Makes a tool's arguments of a question, by the tool's schema and by rule.

Nothing is guessed: an argument is what the words hold, in the form the schema asks for, or it is
missing. Days and times are given as they were said.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.clause import Language
from agents.concepts import features, spaced, word_set
from agents.finding import Candidate, candidates
from agents.heard import Heard
from agents.schema import allows_null, fits
from agents.slots import Kind, Slot, slots_of
from agents.tools import Tool

_LONGEST_ANSWER = 200
# What is surest is found first, so that it is not taken for something vaguer.
_ORDER: tuple[tuple[Kind, ...], ...] = (
    ("choice", "choices"),
    ("email", "url", "phone"),
    ("code", "codes"),
    ("date", "time", "moment"),
    ("number", "numbers"),
    ("boolean",),
    ("person", "origin", "destination", "color", "size"),
    ("place",),
    ("text", "query", "texts"),
    ("message",),
)
# What may be made of whatever is left of a question, so only where it is wanted.
_LOOSE: frozenset[Kind] = frozenset({"place", "text", "query", "texts", "message"})
# What an answer to "which one?" must hold to be one.
_STRICT: frozenset[Kind] = frozenset({
    "choice", "choices", "number", "numbers", "boolean", "code", "codes", "email", "phone", "url",
})  # fmt: skip
_LEAD_IN = re.compile(
    r"^(?:(?:it|that|this|the \w+|my \w+(?: \w+)?)(?:'s| is| would be| was)\s"
    r"|(?:um|uh|er|well|so|okay|ok|yes|sure)[,\s]+"
    r"|(?:i'd like|i want|make it|let's say|maybe|in|at|for|to)\s"
    r"|(?:是|就|我的\w{1,4}是|我叫|我要|要|嗯|那就|在|去))+",
    re.IGNORECASE,
)
_LEAD_OUT = re.compile(
    r"(?:[,\s]*(?:please|thanks|thank you)|吧|谢谢)?[\s.。!！?？,，]*$", re.IGNORECASE
)


@dataclass(slots=True)
class Filled:
    """What could be made of a question.

    Attributes:
        arguments: those found; valid for the tool's schema where `complete`.
        missing: the required ones that were not found, in the schema's order.
        spans: the stretches of the question they were made of.
    """

    arguments: dict[str, Any] = field(default_factory=dict)
    missing: list[Slot] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    complete: bool = False


def fill(
    tool: Tool,
    question: str,
    language: Language,
    answers: Mapping[tuple[str, ...], str] | None = None,
) -> Filled:
    """Return what a question gives a tool.

    `answers`: by an argument's path what was said when the host had asked for it.
    """
    filling = _Filling(tool, Heard(question, language))
    filling.answer(answers or {})
    for kinds in _ORDER:
        filling.find(kinds)
    filling.close()
    filled = filling.filled
    filled.complete = not filled.missing and fits(
        filled.arguments, tool.parameters, tool.parameters
    )
    return filled


def answers_to(slot: Slot, said: str, language: Language, root: Mapping[str, Any]) -> Any:
    """Return what an answer gives the argument that was asked for; None where it is no answer."""
    heard = Heard(said, language)
    found = [one.value for one in candidates(slot, heard)]
    if slot.kind == "boolean":
        found = [_yes_or_no(heard)]
    if slot.kind not in _STRICT:
        plain = _LEAD_OUT.sub("", _LEAD_IN.sub("", heard.text))[:_LONGEST_ANSWER].strip()
        found = [plain] if slot.kind in _LOOSE else [*found, plain]
        found = [[value] if slot.kind == "texts" else value for value in found if value]
    return next((v for v in found if v is not None and fits(v, slot.whole, root)), None)


class _Filling:
    """The arguments of one tool while they are found."""

    def __init__(self, tool: Tool, heard: Heard) -> None:
        self.filled = Filled()
        self._root = tool.parameters
        self._heard = heard
        self._slots = slots_of(tool.parameters)
        told = {
            key for key in features(tool.description) if key.startswith(("things.", "actions."))
        }
        self._dull = frozenset(told | features(spaced(tool.name)))

    def answer(self, answers: Mapping[tuple[str, ...], str]) -> None:
        """Fill what was asked for by what was answered."""
        for slot in self._slots:
            if slot.path in answers:
                said = answers[slot.path]
                value = answers_to(slot, said, self._heard.language, self._root)
                if value is not None:
                    self._put(slot, value)

    def find(self, kinds: tuple[Kind, ...]) -> None:
        """Fill arguments of some kinds, the best suited and the required ones first."""
        slots = [s for s in self._slots if s.kind in kinds and self._is_wanted(s)]
        found = [(slot, one) for slot in slots for one in candidates(slot, self._heard, self._dull)]
        found.sort(key=lambda pair: (-pair[1].suits, not pair[0].required))
        for slot, one in found:
            free = self._is_open(slot) and self._are_free(one)
            if free and self._suits(slot, one) and fits(one.value, slot.whole, self._root):
                self._put(slot, one.value)
                self._take(one)

    def close(self) -> None:
        """Give what was not found its default or null, and list what is missing then."""
        for slot in self._slots:
            if not slot.required or not self._is_open(slot):
                continue
            default = slot.schema.get("default")
            if default is not None and fits(default, slot.whole, self._root):
                self._put(slot, default)
            elif allows_null(slot.whole, self._root):
                self._put(slot, None)
            else:
                self.filled.missing.append(slot)

    def _is_wanted(self, slot: Slot) -> bool:
        """Say whether to look for an argument: what is left over goes to one argument alone."""
        if slot.required or slot.kind not in _LOOSE:
            return self._is_open(slot)
        others = [s for s in self._slots if s.kind in _LOOSE and s is not slot]
        return self._is_open(slot) and not others

    def _suits(self, slot: Slot, one: Candidate) -> bool:
        return slot.kind != "number" or one.suits >= (0 if slot.required else 1)

    def _are_free(self, one: Candidate) -> bool:
        return all(self._heard.is_free(*span) for span in one.spans)

    def _take(self, one: Candidate) -> None:
        for span in one.spans:
            self._heard.take(*span)
            self.filled.spans.append(span)

    def _is_open(self, slot: Slot) -> bool:
        place: Any = self.filled.arguments
        for name in slot.path:
            if name not in place:
                return True
            place = place[name]
        return False

    def _put(self, slot: Slot, value: Any) -> None:
        place = self.filled.arguments
        for name in slot.path[:-1]:
            place = place.setdefault(name, {})
        place[slot.name] = value


def _yes_or_no(heard: Heard) -> bool | None:
    words = set(re.findall(r"[a-z']+", heard.text.lower()))
    for answer, name in ((False, "no"), (True, "yes")):
        if words & word_set(name, "en") or any(w in heard.text for w in word_set(name, "zh")):
            return answer
    return None
