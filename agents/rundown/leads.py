"""Ways to lead up to a sentence, and to follow it up, that leave what it says alone."""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from random import Random
from typing import Any, Final

from agents.clause import Language

_ASIDE: Final = re.compile(r"[:?：？]")
# Leads that go with a sentence which itself has a colon or asks and answers.
_PLAIN: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": ("", "", "Now,", "And", "Okay,", "So,", "Right,"),
    "zh": ("", "", "再说，", "另外，", "还有，", "好，", "接着看，"),
}
# What opens itself already.
_OPENED: Final = re.compile(
    r"(?:And|Next|Let's|So|Now|Okay|Before|Here's|Want)\b|再说|讲讲|关于|想问"
)
_TAILED: Final = 0.3
_JOINT: Final[Mapping[Language, str]] = {"en": " ", "zh": ""}


@cache
def telling_data(language: Language) -> Mapping[str, Any]:
    """Return the words that facts are told with."""
    source = resources.files("agents") / "data" / f"telling_{language}.json"
    data: Mapping[str, Any] = json.loads(source.read_text("utf-8"))
    return data


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(telling_data("en")[name].split())


def starts_commonly(text: str) -> bool:
    """Say whether an English text begins with a word that is written small within a sentence."""
    word = re.match(r"[A-Za-z']+", text)
    if word is None:
        return False
    return word.group().split("'")[0].lower() in _words("common") or word.group()[0].islower()


def is_predicate(text: str) -> bool:
    """Say whether an English text lacks its subject: "Holds a laptop", "can be washed"."""
    word = re.match(r"[A-Za-z']+", text)
    said = word.group().lower() if word else ""
    return said in _words("verbs") or said in _words("modals")


def lowered(text: str) -> str:
    """Return an English text as it goes on within a sentence."""
    return text[:1].lower() + text[1:] if starts_commonly(text) else text


def is_fragment(text: str) -> bool:
    """Say whether an English text that begins with "A" names a thing and says nothing of it."""
    head = re.split(r"[,;:]| that | which | who ", text, maxsplit=1)[0]
    words = [word.lower() for word in re.findall(r"[A-Za-z']+", head)]
    ends = [word for word in words[1:] if word.endswith("s") and not word.endswith("ss")]
    verbs = _words("verbs") | _words("modals") | {"are", "were", "has", "have"}
    return words[:1] in (["a"], ["an"]) and not ends and not verbs & set(words)


def is_aside(text: str) -> bool:
    """Say whether a sentence asks and answers, has a colon, or leads up to something itself."""
    return bool(_ASIDE.search(text) or _OPENED.match(text))


def led(
    text: str,
    language: Language,
    random: Random,
    *,
    named: bool,
    lowers: bool,
    tailed: bool = False,
    colons: bool = False,
) -> str:
    """Return a sentence with a lead, perhaps none, and perhaps a word after it.

    Args:
        named: whether it names what it is about; only then is it addressed to newcomers.
        lowers: whether its first letter is small within a sentence.
        tailed: whether a word may follow, as behind a selling point.
        colons: whether it may be announced: "A detail worth knowing:".
    """
    data = telling_data(language)
    if is_aside(text):
        lead = "" if _OPENED.match(text) else random.choice(_PLAIN[language])
        return _joined(lead, text, language, lowers=lowers)
    kinds = {"": 3, "light": 4, "colon": 4 * colons, "vivid": 2 * tailed, "recap": 3 * named}
    kind = random.choices(list(kinds), list(kinds.values()))[0]
    lead = random.choice(data["leads"][kind]) if kind else ""
    tail = random.choice(data["tails"]) if tailed and random.random() < _TAILED else ""
    if language == "en" and not lowers and not lead.endswith(":"):
        lead = ""
    return _followed(_joined(lead, text, language, lowers=lowers), tail, language)


def _joined(lead: str, text: str, language: Language, *, lowers: bool) -> str:
    if not lead:
        return text
    if language == "zh":
        return lead + text
    return f"{lead} {text[:1].lower() + text[1:] if lowers else text}"


def _followed(text: str, tail: str, language: Language) -> str:
    return text + _JOINT[language] + tail if tail else text
