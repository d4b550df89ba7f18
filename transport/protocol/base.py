"""What all shapes of the protocol share. Needs pydantic alone, so the client SDK stays light."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

# Major changes break clients, minor ones add. Told in `session.avatar.protocol`.
PROTOCOL_VERSION: Final = "1.0"

MAX_TEXT: Final = 4_000
MAX_INSTRUCTIONS: Final = 8_000
MAX_OUTPUT: Final = 16_000
MAX_AUDIO_MS: Final = 86_400_000
# Base64 of one `input_audio_buffer.append`: 20 s at 24 kHz and 16 bits.
MAX_AUDIO_BASE64: Final = 1_280_000

ID: Final = r"^[A-Za-z0-9_-]{1,64}$"
NAME: Final = r"^[a-z0-9][a-z0-9_-]{0,39}$"
ACTION: Final = r"^[a-z][a-z0-9_]{0,39}$"
SIZE: Final = r"^(none|\d{2,4}x\d{2,4})$"
# What a refusal says of them.
IN_WORDS: Final = {
    ID: "1 to 64 letters, digits, _ and -",
    NAME: "1 to 40 of a-z, 0-9, _ and -, a letter or digit first",
    ACTION: "1 to 40 of a-z, 0-9 and _, a letter first",
    SIZE: "WIDTHxHEIGHT such as 540x960, or none",
}

EventId = Annotated[str, Field(max_length=128, description="The client's own name of the event.")]
ItemId = Annotated[
    str,
    Field(
        pattern=ID,
        description="Name of a conversation item: 1 to 64 letters, digits, '_' and '-'.",
    ),
]
ResponseId = Annotated[str, Field(pattern=ID, description="A response.")]
LookName = Annotated[
    str,
    Field(
        pattern=NAME,
        description="Name of a stored avatar, scene or style: 1 to 40 of a-z, 0-9, '_' and '-'.",
    ),
]
Milliseconds = Annotated[int, Field(ge=0, le=MAX_AUDIO_MS, description="Milliseconds.")]
Language = Literal["en", "zh"]
Modality = Literal["audio", "text"]


class Shape(BaseModel):
    """A JSON object of the protocol: no field beside its own, no value turned into another."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Told(BaseModel):
    """A JSON object that the server sends. Readers take fields that later versions add."""

    model_config = ConfigDict(extra="allow", frozen=True)
