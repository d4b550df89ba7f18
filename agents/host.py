"""The host: answers what people say, from facts, as a persona."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from agents.answer import Wording, to_clauses
from agents.brief import PLAIN, Brief
from agents.catalogue import Aspect, Catalogue, Persona
from agents.clause import Clause, Feeling, Language
from agents.feelings import suggested
from agents.grounding import check_catalogue
from agents.history import MARK, History
from agents.llm import LanguageModel
from agents.phrasing import BrokenOffError, NotPhrasedError, Phraser, Phrasing
from agents.retrieve import Embedder, Retriever
from agents.smalltalk import FIRST, Intent, classify, is_whole
from agents.tokens import is_question, is_short, tokenize
from agents.tools import ToolCall

# Characters of a question that are read, its last ones; some 40 seconds of speech.
_LONGEST_QUESTION = 600
# Tokens of a question that may refer to what was said just before.
_LONGEST_FOLLOW_UP = 6
# Lines that send the speaker to the shop, after which it is said how to reach it.
_REFERRING = ("complaint", "order", "safety", "unwell")

# With which emotion a model makes small talk whose words suggest none.
_CHATTING = Feeling("happy", 0.6)


class Host:
    """Answers as a persona, extract-first: what is known is said in the catalogue's own words.

    Viewers' words are data. They choose among facts and ready lines, and no instruction in them
    is followed. A language model, if there is one, makes small talk (and joins facts where its
    `phrasing` says so); every sentence of it passes the guard of `agents.grounding`.

    Args:
        model: streams text; None answers from facts and ready lines alone.
        embedder: see `agents.retrieve.Retriever`; called in a worker thread.

    Raises:
        AgentValueError: the catalogue makes a claim that it does not list.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        persona: Persona,
        *,
        model: LanguageModel | None = None,
        phrasing: Phrasing | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        check_catalogue(catalogue)
        self._catalogue = catalogue
        self._retriever = Retriever(catalogue, embedder)
        self._wording = Wording(catalogue, persona)
        self._phraser = (
            Phraser(model, catalogue, persona, phrasing or Phrasing()) if model else None
        )

    async def warm(self) -> None:
        """Prepare the language model so that its first reply is as quick as later ones."""
        if self._phraser:
            await self._phraser.warm()

    def openings(self, language: Language) -> list[str]:
        """Return the first clauses its own words may begin with: what a voice may rehearse."""
        return self._wording.openings(language)

    def greeting(self, language: Language) -> list[Clause]:
        """Return the clauses a conversation opens with."""
        return self._wording.line("greeting", language)

    async def reply(
        self, question: str, language: Language, history: History, brief: Brief = PLAIN
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Yield the clauses of the answer; joined they are its text.

        Args:
            question: what was recognised, with or without punctuation; may be empty.
            language: of the question, and of the answer.
            history: read for what was said before; the caller adds to it.

        Closing the iterator stops the language model. A failing model is no failure here: the
        reply goes on in ready words.
        """
        del brief
        question = question.strip()[-_LONGEST_QUESTION:]
        intent = classify(question, language)
        aspects = await self._find(question, language, intent, history)
        replies = (
            self._answer(aspects, question, language, history)
            if aspects and intent != "safety"
            else self._talk(intent, question, language, history, aspects)
        )
        async with aclosing(replies):
            async for clause in replies:
                yield clause

    async def _find(
        self, question: str, language: Language, intent: Intent | None, history: History
    ) -> list[Aspect]:
        """Return what the answer is made of; nothing where it is talk."""
        if intent == "repeat":
            return self._last_told(history)
        if not question or intent in FIRST:
            return []
        if intent and intent != "safety" and is_whole(intent, question, language):
            return []
        told = self._last_told(history)
        if self._retriever.uses_embedder:
            hits = await asyncio.to_thread(self._retriever.plan, question, language)
        else:
            hits = self._retriever.plan(question, language)
        return [hit.aspect for hit in hits] or self._about_the_same(told, question, language)

    def _last_told(self, history: History) -> list[Aspect]:
        # The reply being made, and one that was cut before a word was heard, told nothing.
        told = [item for item in history if item.role == "assistant" and item.text.strip()]
        known = {fact.id: fact.whole for fact in self._catalogue}
        return [known[c] for c in told[-1].citations if c in known] if told else []

    def _about_the_same(
        self, told: Sequence[Aspect], question: str, language: Language
    ) -> list[Aspect]:
        """Return a side of the fact told last that a short question asks for: "is it free?"."""
        if not told or len(tokenize(question, language)) > _LONGEST_FOLLOW_UP:
            return []
        last = told[-1]
        hits = self._retriever.search(f"{last.keywords[language][0]} {question}", language)
        # Its name alone finds the fact; only a narrower side shows that it was asked for.
        return [h.aspect for h in hits[:1] if h.fact.id == last.id and h.aspect is not last]

    async def _answer(
        self, aspects: Sequence[Aspect], question: str, language: Language, history: History
    ) -> AsyncGenerator[Clause, None]:
        """Say facts, in the model's words if it is trusted with them."""
        own_words = self._wording.facts(aspects, language, history)
        phraser = self._phraser
        if phraser is None or not (phraser.joins_facts and phraser.takes(language)):
            for clause in own_words:
                yield clause
            return
        cited = tuple(dict.fromkeys(aspect.id.partition(".")[0] for aspect in aspects))
        facts = [self._catalogue.fact(fact_id) for fact_id in cited]
        gap = " " if language == "en" else ""
        emotion, intensity = aspects[0].feeling or (None, 1.0)
        try:
            async with aclosing(phraser.clauses(question, language, history, facts)) as words:
                async for text in words:
                    yield Clause(text, language, None, emotion, cited, intensity)
        except NotPhrasedError:
            for clause in own_words:
                yield clause
        except BrokenOffError:
            for clause in _after(gap, own_words):
                yield clause

    async def _talk(
        self,
        intent: Intent | None,
        question: str,
        language: Language,
        history: History,
        aspects: Sequence[Aspect],
    ) -> AsyncGenerator[Clause, None]:
        """Say what needs no fact: a ready line, or the model's small talk.

        `aspects`: what is known all the same, said after the line.
        """
        kind = _line_kind(intent, question, language)
        line = self._wording.line(kind, language, history)
        if kind in _REFERRING:
            contact = self._catalogue.contact
            more = [*aspects, *((contact,) if contact and not aspects else ())]
            gap = " " if language == "en" else ""
            if more:
                line += _after(gap, self._wording.facts(more, language, history))
        if intent == "repeat":
            line = _said_before(language, history) or line
        phraser = self._phraser
        open_talk = ("chat",) if phraser and not phraser.joins_facts else ("chat", "statement")
        if phraser is None or not phraser.takes(language) or kind not in open_talk:
            for clause in line:
                yield clause
            return
        try:
            async with aclosing(phraser.clauses(question, language, history, ())) as words:
                async for text in words:
                    emotion, intensity = suggested(text, language) or _CHATTING
                    yield Clause(text, language, None, emotion, (), intensity)
        except NotPhrasedError:
            for clause in line:
                yield clause
        except BrokenOffError:
            check = self._wording.line("check", language, history)
            for clause in _after(" " if language == "en" else "", check):
                yield clause


def _line_kind(intent: Intent | None, question: str, language: Language) -> str:
    """Return the kind of line that answers what no fact does."""
    if not re.search(r"\w", question):
        return "silence"
    if intent is None:
        if is_question(question, language):
            return "unknown"
        return "agree" if is_short(question, language) else "statement"
    others = {"injection": "refuse", "repeat": "silence", "declined": "agree"}
    return others.get(intent, intent)


def _said_before(language: Language, history: History) -> list[Clause]:
    """Return the host's last words again, without the mark of an interruption."""
    said = [item.text for item in history if item.role == "assistant" and item.text.strip()]
    if not said:
        return []
    text = said[-1].strip()
    for mark in MARK.values():
        text = text.removesuffix(mark)
    return to_clauses(text, language)


def _after(gap: str, clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses that follow others, parted from them by a space where one is needed."""
    first, *rest = clauses
    text = first.text if first.text.startswith(" ") else gap + first.text
    return [replace(first, text=text), *rest]
