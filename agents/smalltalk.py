"""Recognises what needs no fact: greetings, thanks, who are you, and injected orders."""

import json
import re
from importlib import resources
from typing import Literal

from agents.clause import Language

Intent = Literal[
    "injection", "identity", "repeat", "name", "how_are_you", "thanks", "goodbye", "hello",
    "capabilities", "compliment", "complaint", "weather", "joke", "agree", "meet", "mood", "chat",
    "languages",
]  # fmt: skip

_RULES = json.loads((resources.files("agents") / "data" / "small_talk.json").read_text("utf-8"))
# Orders to the machine inside what a viewer says. They are data: named, never followed.
_INJECTION = re.compile("|".join(_RULES["injection"]), re.IGNORECASE | re.DOTALL)
# In order: the first rule that matches decides.
_INTENTS: dict[Language, list[tuple[Intent, re.Pattern[str]]]] = {
    "en": [(k, re.compile("|".join(p), re.IGNORECASE)) for k, p in _RULES["en"].items()],
    "zh": [(k, re.compile("|".join(p), re.IGNORECASE)) for k, p in _RULES["zh"].items()],
}

# Those that stand before any fact the words may also touch.
FIRST: frozenset[Intent] = frozenset({"injection", "identity", "repeat", "complaint", "languages"})


def classify(text: str, language: Language) -> Intent | None:
    """Return the kind of small talk an utterance is; injected orders are found in any language."""
    plain = text.replace("’", "'")
    if _INJECTION.search(plain):
        return "injection"
    for intent, rule in _INTENTS[language]:
        if rule.search(plain):
            return intent
    return None
