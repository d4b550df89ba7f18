"""Recognises what needs no fact: greetings, who are you, injected orders, cries for help."""

import json
import re
from importlib import resources
from typing import Literal

from agents.clause import LANGUAGES, Language
from agents.tokens import COMMON_WORDS, simplified, tokenize

Intent = Literal[
    "emergency", "unwell", "sorrow", "injection", "identity", "repeat", "insult", "order",
    "complaint", "safety", "declined", "name", "how_are_you", "thanks", "goodbye", "hello",
    "capabilities", "compliment", "weather", "joke", "agree", "meet", "mood", "chat", "languages",
]  # fmt: skip

_RULES = json.loads((resources.files("agents") / "data" / "small_talk.json").read_text("utf-8"))


def _rule(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Orders to the machine inside what a viewer says. They are data: named, never followed.
_INJECTION = re.compile("|".join(_RULES["injection"]), re.IGNORECASE | re.DOTALL)
# In order: the first rule that matches decides.
_INTENTS: dict[Language, dict[Intent, re.Pattern[str]]] = {
    language: {intent: _rule(patterns) for intent, patterns in _RULES[language].items()}
    for language in LANGUAGES
}
# "I don't need delivery" names a thing and asks for nothing, unless it asks all the same.
_DECLINED = {language: _rule(_RULES["declined"][language]) for language in LANGUAGES}
_ASKED_ANYWAY = {language: _rule(_RULES["asked_anyway"][language]) for language in LANGUAGES}

# Those that stand before any fact the words may also touch.
FIRST: frozenset[Intent] = frozenset({
    "emergency", "unwell", "sorrow", "injection", "identity", "repeat", "insult", "order",
    "complaint", "declined", "languages",
})  # fmt: skip
# Those that stand before any goods: a shop answers the rest, its refunds and its safety included.
BEFORE_GOODS: frozenset[Intent] = frozenset({
    "emergency", "unwell", "sorrow", "injection", "identity", "repeat", "insult", "declined",
    "name", "languages", "joke",
})  # fmt: skip
# Those that a question about goods is easily taken for: "what do you have", "is it warm".
WITH_GOODS: frozenset[Intent] = frozenset({
    "capabilities", "weather", "safety", "order", "chat", "hello",
})  # fmt: skip
# Those that may be a matter of life, before all else.
_URGENT: tuple[Intent, ...] = ("emergency", "unwell")


def classify(text: str, language: Language) -> Intent | None:
    """Return the kind of small talk an utterance is; injected orders are found in any language."""
    plain = _plain(text, language)
    rules = _INTENTS[language]
    for intent in _URGENT:
        if rules[intent].search(plain):
            return intent
    if _INJECTION.search(plain):
        return "injection"
    found = next((intent for intent, rule in rules.items() if rule.search(plain)), None)
    if found in FIRST or found == "safety":
        return found
    if _DECLINED[language].search(plain) and not _ASKED_ANYWAY[language].search(plain):
        return "declined"
    return found


def is_injection(text: str) -> bool:
    """Say whether a text gives orders to the machine, in either language."""
    return _INJECTION.search(simplified(text.replace("’", "'"))) is not None


def is_whole(intent: Intent, text: str, language: Language) -> bool:
    """Say whether an utterance is nothing but talk of its kind: "hi there, how are you"."""
    rest = _INTENTS[language][intent].sub(" ", _plain(text, language))
    telling = [t for t in tokenize(rest, language) if not t.stop and t.exact not in COMMON_WORDS]
    return not telling


def _plain(text: str, language: Language) -> str:
    plain = text.replace("’", "'")
    return simplified(plain) if language == "zh" else plain
