"""Events of viewers as JSON, in our own words: what every adapter makes, and what logs hold."""

from collections.abc import Mapping
from typing import Any, Final
from unicodedata import category

from pydantic import BaseModel, ConfigDict, Field, field_validator

from agents.clause import Language
from agents.show.viewers import ViewerEvent, ViewerKind
from transport.errors import EventError, PayloadError
from transport.protocol.schema import read_document
from transport.strict_json import shown

MOST: Final = 100  # events brought at a time
MOST_TEXT: Final = 2000
MOST_NAME: Final = 120
_BREAKS: Final = "\t\n\r\x0b\x0c\x85\u2028\u2029"
_JOINERS: Final = "\u200c\u200d"  # of emoji, and of letters in some scripts
_TEXTUAL: Final = ("chat", "voice")


def plain(text: str) -> str:
    """Return a text without what is not seen: control characters, and what turns its direction.

    Lines become one, with a space between them. What joins emoji stays.
    """
    seen = (" " if c in _BREAKS else c for c in text if c in _BREAKS or not _is_unseen(c))
    return "".join(seen).strip()


def _is_unseen(character: str) -> bool:
    return category(character) in ("Cc", "Cf") and character not in _JOINERS


class IncomingEvent(BaseModel):
    """One thing a viewer did.

    `id` is unique in the room: the same id again is the same event. `amount` is how many were
    ordered or liked, or what a gift is worth in the platform's own unit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=120)
    kind: ViewerKind
    viewer: str = Field(default="", max_length=120, description="opaque id of who did it")
    name: str = Field(default="", max_length=MOST_NAME, description="as viewers call themselves")
    text: str = Field(default="", max_length=MOST_TEXT, description="of `chat` and `voice`")
    language: Language | None = Field(default=None, description="of the text; else by its script")
    product: str | None = Field(default=None, max_length=40, description="of `click` and `order`")
    amount: float = Field(
        default=1.0,
        ge=0,
        le=1e9,
        allow_inf_nan=False,
        description="of `order` and `like`, how many; of `gift`, its worth in the platform's own "
        "unit (coins, bits, cents), which nobody converts",
    )
    gift: str = Field(default="", max_length=120, description="the gift's name")
    platform: str = Field(default="", max_length=40)

    @field_validator("id", "viewer", "product")
    @classmethod
    def _seen(cls, value: str | None) -> str | None:
        if value is not None and value != plain(value):
            raise ValueError("no control characters, nor spaces around it")
        return value

    @field_validator("name", "text", "gift", "platform")
    @classmethod
    def _plain(cls, value: str) -> str:
        return plain(value)

    def event(self) -> ViewerEvent:
        """Return it as rooms take it; when it came is theirs to say."""
        return ViewerEvent(**self.model_dump())


def read_event(value: object, place: str = "") -> ViewerEvent:
    """Return an event of our own form.

    Raises:
        EventError: a field is not accepted; `param` names it.
        PayloadError: it is no object, or says nothing.
    """
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise PayloadError(f"{place or 'the event'} is a JSON {kind}; accepted: an object")
    event = read_document(IncomingEvent, value).event()
    if event.kind in _TEXTUAL and not event.text.strip():
        raise PayloadError(f"text is {shown(event.text)}; accepted: what the viewer said")
    if event.kind == "order" and not event.amount.is_integer():
        message = f"amount is {event.amount:g}; accepted: how many were ordered, a whole number"
        raise EventError("invalid_value", message, "amount")
    return event


def written(event: ViewerEvent) -> dict[str, Any]:
    """Return an event as `read_event` takes it, without what it does not say."""
    told = IncomingEvent.model_construct(
        **{name: getattr(event, name) for name in IncomingEvent.model_fields}
    )
    return {"id": event.id, "kind": event.kind, **told.model_dump(exclude_defaults=True)}
