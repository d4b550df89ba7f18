"""The course of a conversation: the person's side, the reply's side, and what a client asks for."""

from collections.abc import Callable

from agents.errors import AgentValueError
from agents.history import History
from pipeline.clock import Clock
from pipeline.errors import ConfigurationError
from pipeline.events import ItemTruncated, SessionEvent, UserCommitted
from pipeline.floor import Floor, new_id
from pipeline.listener import Listener
from pipeline.options import SessionOptions
from pipeline.player import Player
from pipeline.replies import Replies
from pipeline.stages.hear import HearStage, Then
from pipeline.stages.move import MoveStage
from pipeline.stages.speak import SpeakStage
from pipeline.stages.think import ThinkStage
from pipeline.turns import Order, TurnState


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
        self._hear = hear
        self.floor = Floor(options, history, clock, tell)
        self.replies = Replies(self.floor, hear, think, speak, move, player)
        self.listener = Listener(self.floor, hear, self.replies)

    @property
    def state(self) -> TurnState:
        return self.floor.machine.state

    @property
    def history(self) -> History:
        return self.floor.history

    def submit_text(self, text: str, item_id: str | None) -> str:
        """Add a typed message; see `pipeline.contract.Session`."""
        item = item_id or new_id("item")
        try:
            self.floor.history.add(item, "user", text)
        except AgentValueError as error:
            raise ConfigurationError(str(error)) from error
        self.floor.last_user = item
        self.floor.tell(UserCommitted(item, self.floor.follow(item), text))
        return item

    def create_response(self) -> None:
        """Answer the newest message, or greet where there is none. Where the client ends turns,
        what it has committed before is recognised first.
        """
        if self.floor.options.turn is None:
            self._hear.order(Then(lambda: self.listener.when_decided(self._respond)))
        else:
            self._respond()

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
        await self.listener.close()
        await self.replies.close()

    def _respond(self) -> None:
        floor, text = self.floor, ""
        if floor.last_user is not None and floor.last_user in floor.history:
            text = floor.history.get(floor.last_user).text
        turn = floor.machine.reserve()
        floor.times.begin(turn, floor.clock.now())
        self.listener.forget_prepared()
        orders = floor.machine.response_created(turn)
        self.replies.obey(orders, text, "client_cancelled")
        if Order.BEGIN in orders:
            self.replies.ask(turn, text, floor.language_of(text))
