"""Turns texts of the catalogue and the persona into clauses."""

import re
from collections.abc import Callable, Sequence

from agents.catalogue import Aspect, Catalogue, Persona
from agents.clause import Action, Clause, Emotion, Feeling, Language
from agents.clauses import cut
from agents.history import History
from agents.shop.inquiry import Answer

# What can be asked about, in a language.
Topics = Callable[[Language], Sequence[str]]

_TOPICS_SHOWN = 3
_LINE_EMOTIONS: dict[str, Emotion] = {
    "greeting": "happy", "hello": "happy", "how_are_you": "happy", "thanks": "happy",
    "goodbye": "happy", "compliment": "happy", "joke": "excited", "complaint": "caring",
    "unknown": "caring", "refuse": "serious", "meet": "happy", "mood": "caring",
    "emergency": "serious", "unwell": "caring", "sorrow": "caring", "order": "caring",
    "safety": "caring",
}  # fmt: skip
_LINE_GESTURES = {
    "greeting": "welcome", "hello": "welcome", "goodbye": "welcome", "meet": "welcome",
    "unknown": "think", "check": "think", "weather": "think", "refuse": "refuse",
    "compliment": "thumbs_up", "thanks": "thumbs_up",
}  # fmt: skip


class Wording:
    """Words answers from what is known, varied so that nothing is said twice running.

    Args:
        topics: what can be asked about, per language; None for what the facts are about.
    """

    def __init__(
        self, catalogue: Catalogue, persona: Persona, topics: Topics | None = None
    ) -> None:
        self._catalogue = catalogue
        self._persona = persona
        self._topics = topics or self._of_facts

    def facts(
        self, aspects: Sequence[Aspect], language: Language, history: History
    ) -> list[Clause]:
        """Say facts in the catalogue's own words."""
        clauses: list[Clause] = []
        for aspect in aspects:
            text = _fresh(aspect.texts[language], history)
            if clauses and language == "en":
                text = " " + text
            action = _action(aspect.gesture, aspect.anchors.get(language, ""))
            fact_id = aspect.id.partition(".")[0]
            clauses.extend(to_clauses(text, language, aspect.feeling, action, (fact_id,)))
        return clauses

    def answers(self, answers: Sequence[Answer], history: History) -> list[Clause]:
        """Say what a shop answers, each in the language it is written in."""
        clauses: list[Clause] = []
        for answer in answers:
            text = _fresh(answer.texts, history)
            gap = " " if clauses and answer.language == "en" else ""
            action = _action(answer.gesture, answer.anchor)
            usual = None if answer.knows else Feeling("caring")
            clauses += to_clauses(gap + text, answer.language, usual, action, answer.citations)
        return clauses

    def line(self, kind: str, language: Language, history: History | None = None) -> list[Clause]:
        """Say one of the persona's ready lines, with the topics filled in."""
        options = [
            self._filled(text, language, history) for text in self._persona.lines[kind][language]
        ]
        text = options[0] if history is None else _fresh(options, history)
        gesture = _LINE_GESTURES.get(kind, "")
        anchor = _first_word(text, language) if gesture else ""
        usual = Feeling(_LINE_EMOTIONS[kind]) if kind in _LINE_EMOTIONS else None
        feeling = self._persona.feelings.get(kind, usual)
        return to_clauses(text, language, feeling, _action(gesture, anchor))

    def openings(self, language: Language) -> list[str]:
        """Return the first clauses that answers and ready lines may begin with, without doubles."""
        aspects = (a for fact in self._catalogue for a in (fact.whole, *fact.aspects))
        texts = [text for aspect in aspects for text in aspect.texts[language]]
        lines = (line for options in self._persona.lines.values() for line in options[language])
        texts += [self._filled(line, language, None) for line in lines]
        return list(dict.fromkeys(cut(text, language)[0] for text in texts if text))

    def _of_facts(self, language: Language) -> Sequence[str]:
        return [fact.topic[language] for fact in self._catalogue] or [
            self._catalogue.name[language]
        ]

    def _filled(self, text: str, language: Language, history: History | None) -> str:
        start = sum(item.role == "assistant" for item in history) if history else 0
        topics = self._topics(language)
        names = [topics[(start + n) % len(topics)] for n in range(min(_TOPICS_SHOWN, len(topics)))]
        return text.format(
            topics=join_topics(names, language),
            name=self._persona.name[language],
            shop=self._catalogue.name[language],
        )


def to_clauses(
    text: str,
    language: Language,
    feeling: Feeling | None = None,
    action: Action | None = None,
    citations: tuple[str, ...] = (),
) -> list[Clause]:
    """Cut a text; the action goes to the first clause that holds its anchor."""
    emotion, intensity = feeling or (None, 1.0)
    clauses: list[Clause] = []
    for part in cut(text, language):
        here = action if action is not None and action.anchor in part else None
        action = None if here else action
        clauses.append(Clause(part, language, here, emotion, citations, intensity))
    return clauses


def join_topics(names: Sequence[str], language: Language) -> str:
    """Return "a, b, and c" or its Chinese form."""
    if language == "zh":
        return "、".join(names)
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + ", and " + names[-1]


def _action(gesture: str, anchor: str) -> Action | None:
    return Action(gesture, anchor) if gesture else None


def _first_word(text: str, language: Language) -> str:
    pattern = r"[\u3400-\u9fff]{1,2}" if language == "zh" else r"[\w']+"
    match = re.search(pattern, text)
    return match.group() if match else ""


def _fresh(options: Sequence[str], history: History) -> str:
    """Return the first wording not said lately; all said, the one said longest ago."""
    said = [item.text for item in history if item.role == "assistant"]
    last = {text: max((n for n, s in enumerate(said) if text in s), default=-1) for text in options}
    return min(options, key=lambda text: last[text])
