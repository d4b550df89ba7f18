"""What an operator may tell a room to do."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from agents.clause import Language
from pipeline.rooms.state import Autopilot, Id


class _Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Start(_Command):
    """Go on air, where the room was when it was last; `afresh` begins the rundown again."""

    type: Literal["start"] = "start"
    afresh: bool = False


class Stop(_Command):
    """Go off air, at the end of the sentence unless `now`."""

    type: Literal["stop"] = "stop"
    now: bool = False


class Skip(_Command):
    """Leave the current item for the next one, at the end of the sentence."""

    type: Literal["skip"] = "skip"


class Jump(_Command):
    """Go to an item, at the end of the sentence."""

    type: Literal["jump"] = "jump"
    item: Id


class Hold(_Command):
    """Stay with the current item: its script is not gone through, questions are answered."""

    type: Literal["hold"] = "hold"


class GoOn(_Command):
    """End a hold."""

    type: Literal["go_on"] = "go_on"


class Pin(_Command):
    """Keep a product shown, whatever is spoken of."""

    type: Literal["pin"] = "pin"
    product: Id


class Unpin(_Command):
    """Show again what is spoken of."""

    type: Literal["unpin"] = "unpin"


class Mute(_Command):
    """Send silence; the room goes on."""

    type: Literal["mute"] = "mute"


class Unmute(_Command):
    """Send sound again."""

    type: Literal["unmute"] = "unmute"


class Cut(_Command):
    """Emergency: fall silent at once and show the holding card."""

    type: Literal["cut"] = "cut"


class Uncut(_Command):
    """Show the host again; it goes on with the sentence that was cut."""

    type: Literal["uncut"] = "uncut"


class Say(_Command):
    """Have the host say this, word for word: after the running sentence, or at once."""

    type: Literal["say"] = "say"
    text: str = Field(min_length=1, max_length=2000)
    language: Language | None = None
    now: bool = False


class TakeOver(_Command):
    """Let an operator speak through the host: sound published to the room goes on air with the
    host's lips, until `on` is false.
    """

    type: Literal["take_over"] = "take_over"
    on: bool


class SetAutopilot(_Command):
    """Choose who decides beside the rundown; "off" is the kill switch, and works at once."""

    type: Literal["autopilot"] = "autopilot"
    autopilot: Autopilot


class MakeOffer(_Command):
    """Announce a product's offer next."""

    type: Literal["offer"] = "offer"
    product: Id


class Answer(_Command):
    """Answer a viewer's question next, in these words or in the host's own."""

    type: Literal["answer"] = "answer"
    event: str = Field(min_length=1, max_length=120)
    text: str | None = Field(default=None, min_length=1, max_length=2000)


class Dismiss(_Command):
    """Leave a viewer's question without an answer."""

    type: Literal["dismiss"] = "dismiss"
    event: str = Field(min_length=1, max_length=120)


class Pace(_Command):
    """Speak slower, as usual or faster."""

    type: Literal["pace"] = "pace"
    pace: Literal["calm", "usual", "quick"]


class Acknowledge(_Command):
    """Take an alert off the board."""

    type: Literal["acknowledge"] = "acknowledge"
    alert: str = Field(min_length=1, max_length=120)


Command = (
    Start | Stop | Skip | Jump | Hold | GoOn | Pin | Unpin | Mute | Unmute | Cut | Uncut | Say
    | TakeOver | SetAutopilot | MakeOffer | Answer | Dismiss | Pace | Acknowledge
)  # fmt: skip
COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="type")])
COMMAND_TYPES: Final[Mapping[str, type[Command]]] = {
    model.model_fields["type"].default: model for model in get_args(Command)
}
