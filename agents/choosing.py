"""Which tool a question is for, by rule: the words and concepts it shares with each."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.arguments import Filled, fill
from agents.clause import Language
from agents.concepts import Part, features, read, spaced
from agents.tokens import is_question, is_short
from agents.tools import Tool

# What a shared word is worth, by where the tool has it.
_NAME, _DESCRIPTION, _ARGUMENTS = 1.0, 0.6, 0.35
# And by what it is: a plain word counts 0.9.
_WORTH = {"things": 1.0, "actions": 0.8, "errands": 0.1, "values": 0.4}
_PLAIN = 0.9
# A tool that does something else than what is asked is hardly meant: "cancel" is not "track".
_OTHER_ACTION = 0.3
# An argument that is found speaks for the tool that needs it.
_FOUND = 0.15
# How things are ordered without a word for it.
_WISH = re.compile(
    r"\b(?:(?:i|we)'ll (?:have|take)|(?:can|could|may) (?:i|we) (?:get|have)|(?:get|give|bring) me"
    r"|(?:i|we) (?:want|need)|(?:i|we)(?:'d| would) like)\b"
    r"|我要|我想要|给我来|来[一两三四五六][份个杯盒张]",
    re.IGNORECASE,
)
# Actions that any tool which looks something up may serve.
_LOOKING = frozenset({"actions.track", "actions.search"})


@dataclass(frozen=True, slots=True)
class Choice:
    """A tool that may be meant.

    Attributes:
        score: evidence for it, in units of the weight of one telling word of its name.
        share: which part of what the question says it explains, 0 to 1.
        filled: what the question gives it.
    """

    tool: Tool
    score: float
    share: float
    filled: Filled

    @property
    def is_likely(self) -> bool:
        """Whether there is enough evidence to call it, once its arguments are there."""
        return self.score >= 0.5 and self.share >= 0.34

    @property
    def is_sure(self) -> bool:
        """Whether there is enough to ask for an argument that is missing."""
        return self.score >= 0.75 and self.share >= 0.5


def choose(
    tools: Sequence[Tool],
    question: str,
    language: Language,
    answers: Mapping[str, Mapping[tuple[str, ...], str]] | None = None,
) -> list[Choice]:
    """Return the tools, those first that a question speaks for most, then those that lack nothing.

    `answers`: see `agents.arguments.fill`, by the tool's name.
    """
    profiles = {tool.name: _profile(tool) for tool in tools}
    spread = Counter(key for profile in profiles.values() for key in profile)
    choices: list[Choice] = []
    for tool in tools:
        filled = fill(tool, question, language, (answers or {}).get(tool.name))
        score, share = _weigh(profiles[tool.name], spread, len(tools), read(question), filled)
        if _does_other(tool, profiles[tool.name], question):
            score, share = score * _OTHER_ACTION, share * _OTHER_ACTION
        choices.append(Choice(tool, score, share, filled))
    return sorted(choices, key=lambda c: (-c.score, not c.filled.complete))


def _profile(tool: Tool) -> dict[str, float]:
    """Return the weight of every word and concept a tool is described by."""
    profile: dict[str, float] = {}
    arguments = [spaced(name) for name in tool.properties]
    arguments += [_described(schema) for schema in tool.properties.values()]
    sources = [(spaced(tool.name), _NAME), (tool.description, _DESCRIPTION)]
    for text, weight in (*sources, *((argument, _ARGUMENTS) for argument in arguments)):
        for key in features(text):
            profile[key] = max(profile.get(key, 0.0), weight)
    return profile


def _described(schema: object) -> str:
    if not isinstance(schema, dict):
        return ""
    values = [value for value in schema.get("enum", ()) if isinstance(value, str)]
    return " ".join([str(schema.get("description", "")), *map(spaced, values)])


def _weigh(
    profile: Mapping[str, float],
    spread: Counter[str],
    tools: int,
    parts: Sequence[Part],
    filled: Filled,
) -> tuple[float, float]:
    """Return the evidence of a question for a tool, and the share of the question it explains."""
    score = explained = total = 0.0
    seen: set[str] = set()
    for part, keys in _telling(parts):
        worth = max(_worth(key) for key in keys)
        known = [key for key in keys if key in profile]
        argued = any(a < part.end and part.start < b for a, b in filled.spans)
        total += worth
        explained += worth if known or argued else 0.0
        for key in known[:1]:
            rarity = 1.0 - 0.6 * (spread[key] - 1) / tools
            score += 0.0 if key in seen else _worth(key) * profile[key] * rarity
            seen.add(key)
    score += _FOUND * min(3, len(filled.spans)) if score else 0.0
    return score, explained / total if total else 0.0


def _telling(parts: Sequence[Part]) -> list[tuple[Part, tuple[str, ...]]]:
    """Return the parts that say something and what they say; Chinese characters two by two."""
    found: list[tuple[Part, tuple[str, ...]]] = []
    for number, part in enumerate(parts):
        if part.known:
            found.append((part, part.keys))
        elif not part.dull:
            before = parts[number - 1].keys[0] if number else ""
            pair = before + part.keys[0] if _is_han(before) and _is_han(part.keys[0]) else ""
            found.append((part, (pair, *part.keys) if pair else part.keys))
    return found


def _is_han(key: str) -> bool:
    return len(key) == 1 and "\u3400" <= key <= "\u9fff"


def _worth(key: str) -> float:
    group = key.partition(".")[0]
    if group in _WORTH:
        return _WORTH[group]
    # A Chinese character is half a word at most.
    return 0.3 if _is_han(key) else _PLAIN


def asks_for_something(question: str, language: Language) -> bool:
    """Say whether an utterance wants anything, be it by a question, a wish or a verb."""
    wants = is_question(question, language) or is_short(question, language)
    return wants or bool(_actions(features(question)) or _WISH.search(question))


def _does_other(tool: Tool, profile: Mapping[str, float], question: str) -> bool:
    """Say whether what is asked to be done is not what the tool does.

    A tool that changes something must be asked to, and one that cancels knows no policies.
    """
    wanted = _actions(features(question)) - _LOOKING
    if "actions.policy" in wanted - profile.keys():
        return True
    does = _actions(features(spaced(tool.name))) - _LOOKING
    if not wanted and "actions.buy" in does:
        return _WISH.search(question) is None
    return wanted.isdisjoint(profile) if wanted else bool(does)


def _actions(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key for key in keys if key.startswith("actions."))
