"""What a session tells the wire. Transport translates these into protocol events.

Times named `*_ms` are milliseconds of the session's input audio (hearing) or output audio
(speaking), counted from the session's first sample.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agents.history import Item
from pipeline.options import Modality

ResponseStatus = Literal["completed", "cancelled", "failed"]
CancelReason = Literal["turn_detected", "client_cancelled"]


@dataclass(frozen=True, slots=True)
class UserSpeechStarted:
    item_id: str
    audio_start_ms: int


@dataclass(frozen=True, slots=True)
class UserSpeechStopped:
    item_id: str
    audio_end_ms: int


@dataclass(frozen=True, slots=True)
class UserSpeechDiscarded:
    """What seemed to be speech was none (a cough, noise): no turn came of it."""

    item_id: str


@dataclass(frozen=True, slots=True)
class UserCommitted:
    """The user's item stands in the history. `text` is set for typed input."""

    item_id: str
    previous_item_id: str | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ItemAdded:
    """A client has put an item into the history that is no typed message of the user."""

    item: Item
    previous_item_id: str | None


@dataclass(frozen=True, slots=True)
class ItemDeleted:
    """A client has taken an item out of the history."""

    item_id: str


@dataclass(frozen=True, slots=True)
class IdleTimeout:
    """Nobody has spoken since the last reply; what follows asks whether somebody is there."""

    item_id: str
    audio_start_ms: int
    audio_end_ms: int


@dataclass(frozen=True, slots=True)
class TranscriptionDelta:
    """New stable text of what the user says."""

    item_id: str
    delta: str


@dataclass(frozen=True, slots=True)
class TranscriptionCompleted:
    item_id: str
    transcript: str
    language: str


@dataclass(frozen=True, slots=True)
class TranscriptionFailed:
    item_id: str
    message: str


@dataclass(frozen=True, slots=True)
class ResponseCreated:
    response_id: str
    item_id: str
    turn: int
    modality: Modality = "audio"
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TranscriptDelta:
    """Text of the reply, one clause at a time, when its sound has got its place in time.

    `audio_start_ms`: where that sound begins, from the first sound of the reply.
    """

    response_id: str
    item_id: str
    delta: str
    audio_start_ms: int = 0


@dataclass(frozen=True, slots=True)
class FunctionCalled:
    """The host asks the client for a function. `arguments` is JSON."""

    response_id: str
    item_id: str
    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a reply took, in tokens: words and characters of text as `agents.usage` counts them,
    and as the Realtime API has it 10 for a second heard and 20 for a second spoken.
    """

    input_text: int = 0
    input_audio: int = 0
    output_text: int = 0
    output_audio: int = 0


@dataclass(frozen=True, slots=True)
class ResponseDone:
    """The reply has been made (or given up). `transcript` is all of its text that was made."""

    response_id: str
    item_id: str
    status: ResponseStatus
    transcript: str
    reason: CancelReason | None = None
    message: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class OutputAudioStarted:
    """The first sample of the reply has gone to the encoder."""

    response_id: str


@dataclass(frozen=True, slots=True)
class OutputAudioStopped:
    """The last sample of the reply has gone to the encoder."""

    response_id: str


@dataclass(frozen=True, slots=True)
class OutputAudioCleared:
    """Sound of the reply that had not been sent was thrown away."""

    response_id: str


@dataclass(frozen=True, slots=True)
class ItemTruncated:
    """The history now holds only what was heard of the item."""

    item_id: str
    audio_end_ms: int
    transcript: str


@dataclass(frozen=True, slots=True)
class TurnMeasured:
    """Where the time of one turn went: seconds by name, zero at the end of the user's speech.

    Keys: silence (end of turn decided), recognised, first_clause, first_audio (made),
    first_sound (sent).
    """

    turn: int
    response_id: str
    timings: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionFailed:
    """Something failed; the session goes on unless it is closed after this.

    Codes: "response_failed", "picture_failed", "scene_refused", "voice_fallback" (a voice fails and
    another speaks for it, told once until it works again: "voice_restored"), "internal_error" (the
    session closes).
    """

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SpokenThrough:
    """Somebody's own voice goes out with the host's mouth (`on`), or does no more; `reason` is
    "asked", or "silent" when no sound has come any more.
    """

    on: bool
    reason: Literal["asked", "silent"] = "asked"


SessionEvent = (
    UserSpeechStarted
    | UserSpeechStopped
    | UserSpeechDiscarded
    | UserCommitted
    | ItemAdded
    | ItemDeleted
    | IdleTimeout
    | TranscriptionDelta
    | TranscriptionCompleted
    | TranscriptionFailed
    | ResponseCreated
    | TranscriptDelta
    | FunctionCalled
    | ResponseDone
    | OutputAudioStarted
    | OutputAudioStopped
    | OutputAudioCleared
    | ItemTruncated
    | TurnMeasured
    | SessionFailed
    | SpokenThrough
)
