"""Ready sentences about goods, with places to fill."""

import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from agents.clause import Language

_DATA = json.loads((resources.files("agents") / "data" / "shop_wording.json").read_text("utf-8"))

# "[is|are]": the first for one thing, the second for several.
_NUMBERED = re.compile(r"\[(?P<one>[a-z_]+)\|(?P<many>[a-z_]+)\]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_STOP = re.compile(r"[.!?。！？…]+$")


def phrase(kind: str, language: Language, **places: str) -> tuple[str, ...]:
    """Return the sentences of a kind, filled: several wordings of the same.

    Args:
        places: what stands in the braces; `name` decides between "is" and "are".
    """
    return fill(_DATA[kind][language], language, **places)


def value_phrase(answer: str, topic: str, language: Language, **places: str) -> tuple[str, ...]:
    """Return the sentences that say whether a value is among those there are.

    Args:
        answer: "value_yes" or "value_no".
        topic: "colour" or "size".
    """
    return fill(_DATA[answer][topic][language], language, **places)


def fill(texts: Sequence[str], language: Language, **places: str) -> tuple[str, ...]:
    """Fill the places of texts and choose the forms that go with the name."""
    name = places.get("name", "")
    if language == "en":
        # "the The Daily Mug" is one too many.
        places = {
            key: re.sub(r"^the\s", "", value, flags=re.IGNORECASE)
            if key in ("name", "other", "low_name", "high_name")
            else value
            for key, value in places.items()
        }
    forms = {"is_n": "is" if places.get("left") == "1" else "are"}
    forms["are_n"] = forms["is_n"]
    for place in ("attribute", "item"):
        verb = "are" if is_plural(places.get(place, "")) else "is"
        forms |= {f"is_{place}": verb, f"are_{place}": verb}
    forms |= {"is_a": forms["is_attribute"], "are_a": forms["is_attribute"]}
    forms["is_other"] = "are" if is_plural(places.get("other", "")) else "is"
    forms["are_other"] = forms["is_other"]

    def choose(match: re.Match[str]) -> str:
        word = match["many"] if is_plural(name) else match["one"]
        return forms.get(word, word)

    filled = []
    for text in texts:
        whole = _NUMBERED.sub(choose, text)
        for key, value in places.items():
            whole = whole.replace("{" + key + "}", value)
        filled.append(tidy(whole))
    return tuple(filled)


def rules(kind: str) -> Sequence[Mapping[str, Any]]:
    """Return wordings that hold for some attributes alone, with what they hold for."""
    found: Sequence[Mapping[str, Any]] = _DATA[kind]
    return found


def months(language: Language) -> Sequence[str]:
    """Return the names of the months."""
    names: Sequence[str] = _DATA["months"][language]
    return names


def is_plural(name: str) -> bool:
    """Say whether an English name is of several things: "Wireless Earbuds", not "Glass"."""
    words = name.lower().split(" with ")[0].split(" for ")[0].split()
    last = re.sub(r"[^a-z]", "", words[-1]) if words else ""
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "os"))


def bare(value: str) -> str:
    """Return a value without the stop at its end."""
    return _STOP.sub("", value.strip())


def is_sentence(value: str) -> bool:
    """Say whether a value is a whole sentence, to be said as it stands."""
    text = value.strip()
    return bool(_STOP.search(text)) or bool(re.search(r"[.。！？][\s\u3400-\u9fff]", text))


def listed(names: Sequence[str], language: Language) -> str:
    """Return "a, b and c" or its Chinese form."""
    if language == "zh":
        return "、".join(names)
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def in_language(words: Mapping[Language, object], language: Language) -> Language:
    """Return the language words are said in: the one asked, else the one they are written in."""
    return language if words.get(language) else next(iter(words), language)


def capital(text: str) -> str:
    """Return a text with its first letter large."""
    return text[:1].upper() + text[1:]


def tidy(text: str) -> str:
    """Return a filled text with one stop where two came together and no gap before one."""
    text = re.sub(r"([.!?。！？])[.。]", r"\1", text)
    text = re.sub(r"\.。", "。", text)
    text = re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"[ \t\n]+", " ", text)).strip()
    return capital(text)
