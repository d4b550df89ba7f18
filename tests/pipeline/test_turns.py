"""The turn machine: examples, and any order of events at all."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pipeline.turns import Order, TurnMachine, TurnState


def test_one_turn_from_question_to_silence() -> None:
    machine = TurnMachine()
    states = [machine.state]
    assert machine.speech_started() == [Order.LISTEN]
    states.append(machine.state)
    assert machine.turn_ended(machine.reserve()) == [Order.BEGIN, Order.THINK]
    states.append(machine.state)
    machine.sound_started(1)
    states.append(machine.state)
    assert machine.reply_finished(1) == [Order.LISTEN]
    states.append(machine.state)
    assert [state.value for state in states] == [
        "listening",
        "hearing",
        "thinking",
        "speaking",
        "listening",
    ]


def test_an_interruption_holds_then_cancels() -> None:
    machine = TurnMachine()
    machine.response_created(machine.reserve())
    machine.sound_started(1)
    assert machine.speech_started() == [Order.HOLD]
    assert machine.speech_confirmed() == [Order.CANCEL, Order.LISTEN]
    assert machine.turn_ended(machine.reserve()) == [Order.BEGIN, Order.THINK]


def test_a_false_interruption_releases() -> None:
    machine = TurnMachine()
    machine.response_created(machine.reserve())
    assert machine.speech_started() == [Order.HOLD]
    assert machine.speech_discarded() == [Order.RELEASE]
    assert machine.answering


def test_a_reply_that_may_not_be_interrupted_is_talked_over() -> None:
    machine = TurnMachine(interruptible=False)
    machine.response_created(machine.reserve())
    assert machine.speech_started() == []
    assert machine.turn_ended(machine.reserve()) == []
    assert machine.turn == 1


def test_late_news_of_an_old_turn_change_nothing() -> None:
    machine = TurnMachine()
    machine.response_created(machine.reserve())
    machine.response_created(machine.reserve())
    assert machine.reply_finished(1) == []
    assert machine.answering
    assert machine.turn == 2


def test_closing_cancels_once() -> None:
    machine = TurnMachine()
    machine.response_created(machine.reserve())
    assert machine.closed() == [Order.CANCEL, Order.LISTEN, Order.CLOSE]
    assert machine.closed() == []
    assert machine.speech_started() == []
    assert machine.state is TurnState.CLOSED


class AnyOrder(RuleBasedStateMachine):
    """Every order of events leaves the machine in a legal state and its orders in balance."""

    def __init__(self) -> None:
        super().__init__()
        self.machine = TurnMachine()
        self.open_reply: int | None = None
        self.silenced = False
        self.closed = False

    def obey(self, orders: list[Order]) -> None:
        for order in orders:
            if order is Order.BEGIN:
                assert self.open_reply is None, "a reply begins while another is open"
                self.open_reply = self.machine.turn
            elif order is Order.HOLD:
                assert self.open_reply is not None
                assert not self.silenced
                self.silenced = True
            elif order is Order.RELEASE:
                assert self.silenced
                self.silenced = False
            elif order is Order.CANCEL:
                assert self.open_reply is not None, "what is cancelled must have begun"
                self.open_reply, self.silenced = None, False
            elif order is Order.CLOSE:
                assert self.open_reply is None
                self.closed = True

    @rule(interruptible=st.booleans())
    def configure(self, interruptible: bool) -> None:
        self.machine.interruptible = interruptible

    @rule()
    def speech(self) -> None:
        self.obey(self.machine.speech_started())

    @rule()
    def confirmed(self) -> None:
        self.obey(self.machine.speech_confirmed())

    @rule()
    def discarded(self) -> None:
        self.obey(self.machine.speech_discarded())

    @rule(answer=st.booleans())
    def ended(self, answer: bool) -> None:
        self.obey(self.machine.turn_ended(self.machine.reserve() if answer else None))

    @rule()
    def created(self) -> None:
        self.obey(self.machine.response_created(self.machine.reserve()))

    @rule(age=st.integers(0, 2))
    def sounded(self, age: int) -> None:
        self.obey(self.machine.sound_started(self.machine.turn - age))

    @rule(age=st.integers(0, 2))
    def finished(self, age: int) -> None:
        orders = self.machine.reply_finished(self.machine.turn - age)
        if orders:
            self.open_reply, self.silenced = None, False
        self.obey(orders)

    @rule()
    def cancelled(self) -> None:
        self.obey(self.machine.cancelled())

    @rule()
    def disconnected(self) -> None:
        self.obey(self.machine.closed())

    @invariant()
    def agrees_with_its_orders(self) -> None:
        machine = self.machine
        assert machine.answering == (self.open_reply is not None)
        assert machine.held == self.silenced
        assert (machine.state is TurnState.CLOSED) == self.closed
        assert 0 <= machine.turn <= machine.reserved
        if machine.state is TurnState.SPEAKING:
            assert machine.answering
            assert not machine.hearing


TestAnyOrder = AnyOrder.TestCase
