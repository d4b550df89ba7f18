"""The course of a conversation: the person's side, the reply's side, and what a client asks for."""

from collections.abc import Callable
from typing import Final

from agents.errors import AgentValueError
from agents.history import ROOT, History, Item, Speaker
from agents.tools import ToolCall
from pipeline.clock import Clock
from pipeline.contract import WIRE_RATE
from pipeline.errors import ConfigurationError
from pipeline.events import (
    IdleTimeout,
    ItemAdded,
    ItemDeleted,
    ItemTruncated,
    SessionEvent,
    UserCommitted,
)
from pipeline.floor import Floor, new_id
from pipeline.listener import Listener
from pipeline.options import AS_EVER, ResponseWish, SessionOptions
from pipeline.performance import Performance
from pipeline.player import Player
from pipeline.replies import Replies
from pipeline.stages.hear import Clear, HearStage, Then
from pipeline.stages.move import MoveStage
from pipeline.stages.speak import SpeakStage
from pipeline.stages.think import ThinkStage
from pipeline.turns import Order, TurnState

# What is answered where nobody has said anything: the host asks whether somebody is there.
SILENCE: Final = "…"


class Conversation:
    """Runs on the event loop; nothing here waits, what takes time is a task it owns."""

    def __init__(
        self,
        options: SessionOptions,
        history: History,
        clock: Clock,
        hear: HearStage,
        think: ThinkStage,
        speak: SpeakStage,
        move: MoveStage,
        player: Player,
        tell: Callable[[SessionEvent], None],
    ) -> None:
        self._unsaid = 0  # the reply that asked whether somebody is there
        self._hear = hear
        self._player = player
        self.floor = Floor(options, history, clock, tell)
        self.replies = Replies(self.floor, hear, think, speak, move, player)
        self.listener = Listener(self.floor, hear, self.replies)
        self.performance = Performance(self.floor, self.replies, move)

    @property
    def state(self) -> TurnState:
        return self.floor.machine.state

    @property
    def history(self) -> History:
        return self.floor.history

    def submit_text(
        self, text: str, item_id: str | None, role: Speaker = "user", after: str | None = None
    ) -> str:
        """Add a typed message; see `pipeline.contract.Session`."""
        item = item_id or new_id("item")
        added = self._added(lambda history: history.add(item, role, text, after=after))
        previous = self._place(item, after)
        if role == "user":
            if after is None:
                self.floor.last_user = item
            self.floor.tell(UserCommitted(item, previous, text))
        else:
            self.floor.tell(ItemAdded(added, previous))
        return item

    def submit_call(
        self, call_id: str, call: ToolCall, item_id: str | None, after: str | None = None
    ) -> str:
        """Add a call that was made; see `pipeline.contract.Session`."""
        item = item_id or new_id("item")
        added = self._added(
            lambda history: history.add_call(item, call_id, call.name, call.arguments, after=after)
        )
        self.floor.tell(ItemAdded(added, self._place(item, after)))
        return item

    def submit_output(
        self, call_id: str, output: str, item_id: str | None, after: str | None = None
    ) -> str:
        """Add what a function gave back; see `pipeline.contract.Session`."""
        item = item_id or new_id("item")
        added = self._added(lambda history: history.add_output(item, call_id, output, after=after))
        self.floor.tell(ItemAdded(added, self._place(item, after)))
        return item

    def item(self, item_id: str) -> Item:
        """Return an item of the history."""
        return self._added(lambda history: history.get(item_id))

    def delete(self, item_id: str) -> None:
        """Take an item out of the history; see `pipeline.contract.Session`."""
        if self.item(item_id).status == "in_progress":
            raise ConfigurationError(f"item {item_id!r} is being spoken; cancel the response first")
        self.history.remove(item_id)
        self.floor.tell(ItemDeleted(item_id))

    def create_response(self, wish: ResponseWish = AS_EVER) -> None:
        """Answer the newest message, or greet where there is none. Where the client ends turns,
        what it has committed before is recognised first.
        """
        if self.floor.options.turn is None:
            self._hear.order(Then(lambda: self.listener.when_decided(lambda: self._respond(wish))))
        else:
            self._respond(wish)

    def say(self, wish: ResponseWish, *, interrupt: bool) -> None:
        """Speak a text word for word, now or after the reply in progress."""
        if interrupt:
            self._begin(wish)
        else:
            self.replies.afterwards(lambda: self._begin(wish))

    def unheard(self, position: int) -> None:
        """The client has gone and heard nothing from `position` on; what it said last is void."""
        self.replies.unheard(position)
        self._hear.order(Clear())

    def tick(self) -> None:
        """20 ms have passed: the programme goes on, or nobody has spoken for long after a reply."""
        self.performance.tick()
        turn, finished = self.floor.options.turn, self.replies.finished_at
        if turn is None or turn.idle_timeout_ms is None or finished is None:
            return
        reply = self.replies.reply
        if self.state is not TurnState.LISTENING or self.performance.performing:
            return
        if reply is None or reply.turn == self._unsaid:
            return
        if self.floor.clock.now() - finished >= turn.idle_timeout_ms / 1000:
            self._ask_whether_anybody_is_there(turn.idle_timeout_ms)

    def cancel(self) -> None:
        """Give the reply up because the client asks."""
        self.replies.obey(self.floor.machine.cancelled(), reason="client_cancelled")

    def truncate(self, item_id: str, audio_end_ms: int) -> None:
        """Cut the newest reply to what the client says was heard; one that sounds is over."""
        reply = self.replies.reply
        if reply is None or reply.item_id != item_id or item_id not in self.floor.history:
            raise ConfigurationError(
                f"item_id {item_id!r} is not the reply being spoken or spoken last"
            )
        sent = self.replies.sent_ms(reply)
        if not 0 <= audio_end_ms <= sent:
            raise ConfigurationError(f"audio_end_ms is {audio_end_ms}; accepted: 0 to {sent}")
        if self.floor.machine.answering:
            self.cancel()
        words = self.replies.words_within(reply, audio_end_ms)
        item = self.floor.history.truncate(item_id, heard="".join(words))
        self.floor.tell(ItemTruncated(item_id, audio_end_ms, item.text))

    async def close(self) -> None:
        """Stop all that is under way and wait for it."""
        self.replies.obey(self.floor.machine.closed(), reason="client_cancelled")
        self.performance.close()
        await self.listener.close()
        await self.replies.close()

    def _added(self, change: Callable[[History], Item]) -> Item:
        try:
            return change(self.floor.history)
        except AgentValueError as error:
            raise ConfigurationError(str(error)) from error

    def _place(self, item: str, after: str | None) -> str | None:
        """Return the item before a new one, which is the newest unless it follows `after`."""
        if after is None:
            return self.floor.follow(item)
        return None if after == ROOT else after

    def _respond(self, wish: ResponseWish) -> None:
        reply = self.replies.reply
        if reply is not None and reply.made and reply.calls:
            # What was said while the function was asked for is heard to its end.
            self.replies.afterwards(lambda: self._begin(wish))
        else:
            self._begin(wish)

    def _begin(self, wish: ResponseWish, unsaid: bool = False) -> None:
        """Begin a reply: to the newest message, of a given text, or (`unsaid`) to silence."""
        floor = self.floor
        text = wish.verbatim or (SILENCE if unsaid else self._newest())
        turn = floor.machine.reserve()
        floor.remember_wish(turn, wish)
        floor.times.begin(turn, floor.clock.now())
        self.listener.forget_prepared()
        orders = floor.machine.response_created(turn)
        asked = "" if wish.verbatim or unsaid else text
        self.replies.obey(orders, asked, "client_cancelled")
        if Order.BEGIN in orders:
            language = wish.language or floor.language_of("" if unsaid else text)
            self.replies.ask(turn, text, language, verbatim=bool(wish.verbatim))

    def _newest(self) -> str:
        """Return the newest message of the user, empty where there is none."""
        floor = self.floor
        if floor.last_user is None or floor.last_user not in floor.history:
            return ""
        return floor.history.get(floor.last_user).text

    def _ask_whether_anybody_is_there(self, waited_ms: int) -> None:
        now = round(self._player.position * 1000 / WIRE_RATE)
        self.floor.tell(IdleTimeout(new_id("item"), max(0, now - waited_ms), now))
        self._unsaid = self.floor.machine.reserved + 1
        self._begin(AS_EVER, unsaid=True)
