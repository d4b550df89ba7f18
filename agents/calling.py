"""Tools without a model that knows them: what to call, and what to ask for first.

What a call lacks is asked for in a ready sentence. The answer is known again by that sentence in
the history, so nothing but the history has to be remembered.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.arguments import answers_to
from agents.brief import Brief
from agents.choosing import Choice, asks_for_something, choose
from agents.clause import LANGUAGES, Language
from agents.concepts import is_written_in, sentence, spaced, term
from agents.history import MARK, History
from agents.request import Request
from agents.slots import Slot, slots_of
from agents.smalltalk import Intent, is_whole
from agents.tokens import is_question
from agents.tools import Tool, ToolCall

Answers = dict[str, dict[tuple[str, ...], str]]

# Talk in which no tool is looked for.
_BARRED: frozenset[Intent] = frozenset({
    "emergency", "unwell", "sorrow", "injection", "identity", "repeat", "insult", "declined",
    "languages",
})  # fmt: skip
# Talk that is no answer to what was asked for.
_TURNED_AWAY: frozenset[Intent] = frozenset({
    "emergency", "unwell", "sorrow", "injection", "repeat", "insult", "goodbye", "thanks",
})  # fmt: skip
_DROPPED = re.compile(
    r"\b(?:never ?mind|forget (?:it|that|about it)|no thanks?|stop|leave it)\b"
    r"|算了|不用了|没事了|不必了",
    re.IGNORECASE,
)
# What begins so is not wanted, or only admired; "two pizzas, no onions" is wanted.
_NOT_WANTED = re.compile(
    r"\W*(?:(?:no|well|but|oh|please),? )*"
    r"(?:(?:i|we)(?: really| just)? (?:don't|do not|didn't|won't|wouldn't) (?:really )?"
    r"(?:want|need|wish|like)|(?:don't|do not|never)(?! you| we| they))\b"
    r"|what an? [\w ,]+[.!]?$"
    r"|(?:我|我们)?(?:先)?(?:不要|不用|不需要|不想|不必|别)",
    re.IGNORECASE,
)
_DETERMINED = re.compile(
    r"(?:the|a|an|your|which|what|how|when|where|who|why|whether|if)\b", re.IGNORECASE
)
_ASIDE = re.compile(
    r"[.;(\n。；（]|,? (?:like|such as|e\.g\.|for example|in the form)|，?(?:例如|比如|如)"
)
_LONGEST_NOUN = 60
_MOST_CHOICES = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a tool.

    Attributes:
        call: the call, or None where something is missing.
        ask: the sentence that asks for it, then.
        sure: whether the tool is meant beyond doubt.
        share: which part of the question it explains, 0 to 1.
        follows: whether the question answers what the host had asked for.
    """

    call: ToolCall | None
    ask: str
    sure: bool
    share: float
    follows: bool = False


def plan(request: Request, intent: Intent | None) -> Plan | None:
    """Return what to do with the tools of a request's brief; None to answer without one.

    `intent`: the kind of small talk the question is, if any.
    """
    question, language, brief = request.question, request.language, request.brief
    tools = brief.callable_tools
    asked = _asked_before(question, request.history, tools)
    if asked and (_DROPPED.search(question) or intent in _TURNED_AWAY):
        return None
    answered = _after_answer(asked, language, brief) if asked else None
    if answered is not None:
        return answered
    if intent in ("emergency", "unwell") or (
        not brief.demands and _is_barred(intent, question, language)
    ):
        return None
    choices = choose(tools, question, language)
    if brief.demands:
        return _first_plan(choices, language)
    for choice in choices[:1]:
        wanted = choice.filled.complete if intent == "complaint" else True
        asks = choice.is_sure and asks_for_something(question, language)
        if wanted and (choice.is_likely if choice.filled.complete else asks):
            return _plan(choice, language)
    return None


def ask_for(slot: Slot, language: Language) -> str:
    """Return the sentence that asks for an argument, by its description or its name."""
    what = _noun(slot, language)
    values = slot.schema.get("enum", ())
    if not 1 < len(values) <= _MOST_CHOICES:
        return sentence("ask", language).format(what=what)
    shown = [term(str(v), language) or spaced(str(v)) for v in values]
    joint = "还是" if language == "zh" else " or " if len(shown) == 2 else ", or "
    choices = ("、" if language == "zh" else ", ").join(shown[:-1]) + joint + shown[-1]
    return sentence("ask_which", language).format(what=what, choices=choices)


def _noun(slot: Slot, language: Language) -> str:
    """Return what an argument is called within a sentence."""
    told = _ASIDE.split(slot.about.strip())[0].strip()[:_LONGEST_NOUN].replace("{", "").strip()
    if not told or not is_written_in(told, language):
        told = term(slot.name, language) or told or spaced(slot.name).lower()
    if language == "zh":
        return told
    if not told[1:2].isupper():
        told = told[:1].lower() + told[1:]
    plain = not told.isascii() or _DETERMINED.match(told)
    return told if plain else f"the {told}"


def _is_barred(intent: Intent | None, question: str, language: Language) -> bool:
    if _NOT_WANTED.match(question.replace("’", "'")):
        return True
    if intent is None or intent in ("order", "weather", "complaint", "safety"):
        return False
    return intent in _BARRED or is_whole(intent, question, language)


def _plan(choice: Choice, language: Language) -> Plan | None:
    """Return the call, or the question for the first argument it lacks."""
    filled = choice.filled
    if filled.complete:
        arguments = json.dumps(filled.arguments, ensure_ascii=False)
        return Plan(ToolCall(choice.tool.name, arguments), "", choice.is_sure, choice.share)
    lacking = [slot for slot in filled.missing if slot.kind not in ("object", "other")]
    if not lacking:
        return None
    return Plan(None, ask_for(lacking[0], language), choice.is_sure, choice.share)


def _first_plan(choices: Sequence[Choice], language: Language) -> Plan | None:
    plans = (_plan(choice, language) for choice in choices)
    return next((found for found in plans if found is not None), None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the host has asked for, one thing after the other, and what was said to it.

    Attributes:
        question: the one that began it.
        said: pairs of the host's sentence and the answer, oldest first.
        tools: those that need just these, by name: the paths of their arguments in that order.
    """

    question: str
    said: tuple[tuple[str, str], ...]
    tools: Mapping[str, tuple[Slot, ...]]


def _asked_before(question: str, history: History, tools: Sequence[Tool]) -> _Asked | None:
    """Return what the question answers, where the host asked for an argument just before."""
    lines = [(i.role, i.text.strip()) for i in history if i.role in ("user", "assistant")]
    lines = [line for line in lines if line[1]]
    if lines and lines[-1] == ("user", question):
        lines.pop()
    sentences = {tool.name: _sentences(tool) for tool in tools}
    said: list[tuple[str, str]] = []
    answer = question
    while len(lines) >= 2 and lines[-1][0] == "assistant" and lines[-2][0] == "user":
        asked = _completed(lines[-1][1], sentences)
        if not asked:
            break
        said.insert(0, (asked, answer))
        answer = lines[-2][1]
        del lines[-2:]
    needing = {
        name: tuple(known[asked] for asked, _ in said)
        for name, known in sentences.items()
        if said and all(asked in known for asked, _ in said)
    }
    return _Asked(answer, tuple(said), needing) if needing else None


def _sentences(tool: Tool) -> dict[str, Slot]:
    """Return the arguments a tool may ask for by the sentences that do."""
    slots = [slot for slot in slots_of(tool.parameters) if slot.required]
    return {ask_for(slot, language): slot for language in LANGUAGES for slot in slots}


def _completed(text: str, sentences: Mapping[str, Mapping[str, Slot]]) -> str:
    """Return the sentence a text is, or the beginning of where the host was cut off; else ""."""
    known = [asked for by_tool in sentences.values() for asked in by_tool]
    if text in known:
        return text
    heard = next((text.removesuffix(m) for m in MARK.values() if text.endswith(m)), "")
    return next((asked for asked in known if len(heard) >= 6 and asked.startswith(heard)), "")


def _after_answer(asked: _Asked, language: Language, brief: Brief) -> Plan | None:
    """Return what follows from an answer; None where it is none."""
    answer = asked.said[-1][1]
    answers: Answers = {}
    for tool in brief.callable_tools:
        slots = asked.tools.get(tool.name, ())
        if slots and _is_answer(slots[-1], answer, language, tool):
            pairs = zip(slots, asked.said, strict=True)
            answers[tool.name] = {slot.path: said for slot, (_, said) in pairs}
    meant = [tool for tool in brief.callable_tools if tool.name in answers]
    found = _first_plan(choose(meant, asked.question, language, answers), language)
    return replace(found, follows=True) if found else None


def _is_answer(slot: Slot, said: str, language: Language, tool: Tool) -> bool:
    if answers_to(slot, said, language, tool.parameters) is None:
        return False
    strict = slot.kind in ("code", "email", "phone", "number", "choice", "date", "time", "moment")
    return strict or not is_question(said.rstrip("?？ "), language)
