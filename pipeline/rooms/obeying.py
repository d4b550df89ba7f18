"""What a room does when an operator tells it to."""

from collections.abc import Callable
from typing import assert_never

from agents.errors import AgentValueError
from agents.shop.pricing import offer_in_force
from pipeline.rooms import commands
from pipeline.rooms.commands import Command
from pipeline.rooms.errors import CommandRefusedError, RecordNotFoundError
from pipeline.rooms.room import Room
from pipeline.rooms.show import Show
from pipeline.rooms.state import ChatView


async def obey(room: Room, command: Command) -> None:
    """Carry out a command; errors as of `pipeline.rooms.service.Rooms.command`."""
    match command:
        case commands.Start(afresh=afresh):
            await room.start(afresh=afresh)
        case commands.Stop(now=now):
            await room.stop(now=now)
        case commands.Acknowledge(alert=alert):
            if not room.alarms.acknowledge(alert):
                raise RecordNotFoundError("alert", alert)
        case commands.SetAutopilot(autopilot=autopilot):
            await room.set_autopilot(autopilot)
        case _:
            _on_air(room, _show_of(room), command)
            room.refresh()
            room.save()


def _show_of(room: Room) -> Show:
    if room.show is None:
        status = room.board.get("status")
        raise CommandRefusedError(f"the room is {status}; accepted while it is on air, so: start")
    return room.show


def _on_air(room: Room, show: Show, command: Command) -> None:
    match command:
        case commands.Skip():
            show.skip()
        case commands.Jump(item=item):
            _known(show.jump, "item", item)
        case commands.Hold():
            show.hold(True)
        case commands.GoOn():
            show.hold(False)
        case commands.Pin(product=product):
            _product(room, product)
            room.pin(product)
        case commands.Unpin():
            room.pin(None)
        case commands.Mute() | commands.Unmute():
            room.mute(command.type == "mute")
        case commands.Cut() | commands.Uncut():
            room.cut(command.type == "cut")
        case commands.Say(text=text, language=language, now=now):
            show.say(text, language, now=now)
        case commands.TakeOver(on=on):
            show.performer.speak_through(on)
        case commands.MakeOffer(product=product):
            _offer(room, show, product)
        case commands.Answer(event=event, text=text):
            _answer(room, show, event, text)
        case commands.Dismiss(event=event):
            _waiting(room, event)
            show.director.dismiss(event)
            room.chatter.dismissed(event)
        case commands.Pace(pace=pace):
            show.change_pace(pace)
        case commands.Start() | commands.Stop() | commands.Acknowledge() | commands.SetAutopilot():
            raise AssertionError(command.type)  # are carried out above
        case _:
            assert_never(command)


def _known(act: Callable[[str], None], kind: str, record: str) -> None:
    try:
        act(record)
    except AgentValueError as error:
        raise RecordNotFoundError(kind, record) from error


def _product(room: Room, product_id: str) -> None:
    if all(each.id != product_id for each in room.shelf.shop):
        raise RecordNotFoundError("product", product_id)


def _offer(room: Room, show: Show, product_id: str) -> None:
    _product(room, product_id)
    product = room.shelf.shop.product(product_id)
    if offer_in_force(product, room.clock.wall()) is None:
        raise CommandRefusedError(
            f"the product {product_id!r} has no offer that holds now; accepted: one that has"
        )
    show.offer(product_id)
    room.watch.offered(product_id)
    show.pilot.brain.announced()


def _answer(room: Room, show: Show, event: str, text: str | None) -> None:
    view = _waiting(room, event)
    if text is None:
        if not show.director.prefer(event):
            raise CommandRefusedError(
                f"the question {event[:60]!r} does not wait any more; accepted: answer with a text"
            )
        show.nudge()
        return
    show.director.dismiss(event)
    show.say(text, None, now=False)
    room.chatter.answered(view.id, text)


def _waiting(room: Room, event: str) -> ChatView:
    view: ChatView | None = room.board.entry("chat", event)
    if view is None:
        raise RecordNotFoundError("event", event)
    return view
