"""Who has the floor: the turn state machine of one session. Pure: events in, orders out.

The person and the reply are two small states beside each other, since hearing never stops while
speaking; the four states of the conversation are read off them.

    listening   nobody speaks, nothing is being answered
    hearing     the person speaks (a reply in progress is held silent meanwhile)
    thinking    a turn of the person has ended, its reply has made no sound yet
    speaking    the reply sounds
"""

from dataclasses import dataclass
from enum import Enum


class TurnState(Enum):
    LISTENING = "listening"
    HEARING = "hearing"
    THINKING = "thinking"
    SPEAKING = "speaking"
    CLOSED = "closed"


class Order(Enum):
    """What the session has to do, in this order. Each is about the machine's current `turn`."""

    HOLD = "hold"  # silence the reply at once, keep the rest of it
    RELEASE = "release"  # go on from the word where it was held
    CANCEL = "cancel"  # give the reply up for good, truncate the history
    BEGIN = "begin"  # let the reply that was prepared be heard
    LISTEN = "listen"  # take the listening posture
    THINK = "think"  # take the thinking posture
    CLOSE = "close"  # free everything


@dataclass(slots=True)
class TurnMachine:
    """The state of one session's conversation.

    `turn` is the number of the newest reply that began. Numbers come from `reserve`, since a reply
    is prepared before it is known whether it will be wanted; they only grow. `interruptible`
    False lets a reply be talked over.
    Every method returns the orders to carry out; events that make no sense in a state are legal
    and change nothing, since audio, timers and clients know nothing of each other.
    """

    turn: int = 0
    reserved: int = 0
    interruptible: bool = True
    _hearing: bool = False
    _answering: bool = False
    _sounding: bool = False
    _held: bool = False
    _closed: bool = False

    @property
    def state(self) -> TurnState:
        if self._closed:
            return TurnState.CLOSED
        if self._hearing:
            return TurnState.HEARING
        if self._answering:
            return TurnState.SPEAKING if self._sounding else TurnState.THINKING
        return TurnState.LISTENING

    @property
    def answering(self) -> bool:
        """Whether a reply has begun and has neither finished nor been cancelled."""
        return self._answering

    @property
    def hearing(self) -> bool:
        """Whether the person speaks."""
        return self._hearing

    @property
    def held(self) -> bool:
        return self._held

    def reserve(self) -> int:
        """Return a new turn number."""
        self.reserved += 1
        return self.reserved

    def speech_started(self) -> list[Order]:
        """0.1 s of speech: perhaps an interruption, so a reply is silenced until that is known."""
        if self._closed or self._hearing:
            return []
        self._hearing = True
        if self._answering and self.interruptible and not self._held:
            self._held = True
            return [Order.HOLD]
        return [] if self._answering else [Order.LISTEN]

    def speech_confirmed(self) -> list[Order]:
        """The speech is a turn of the person's own: the reply is over."""
        if self._closed or not self._hearing or not self._held:
            return []
        return self._give_up()

    def speech_discarded(self) -> list[Order]:
        """The speech was none, or meant nothing ("mm"): a held reply goes on."""
        if self._closed or not self._hearing:
            return []
        self._hearing = False
        return self._resume()

    def turn_ended(self, turn: int | None) -> list[Order]:
        """The person's turn ended with words; begin reply `turn`, unless None."""
        if self._closed or not self._hearing:
            return []
        self._hearing = False
        orders = self._give_up() if self._held else []
        if self._answering or turn is None:
            return orders
        return orders + self._begin(turn)

    def response_created(self, turn: int) -> list[Order]:
        """A client asks for reply `turn`; one in progress is given up first."""
        if self._closed:
            return []
        return (self._give_up() if self._answering else []) + self._begin(turn)

    def sound_started(self, turn: int) -> list[Order]:
        """The first sample of the reply was sent."""
        if not self._closed and self._answering and turn == self.turn:
            self._sounding = True
        return []

    def reply_finished(self, turn: int) -> list[Order]:
        """The last sample of the reply was sent, or it had none."""
        if self._closed or not self._answering or turn != self.turn:
            return []
        self._answering = self._sounding = self._held = False
        return [Order.LISTEN]

    def cancelled(self) -> list[Order]:
        """A client cancels the reply."""
        if self._closed or not self._answering:
            return []
        return self._give_up()

    def closed(self) -> list[Order]:
        """The peer is gone."""
        if self._closed:
            return []
        orders = self._give_up() if self._answering else []
        self._closed = True
        self._hearing = False
        return [*orders, Order.CLOSE]

    def _begin(self, turn: int) -> list[Order]:
        self.turn = turn
        self._answering = True
        if self._hearing and self.interruptible:
            self._held = True
            return [Order.BEGIN, Order.THINK, Order.HOLD]
        return [Order.BEGIN, Order.THINK]

    def _give_up(self) -> list[Order]:
        self._answering = self._sounding = self._held = False
        return [Order.CANCEL, Order.LISTEN]

    def _resume(self) -> list[Order]:
        if self._held:
            self._held = False
            return [Order.RELEASE]
        return [] if self._answering else [Order.LISTEN]
