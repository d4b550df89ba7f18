"""The facts the host may speak of, and the persona that speaks."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from agents.clause import LANGUAGES, Feeling, Language
from agents.errors import AgentValueError
from agents.reading import Fields, read_action_id, read_emotion

Texts = Mapping[Language, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Aspect:
    """A narrower side of a fact, for a question that asks for just this.

    Attributes:
        id: of the fact it belongs to, a dot and its own name, "prices.large".
        keywords: words or phrases that ask for it, per language.
        texts: ways to say it, per language, each a full sentence.
        feeling: with which emotion; None leaves it to the words.
        gesture: id of an action, or "".
        anchors: the word the action lands on, per language.
    """

    id: str
    keywords: Texts
    texts: Texts
    feeling: Feeling | None = None
    gesture: str = ""
    anchors: Mapping[Language, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Condition:
    """A claim a fact makes, and the words that must stand beside it to keep it true.

    Attributes:
        claim: a kind of claim known to `agents.claims`, such as "free".
        needs: per language, groups of alternatives; one of each group must be in the sentence.
        bars: per language, words none of which may be in it.
    """

    claim: str
    needs: Mapping[Language, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    bars: Texts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """What amounts of a fact belong to, where it states several of a kind.

    Attributes:
        amounts: those of one side, "$3", in any language.
        before: words that stand before them and name that side, "fee", per language.
        after: words that stand after them and do; perhaps none.
        needs: words one of which the sentence must hold, or the amount misleads; perhaps none.
    """

    amounts: tuple[str, ...]
    before: Texts
    after: Texts = field(default_factory=dict)
    needs: Texts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing the host knows.

    Attributes:
        topic: what it is about, a noun phrase, per language ("opening hours").
        whole: the fact said in full.
        aspects: its narrower sides.
        claims: every claim its texts make, with their conditions.
        figures: the sides of its amounts; without them a model may not word them.
        own: whether its texts are a merchant's own words, said of what they were written for; they
            may open with a yes or a no.
    """

    id: str
    topic: Mapping[Language, str]
    whole: Aspect
    aspects: tuple[Aspect, ...] = ()
    claims: tuple[Condition, ...] = ()
    figures: tuple[Figure, ...] = ()
    own: bool = False

    def sentences(self, language: Language) -> tuple[str, ...]:
        """Return every text of the fact in a language."""
        aspects = (self.whole, *self.aspects)
        return tuple(text for aspect in aspects for text in aspect.texts[language])


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The facts of one merchant.

    Attributes:
        name: the merchant's, per language.
        contact: the side of a fact that says how to reach people there, None where there is none;
            told to those whom the host itself cannot help.
    """

    name: Mapping[Language, str]
    facts: tuple[Fact, ...]
    contact: Aspect | None = None

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    def fact(self, fact_id: str) -> Fact:
        """Return a fact; AgentValueError names an unknown id."""
        for fact in self.facts:
            if fact.id == fact_id:
                return fact
        known = ", ".join(fact.id for fact in self.facts)
        raise AgentValueError(f"no fact {fact_id!r}; known are {known}")


@dataclass(frozen=True, slots=True)
class Persona:
    """Who speaks.

    Attributes:
        name: per language.
        tone: one English sentence for the prompt of a language model.
        lines: ready lines by kind ("greeting", "thanks", "unknown"...), per language, several
            each so that the host does not repeat itself. `{topics}`, `{name}` and `{shop}` in
            them are filled in.
        feelings: with which emotion lines of a kind are said, where that is not as usual.
    """

    name: Mapping[Language, str]
    tone: str
    lines: Mapping[str, Texts]
    feelings: Mapping[str, Feeling] = field(default_factory=dict)


# The kinds of line every persona must bring.
LINE_KINDS = (
    "greeting", "hello", "how_are_you", "thanks", "goodbye", "identity", "name", "capabilities",
    "unknown", "statement", "refuse", "compliment", "complaint", "weather", "joke", "agree",
    "check", "silence", "meet", "chat", "mood", "languages", "emergency", "unwell", "sorrow",
    "order", "safety", "insult",
)  # fmt: skip


def load_catalogue(path: Path | None = None) -> Catalogue:
    """Read a catalogue from a JSON file, by default the pizza shop that comes with the package.

    Raises:
        AgentValueError: the file is missing or no JSON, or a field is; the message names the
            field, the value found and what is accepted.
    """
    source = _read_json(path, "pizza_shop.json")
    root = Fields(source, "catalogue")
    name = {language: root.child("name").text(language) for language in LANGUAGES}
    facts = tuple(_fact(entry) for entry in root.children("facts"))
    ids = [fact.id for fact in facts]
    for fact_id in ids:
        if ids.count(fact_id) > 1:
            raise AgentValueError(f"catalogue.facts: id {fact_id!r} is used twice")
    return Catalogue(name, facts, _contact(root, facts))


def load_persona(path: Path | None = None) -> Persona:
    """Read a persona from a JSON file, by default the host Mia.

    Raises:
        AgentValueError: as `load_catalogue`.
    """
    root = Fields(_read_json(path, "mia.json"), "persona")
    name = {language: root.child("name").text(language) for language in LANGUAGES}
    lines = root.child("lines")
    texts = {kind: lines.texts(kind) for kind in LINE_KINDS}
    return Persona(name, root.text("tone"), texts, _feelings(root))


def load_anchor(name: Mapping[Language, str] | None = None) -> Persona:
    """Return the host of live rooms, who sells whatever a shop has.

    Args:
        name: what the host is called there, per language; None for the name that comes with it.
    """
    with resources.as_file(resources.files("agents") / "data" / "anchor.json") as path:
        persona = load_persona(path)
    return persona if name is None else replace(persona, name={**persona.name, **name})


def _feelings(root: Fields) -> Mapping[str, Feeling]:
    """Read the emotions of kinds of line; none need be given."""
    if "emotions" not in root:
        return {}
    given = root.child("emotions")
    for kind in root.get("emotions"):
        if kind not in LINE_KINDS:
            accepted = ", ".join(LINE_KINDS)
            raise AgentValueError(f"{given.path}.{kind}: no such kind; accepted are {accepted}")
    read = {kind: read_emotion(given, kind) for kind in LINE_KINDS}
    return {kind: feeling for kind, feeling in read.items() if feeling is not None}


def _read_json(path: Path | None, default: str) -> Any:
    source = path if path is not None else resources.files("agents") / "data" / default
    try:
        return json.loads(source.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise AgentValueError(f"cannot read {source}: {error}") from error
    except json.JSONDecodeError as error:
        raise AgentValueError(f"{source} is not valid JSON: {error}") from error


def _contact(root: Fields, facts: tuple[Fact, ...]) -> Aspect | None:
    if "contact" not in root:
        return None
    wanted = root.text("contact")
    for fact in facts:
        for aspect in (fact.whole, *fact.aspects):
            if aspect.id == wanted:
                return aspect
    raise AgentValueError(f"{root.path}.contact: {wanted!r} is neither a fact nor a side of one")


def _fact(fields: Fields) -> Fact:
    fact_id = fields.identifier("id")
    topic = {language: fields.child("topic").text(language) for language in LANGUAGES}
    aspects = tuple(
        _aspect(child, f"{fact_id}.{child.identifier('id')}")
        for child in fields.children("aspects", optional=True)
    )
    claims = tuple(_condition(child) for child in fields.children("claims", optional=True))
    figures = tuple(_figure(child) for child in fields.children("figures", optional=True))
    return Fact(fact_id, topic, _aspect(fields, fact_id), aspects, claims, figures)


def _aspect(fields: Fields, aspect_id: str) -> Aspect:
    texts = fields.texts("texts")
    keywords = fields.texts("keywords")
    feeling = read_emotion(fields)
    if "action" not in fields:
        return Aspect(aspect_id, keywords, texts, feeling)
    action = fields.child("action")
    anchors = {language: action.child("anchor").text(language) for language in LANGUAGES}
    for language in LANGUAGES:
        if not any(anchors[language] in text for text in texts[language]):
            raise AgentValueError(
                f"{action.path}.anchor.{language}: {anchors[language]!r} is in none of the texts"
            )
    return Aspect(aspect_id, keywords, texts, feeling, read_action_id(action), anchors)


def _condition(fields: Fields) -> Condition:
    bars = fields.texts("bars") if "bars" in fields else {}
    if "needs" not in fields:
        return Condition(fields.identifier("claim"), bars=bars)
    needs = fields.child("needs")
    groups = {language: needs.groups(language) for language in LANGUAGES}
    return Condition(fields.identifier("claim"), groups, bars)


def _figure(fields: Fields) -> Figure:
    return Figure(
        fields.strings("amounts"),
        fields.texts("before"),
        fields.texts("after") if "after" in fields else {},
        fields.texts("needs") if "needs" in fields else {},
    )
