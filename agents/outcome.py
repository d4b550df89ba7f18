"""Says what a tool answered, without a model: literally, and short.

What a tool answers is data. It is said, never followed.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.clause import Language
from agents.concepts import is_written_in, sentence, spaced, term

# Fields whose text is meant to be said.
_SAID = ("say", "text", "message", "answer", "speech", "summary")
_FAILED = ("error", "errors")
_WORKED = frozenset({"ok", "success", "succeeded", "done", "completed"})
_LONGEST_SAID = 360
_LONGEST_VALUE = 120
_MOST_FIELDS = 5
_MOST_LISTED = 3
# A stop within a word, as in "1.50", ends nothing.
_SENTENCE = re.compile(r"(?:[^.!?。！？]|[.!?]+(?=[^\s.!?\"'”’)]))+(?:[.!?。！？]+[\"'”’)]*)?\s*")
_END = re.compile(r"[.!?。！？…][\"'”’)]*$")


def speak_output(output: str, language: Language) -> str:
    """Return what a host says of a tool's output, at most some 400 characters, never empty.

    Plain text is said as it is. Of a JSON object a field named say, text, message, answer, speech
    or summary is; else its fields are told one by one, "The status is shipped.", lists by their
    first three entries. An `error` is apologised for.
    """
    value = _parsed(output.strip())
    if _has_failed(value):
        return _apology(value, language)
    if isinstance(value, Mapping):
        return _object(value, language)
    if isinstance(value, list):
        return _list(value, language)
    return _bounded(_shown(value, language), language) or sentence("done", language)


def is_failure(output: str) -> bool:
    """Say whether an output tells that the tool did not work."""
    return _has_failed(_parsed(output.strip()))


def readable(output: str) -> str:
    """Return all names and values of an output as text, for comparing what is said with it."""
    value = _parsed(output)
    return value if isinstance(value, str) else " ; ".join(_flat(value))


def _parsed(output: str) -> Any:
    """Return an output's JSON value; text that is no JSON stands for itself."""
    try:
        value = json.loads(output)
    except (ValueError, RecursionError):
        return output
    # A number keeps the digits it was written with, "1.50".
    return output if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _has_failed(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    worked = (value.get(name) for name in _WORKED if name in value)
    return any(value.get(name) for name in _FAILED) or any(one is False for one in worked)


def _apology(value: Mapping[str, Any], language: Language) -> str:
    why = next((value[name] for name in (*_FAILED, *_SAID, "reason") if value.get(name)), "")
    if isinstance(why, list):
        why = why[0]
    if isinstance(why, Mapping):
        why = next((why[name] for name in (*_SAID, "reason", "code") if why.get(name)), "")
    text = _bounded(_shown(why, language), language) if isinstance(why, str) else ""
    if not text:
        return sentence("failed", language)
    return sentence("failed_because", language).format(why=text)


def _object(value: Mapping[str, Any], language: Language) -> str:
    for name in _SAID:
        if isinstance(value.get(name), str) and value[name].strip():
            return _bounded(value[name], language)
    told = [one for name, inner in value.items() for one in _told(name, inner, language)]
    gap = " " if language == "en" else ""
    kept = [text for at, text in enumerate(told[:_MOST_FIELDS]) if _fits(told[:at], text)]
    return gap.join(kept) or sentence("done", language)


def _fits(before: Sequence[str], text: str) -> bool:
    return not before or sum(map(len, before)) + len(text) <= _LONGEST_SAID


def _told(name: str, value: Any, language: Language, owner: str = "") -> Iterator[str]:
    """Yield the sentences for a field; "shipping: {carrier: UPS}" is a shipping carrier."""
    key = (term(name, language) if language == "zh" else "") or spaced(name).lower()
    key = (f"{owner} {key}" if language == "en" else f"{owner}{key}") if owner else key
    if value is None or value == "" or value == [] or (value is True and name in _WORKED):
        return
    if isinstance(value, bool):
        yield sentence("yes" if value else "no", language).format(key=key[:1].upper() + key[1:])
    elif isinstance(value, Mapping):
        for inner_name, inner in () if owner else value.items():
            yield from _told(inner_name, inner, language, key)
    elif isinstance(value, list):
        yield _sentence(key, _entries(value, language), language, many=len(value) > 1)
    else:
        text = _END.sub("", _cut(_shown(value, language), _LONGEST_VALUE))
        many = key.endswith("s") and not key.endswith(("ss", "us", "is", "news"))
        yield _sentence(key, text, language, many=many and language == "en")


def _sentence(key: str, value: str, language: Language, *, many: bool) -> str:
    return sentence("told_many" if many else "told", language).format(key=key, value=value)


def _list(value: Sequence[Any], language: Language) -> str:
    if not value:
        return sentence("nothing", language)
    form = "listed_one" if len(value) == 1 else "listed"
    return sentence(form, language).format(count=len(value), value=_entries(value, language))


def _entries(value: Sequence[Any], language: Language) -> str:
    """Return the first entries of a list and how many more there are."""
    texts = [_cut(_entry(one, language), 60) for one in value[:_MOST_LISTED]]
    more = len(value) - len(texts)
    if more:
        texts.append(sentence("more", language).format(count=more))
    if language == "zh":
        return "、".join(texts)
    if len(texts) < 3:
        return " and ".join(texts)
    return ", ".join(texts[:-1]) + f", and {texts[-1]}"


def _entry(value: Any, language: Language) -> str:
    """Return an entry of a list; of an object what it is called, and one thing more."""
    if not isinstance(value, Mapping):
        return _END.sub("", _shown(value, language))
    plain = {k: v for k, v in value.items() if isinstance(v, (str, int, float)) and v != ""}
    names = ("name", "title", "label", *_SAID)
    first = next((name for name in names if name in plain), next(iter(plain), ""))
    others = [k for k in plain if k != first and "id" not in spaced(k).lower().split()][:1]
    shown = [str(plain[first]).strip()] if first else []
    shown += [
        f"{term(k, language) or spaced(k).lower()} {_shown(plain[k], language)}" for k in others
    ]
    return " ".join(shown)


def _shown(value: Any, language: Language) -> str:
    """Return a value as it is said; words that are known are said in the language."""
    if isinstance(value, bool):
        return {"en": ("no", "yes"), "zh": ("否", "是")}[language][value]
    if isinstance(value, str):
        # A status is said in the language, what things are called is not.
        known = "" if is_written_in(value, language) else term(value, language, ("values",))
        plain = spaced(value) if re.fullmatch(r"[a-z]+(?:_[a-z]+)+", value) else value
        return known or plain.strip()
    if isinstance(value, (list, Mapping)):
        return " ".join(_flat(value))
    return "" if value is None else str(value)


def _flat(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{spaced(str(k))} {text}" for k, v in value.items() for text in _flat(v)]
    if isinstance(value, list):
        return [text for one in value for text in _flat(one)]
    return [str(value)]


def _bounded(text: str, language: Language) -> str:
    """Return whole sentences of a text up to the longest that is said, and an end to the last."""
    text = " ".join(text[: 4 * _LONGEST_SAID].split())
    if not re.search(r"\w", text):
        return ""
    kept = ""
    for match in _SENTENCE.finditer(text):
        if len(kept) + len(match.group()) > _LONGEST_SAID:
            break
        kept += match.group()
    kept = kept.strip() or _cut(text, _LONGEST_SAID)
    stop = "。" if language == "zh" and not kept[-1].isascii() else "."
    return kept if _END.search(kept) else kept.rstrip(",;:，；：") + stop


def _cut(text: str, longest: int) -> str:
    """Return the beginning of a text, cut at a word."""
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0].rstrip(",;:，；： ") + "…"
