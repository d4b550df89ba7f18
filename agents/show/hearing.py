"""What viewers do becomes what waits: told once, merged, limited, in batches."""

import re
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from agents.clause import Language
from agents.show.asking import Key
from agents.show.exchanges import Exchanges
from agents.show.limits import Limits
from agents.show.merging import same_question
from agents.show.question import Heard
from agents.show.viewers import ViewerEvent
from agents.show.waiting import ASKING, Entry, EntryKind, Waiting
from agents.tokens import is_question

# Makes a name fit to be said; "" where nothing is left of it.
CleanName = Callable[[str], str]

_MOST_KNOWN: Final = 5_000  # ids of events, and viewers that were greeted, that are remembered
_GREETED_S: Final = 3600.0
_ANSWERED_S: Final = 5.0  # seconds after an answer in which the same question is part of it
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_HELLO: Final = re.compile(
    r"\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|大家好|主播好|你好|哈喽|嗨)"
    r"(?:\s+(?:all|everyone|everybody|there))?\W*", re.IGNORECASE
)  # fmt: skip
_SHORTEST_TALK: Final = {"en": 12, "zh": 5}  # characters of a remark that may be answered


class Ear:
    """Takes events in, and knows what it has heard before."""

    def __init__(
        self, waiting: Waiting, key: Key, clean_name: CleanName, limits: Limits,
        now: Callable[[], float], exchanges: Exchanges,
    ) -> None:  # fmt: skip
        self.key = key
        self.greets = True
        self.counted: dict[str, int] = {}
        self.limits = limits
        self.known: OrderedDict[str, None] = OrderedDict()
        self.greeted: OrderedDict[str, float] = OrderedDict()
        self.answered: deque[tuple[float, Entry]] = deque(maxlen=8)
        self.number = 0
        self._waiting = waiting
        self._clean_name = clean_name
        self._now = now
        self._exchanges = exchanges

    def hear(self, event: ViewerEvent, language: Language, focus: str | None) -> Heard:
        """Take an event in.

        Args:
            language: of the room.
            focus: id of the product on air.
        """
        if event.id in self.known:
            return Heard("known")
        self.known[event.id] = None
        while len(self.known) > _MOST_KNOWN:
            self.known.popitem(last=False)
        if event.kind in ("chat", "voice"):
            return self._said(event, language, focus)
        if event.kind in ("join", "follow") and self.greets:
            return self._courtesy(event, language)
        if event.kind == "order" or (event.kind == "gift" and self.greets):
            return self._courtesy(event, language)
        self._count(event.kind)
        return Heard("noted")

    def _said(self, event: ViewerEvent, language: Language, focus: str | None) -> Heard:
        text = event.text.strip()
        own: Language = event.language or ("zh" if _HAN.search(text) else "en")
        if event.kind == "chat" and _HELLO.fullmatch(text):
            return self._courtesy(event, language) if self.greets else Heard("ignored")
        if not re.search(r"\w", text):
            return self._ignored("empty")
        focus = self._exchanges.subject(event.viewer, text, self._now()) or focus
        asked = self.key(text, own, focus)
        kind: EntryKind = "voice" if event.kind == "voice" else "question"
        if kind == "question" and asked is None and not is_question(text, own):
            if len(text) < _SHORTEST_TALK[own]:
                return self._ignored("remark")
            kind = "talk"
        if wait := self._limited(event):
            self._count("limited")
            return Heard("limited", retry_after=wait)
        wanted = Entry(self._id(), kind, self._now(), own, text, asked)
        wanted.product = (asked.product if asked else None) or focus
        return self._merged(event, wanted) or self._queued(event, wanted)

    def _limited(self, event: ViewerEvent) -> float:
        return self.limits.wait(event.viewer, self._now()) if event.kind == "chat" else 0.0

    def _merged(self, event: ViewerEvent, wanted: Entry) -> Heard | None:
        """Join an event to what asks the same: waiting, being answered, or just answered."""
        now = self._now()
        rivals = [one for one in self._waiting if not one.is_full]
        recent = [one for at, one in self.answered if 0.0 <= now - at < _ANSWERED_S]
        same = same_question(wanted, [*rivals, *recent])
        if same is None:
            return None
        self._join(same, event)
        if wanted.kind == "voice" and same.state != "given" and same.id in self._waiting:
            same.kind = "voice"
        self._count("merged")
        return Heard("merged", same.id, same.events[0])

    def _courtesy(self, event: ViewerEvent, language: Language) -> Heard:
        now = self._now()
        kind: EntryKind = "order" if event.kind == "order" else "gift" if event.kind == "gift" \
            else "follow" if event.kind == "follow" else "join"  # fmt: skip
        if kind == "join":
            last = self.greeted.get(event.viewer)
            if last is not None and 0.0 <= now - last < _GREETED_S:
                return self._ignored("greeted")
            self._remember_viewer(event.viewer, now)
        batch = next((one for one in self._waiting if self._takes(one, kind, event)), None)
        if batch is not None:
            self._join(batch, event)
            batch.count += event.amount
            # In a batch of different things none is named.
            batch.product = batch.product if batch.product == event.product else None
            batch.gift = batch.gift if batch.gift == self._clean_name(event.gift) else ""
            return Heard("queued", batch.id)
        entry = Entry(self._id(), kind, now, language, product=event.product, state="ready")
        entry.gift, entry.count = self._clean_name(event.gift), event.amount
        return self._queued(event, entry)

    def _takes(self, entry: Entry, kind: EntryKind, event: ViewerEvent) -> bool:
        alike = entry.kind == kind and entry.state == "ready" and not entry.is_full
        if not alike or self._is_busy:
            return alike
        if kind == "order":
            return entry.product == event.product
        return kind != "gift" or entry.gift == self._clean_name(event.gift)

    @property
    def _is_busy(self) -> bool:
        """Whether somebody waits for an answer, so that thanks come all in one."""
        return any(one.kind in ASKING and one.state != "given" for one in self._waiting)

    def _queued(self, event: ViewerEvent, entry: Entry) -> Heard:
        self._join(entry, event)
        if not self._waiting.add(entry):
            self._count("overflow")
        return Heard("queued", entry.id)

    def _join(self, entry: Entry, event: ViewerEvent) -> None:
        if not entry.is_full:
            entry.events.append(event.id)
        if len(entry.names) < 1000:
            entry.names.setdefault(event.viewer, self._clean_name(event.name))

    def _remember_viewer(self, viewer: str, now: float) -> None:
        self.greeted[viewer] = now
        self.greeted.move_to_end(viewer)
        while len(self.greeted) > _MOST_KNOWN:
            self.greeted.popitem(last=False)

    def _id(self) -> str:
        self.number += 1
        return f"w{self.number:09d}"

    def next_id(self) -> str:
        """Return a new id for an entry."""
        return self._id()

    def _ignored(self, why: str) -> Heard:
        self._count(why)
        return Heard("ignored")

    def _count(self, what: str) -> None:
        self.counted[what] = self.counted.get(what, 0) + 1
