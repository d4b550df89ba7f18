"""The host: answers what people say, from facts, as a persona."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from agents.answer import Wording, to_clauses
from agents.brief import PLAIN, Brief
from agents.calling import plan
from agents.catalogue import Aspect, Catalogue, Fact, Persona
from agents.clause import LANGUAGES, Clause, Feeling, Language
from agents.errors import AgentValueError
from agents.feelings import suggested
from agents.grounding import check_catalogue
from agents.history import History
from agents.llm import LanguageModel
from agents.outcome import is_failure, speak_output
from agents.phrasing import BrokenOffError, NotPhrasedError, Phraser, Phrasing
from agents.ready import following, line_kind, said_before
from agents.regulation.regulation import Regulation
from agents.regulation.speech import lawful
from agents.request import Request
from agents.retrieve import Embedder, Hit, Retriever
from agents.shop.desk import ShopDesk, is_remedy, is_sure
from agents.shop.inquiry import Answer
from agents.shop.passages import FindPassages, quote
from agents.shop.product import Shop
from agents.smalltalk import BEFORE_GOODS, FIRST, WITH_GOODS, Intent, classify, is_whole
from agents.tokens import is_question, tokenize
from agents.tools import ToolCall

# Characters of a question that are read, its last ones; some 40 seconds of speech.
_LONGEST_QUESTION = 600
# Tokens of a question that may refer to what was said just before.
_LONGEST_FOLLOW_UP = 6
# Lines that send the speaker to the shop, after which it is said how to reach it.
_REFERRING = ("complaint", "order", "safety", "unwell")

# Lines no model takes the place of: they may be a matter of life, or refuse.
_ALWAYS_READY = (
    "emergency", "unwell", "sorrow", "safety", "refuse", "insult", "identity", "silence",
)  # fmt: skip
# By how much more of a question a fact must explain than a tool that is meant beyond doubt.
_LEAD = 0.2
# Outputs of tools told at once, the newest.
_MOST_OUTPUTS = 3

# With which emotion a model makes small talk whose words suggest none.
_CHATTING = Feeling("happy", 0.6)


class Host:
    """Answers as a persona, extract-first: what is known is said in the catalogue's own words.

    Viewers' words are data. They choose among facts and ready lines, and no instruction in them
    is followed. A language model, if there is one, makes small talk (and joins facts where its
    `phrasing` says so); every sentence of it passes the guard of `agents.grounding`. Tools are
    called by such a model if it knows them, else by rule, see `agents.calling`.

    Args:
        catalogue: what is known beside the shop's goods; None where that is all.
        model: streams text; None answers from facts and ready lines alone.
        embedder: see `agents.retrieve.Retriever`; called in a worker thread.
        shop: goods to answer about; what they are, cost and have is known from it alone.
        documents: finds passages that may answer what the shop does not; called in a worker
            thread.
        now: seconds since the epoch; by it offers end.

    Raises:
        AgentValueError: the catalogue makes a claim that it does not list.
    """

    def __init__(
        self,
        catalogue: Catalogue | None,
        persona: Persona,
        *,
        model: LanguageModel | None = None,
        phrasing: Phrasing | None = None,
        embedder: Embedder | None = None,
        shop: Shop | None = None,
        documents: FindPassages | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._desk = ShopDesk(shop, now, embedder) if shop is not None else None
        catalogue = _beside(catalogue, shop)
        check_catalogue(catalogue)
        self._catalogue = catalogue
        self._retriever = Retriever(catalogue, embedder) if catalogue.facts else None
        self._documents = documents
        self._regulation = Regulation.of(shop)
        self._wording = Wording(catalogue, persona, self._desk.names if self._desk else None)
        self._phraser = (
            Phraser(model, catalogue, persona, phrasing or Phrasing()) if model else None
        )

    def restock(self, shop: Shop) -> None:
        """Answer from a changed shop from the next reply on.

        Raises:
            AgentValueError: the host was made without a shop.
        """
        if self._desk is None:
            raise AgentValueError(
                "restock: this host has no shop; accepted is a host made with one"
            )
        self._desk.restock(shop)
        self._desk.prepare()
        self._regulation = Regulation.of(shop)

    def prepare(self) -> None:
        """Read the shop, which otherwise the first questions wait for. Blocks for a moment."""
        if self._desk is not None:
            self._desk.prepare()

    def read_ahead(self, product_id: str) -> None:
        """Read what is told of a product of the shop for its meaning, which otherwise the first
        question about it waits for. Blocks for a second or two.

        Raises:
            AgentValueError: there is no product of that id.
        """
        if self._desk is not None:
            self._desk.read_ahead(product_id)

    def answerable(self, question: str, language: Language, focus: str | None = None) -> bool:
        """Say whether the shop has an answer to a question; takes a millisecond or two.

        Args:
            focus: id of the product on air, as in `reply`.
        """
        if self._desk is None or classify(question, language) in BEFORE_GOODS:
            return False
        return any(a.knows for a in self._desk.answers(question, language, History(), focus))

    @property
    def follows_instructions(self) -> bool:
        """Whether the instructions of a brief have any effect: with a capable model alone."""
        return self._phraser is not None and self._phraser.joins_facts

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
        self,
        question: str,
        language: Language,
        history: History,
        brief: Brief = PLAIN,
        focus: str | None = None,
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Yield the clauses of the answer, joined they are its text, or calls of tools.

        Calls come last; the caller adds them to the history, then their outputs, and asks for a
        reply again. Where outputs are what the history ends with, they are what is answered.

        Args:
            question: what was recognised, with or without punctuation; may be empty.
            language: of the question, and of the answer.
            history: read for what was said before; the caller adds to it.
            brief: instructions and tools of the session.
            focus: id of the product on air, which "it" and "this one" mean; None for none.

        Closing the iterator stops the language model. A failing model is no failure here: the
        reply goes on in ready words.
        """
        request = Request(question.strip()[-_LONGEST_QUESTION:], language, history, brief, focus)
        outputs = [item.text for item in history.unanswered()]
        replies = self._tell(request, outputs) if outputs else self._respond(request)

        def instead() -> list[Clause]:
            return self._wording.line("check", language, history)

        async with aclosing(lawful(replies, self._regulation, instead)) as parts:
            async for part in parts:
                yield part

    async def _respond(self, request: Request) -> AsyncGenerator[Clause | ToolCall, None]:
        """Answer what a person says."""
        intent = classify(request.question, request.language)
        answers = await self._of_shop(request, intent)
        if answers and not self._plan(request, intent, ()):
            async with aclosing(self._sell(request, answers)) as sold:
                async for part in sold:
                    yield part
            return
        hits, aspects = await self._find(request, intent)
        planned = self._plan(request, intent, hits)
        phraser = self._phraser
        if planned and not (phraser and phraser.knows_tools and phraser.takes(request.language)):
            for part in planned:
                yield part
            return
        replies = (
            self._answer(request, aspects, planned)
            if aspects and intent != "safety"
            else self._talk(request, intent, aspects, planned)
        )
        async with aclosing(replies):
            async for part in replies:
                yield part

    def _plan(
        self, request: Request, intent: Intent | None, hits: Sequence[Hit]
    ) -> list[Clause | ToolCall]:
        """Return a call by rule, or what asks for what it lacks; nothing where a fact is meant."""
        if not request.brief.may_call or not request.question:
            return []
        found = plan(request, intent)
        if found is None:
            return []
        known = max((hit.share for hit in hits), default=-1.0)
        margin = _LEAD if found.sure else 0.0
        wins = request.brief.demands or found.follows or known < found.share + margin
        if not wins:
            return []
        return [found.call] if found.call else [*to_clauses(found.ask, request.language)]

    async def _of_shop(self, request: Request, intent: Intent | None) -> list[Answer]:
        """Return what the shop, or a document beside it, answers."""
        desk, question, language = self._desk, request.question, request.language
        if desk is None or not question or intent in BEFORE_GOODS:
            return []
        answers = desk.answers(question, language, request.history, request.focus)
        fitting = intent is None or intent in WITH_GOODS or is_remedy(question, answers)
        known = fitting and any(answer.knows for answer in answers)
        if known and (not desk.compares_meanings or is_sure(answers)):
            return answers
        if fitting and desk.compares_meanings and not intent:
            near = await asyncio.to_thread(
                desk.resembling, question, language, request.history, request.focus
            )
            if near:
                return near
        if known:
            return answers
        if self._documents is not None and (is_question(question, language) or not intent):
            passages = await asyncio.to_thread(self._documents, question, language)
            quoted = quote(question, passages)
            if quoted is not None:
                return [Answer((quoted.text,), quoted.language, (quoted.citation,))]
        return answers if fitting else []

    async def _sell(
        self, request: Request, answers: Sequence[Answer]
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Say what the shop answers, in the model's words if it is trusted with them."""
        assert self._desk is not None
        own_words = self._wording.answers(answers, request.history)
        phraser, language = self._phraser, request.language
        cited = tuple(dict.fromkeys(c for answer in answers for c in answer.citations))
        facts = self._desk.facts(cited)
        same = all(answer.language == language for answer in answers)
        if phraser is None or not (
            facts and same and phraser.joins_facts and phraser.takes(language)
        ):
            for clause in own_words:
                yield clause
            return
        told = [answer.texts[0] for answer in answers]
        words = self._word(request, facts, cited, None, own_words, own_words, told)
        async with aclosing(words):
            async for part in words:
                yield part

    async def _tell(
        self, request: Request, outputs: Sequence[str]
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Say what tools have answered, in the model's words if it is trusted with them."""
        language, history = request.language, request.history
        feeling = Feeling("caring") if any(map(is_failure, outputs)) else None
        newest = (speak_output(output, language) for output in outputs[-_MOST_OUTPUTS:])
        own_words = to_clauses(request.gap.join(newest), language, feeling)
        phraser = self._phraser
        if phraser is None or not (phraser.knows_tools and phraser.takes(language)):
            for clause in own_words:
                yield clause
            return
        said = [item.text for item in history if item.role == "user"]
        asked = replace(request.met(), question=said[-1] if said else request.question)
        _, aspects = await self._find(asked, classify(asked.question, language))
        facts, cited = self._facts(aspects)
        words = self._word(asked, facts, cited, feeling, own_words, own_words)
        async with aclosing(words):
            async for part in words:
                yield part

    async def _word(
        self,
        request: Request,
        facts: Sequence[Fact],
        cited: tuple[str, ...],
        usual: Feeling | None,
        instead: Sequence[Clause | ToolCall],
        after: Sequence[Clause],
        told: Sequence[str] = (),
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Let the model word a reply, from facts where there are any.

        `usual`: with which emotion. `instead`: what is said where the model words nothing;
        `after`: where it stops within a sentence. `told`: what the model is told of the facts;
        their whole texts where it is empty.
        """
        assert self._phraser is not None
        language = request.language
        try:
            async with aclosing(self._phraser.clauses(request, facts, told)) as words:
                async for part in words:
                    if isinstance(part, ToolCall):
                        yield part
                        continue
                    found = None if facts else suggested(part, language)
                    emotion, intensity = found or usual or (None, 1.0)
                    yield Clause(part, language, None, emotion, cited, intensity)
        except NotPhrasedError:
            for own in instead:
                yield own
        except BrokenOffError:
            for clause in following(request.gap, after):
                yield clause

    def _facts(self, aspects: Sequence[Aspect]) -> tuple[list[Fact], tuple[str, ...]]:
        """Return the facts some sides belong to, and their ids."""
        cited = tuple(dict.fromkeys(aspect.id.partition(".")[0] for aspect in aspects))
        return [self._catalogue.fact(fact_id) for fact_id in cited], cited

    async def _find(
        self, request: Request, intent: Intent | None
    ) -> tuple[list[Hit], list[Aspect]]:
        """Return the facts found and what the answer is made of; nothing where it is talk."""
        question, language, history = request.question, request.language, request.history
        if intent == "repeat":
            return [], self._last_told(history)
        if not question or intent in FIRST:
            return [], []
        if intent and intent != "safety" and is_whole(intent, question, language):
            return [], []
        told = self._last_told(history)
        if self._retriever is None:
            return [], []
        if self._retriever.uses_embedder:
            hits = await asyncio.to_thread(self._retriever.plan, question, language)
        else:
            hits = self._retriever.plan(question, language)
        aspects = [hit.aspect for hit in hits] or self._about_the_same(told, question, language)
        return hits, aspects

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
        assert self._retriever is not None
        last = told[-1]
        hits = self._retriever.search(f"{last.keywords[language][0]} {question}", language)
        # Its name alone finds the fact; only a narrower side shows that it was asked for.
        return [h.aspect for h in hits[:1] if h.fact.id == last.id and h.aspect is not last]

    async def _answer(
        self, request: Request, aspects: Sequence[Aspect], planned: Sequence[Clause | ToolCall]
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Say facts, in the model's words if it is trusted with them.

        `planned`: what is done with tools if the model brings nothing.
        """
        own_words = self._wording.facts(aspects, request.language, request.history)
        phraser = self._phraser
        if phraser is None or not (phraser.joins_facts and phraser.takes(request.language)):
            for clause in own_words:
                yield clause
            return
        facts, cited = self._facts(aspects)
        feeling = aspects[0].feeling
        words = self._word(request, facts, cited, feeling, planned or own_words, own_words)
        async with aclosing(words):
            async for part in words:
                yield part

    async def _talk(
        self,
        request: Request,
        intent: Intent | None,
        aspects: Sequence[Aspect],
        planned: Sequence[Clause | ToolCall],
    ) -> AsyncGenerator[Clause | ToolCall, None]:
        """Say what needs no fact: a ready line, or the model's small talk.

        `aspects`: what is known all the same, said after the line; `planned`: as `_answer`.
        """
        language, history = request.language, request.history
        kind = line_kind(intent, request.question, language)
        line = self._line(kind, language, history, aspects)
        if intent == "repeat":
            line = said_before(language, history) or line
        if not self._talks_freely(kind, request):
            for part in planned or line:
                yield part
            return
        check = self._wording.line("check", language, history)
        words = self._word(request, (), (), _CHATTING, planned or line, check)
        async with aclosing(words):
            async for part in words:
                yield part

    def _line(
        self, kind: str, language: Language, history: History, aspects: Sequence[Aspect]
    ) -> list[Clause]:
        """Return a ready line, and how to reach the shop where it sends the speaker there."""
        line = self._wording.line(kind, language, history)
        if kind not in _REFERRING:
            return line
        contact = self._catalogue.contact
        more = [*aspects, *((contact,) if contact and not aspects else ())]
        gap = " " if language == "en" else ""
        return line + (following(gap, self._wording.facts(more, language, history)) if more else [])

    def _talks_freely(self, kind: str, request: Request) -> bool:
        """Say whether the model talks instead of a ready line."""
        phraser = self._phraser
        # Before an audience of strangers, whose words it is given, a model says facts alone.
        if self._desk is not None or phraser is None or not phraser.takes(request.language):
            return False
        if not phraser.joins_facts:
            return kind == "chat"
        may_call = request.brief.may_call and phraser.knows_tools
        if request.brief.instructions or may_call:
            return kind not in _ALWAYS_READY
        return kind in ("chat", "statement")


def _beside(catalogue: Catalogue | None, shop: Shop | None) -> Catalogue:
    """Return what is known beside a shop's goods, which are answered from the shop itself."""
    if catalogue is None and shop is None:
        raise AgentValueError("a host needs a catalogue or a shop; both are None")
    if shop is None:
        assert catalogue is not None
        return catalogue
    name = {lang: shop.name.get(lang) or next(iter(shop.name.values())) for lang in LANGUAGES}
    goods = {product.id for product in shop}
    facts = catalogue.facts if catalogue else ()
    kept = tuple(f for f in facts if f.id not in goods and not f.id.startswith("policy:"))
    return Catalogue(name, kept, catalogue.contact if catalogue else None)
