"""What a measured conversation comes to."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from transport.caller import Caller, TimedEvent
from transport.measure import av_offset, on_time_share, percentile, sync_error, transits
from transport.microphone import Spoken


@dataclasses.dataclass
class Turn:
    """One question as it went; moments are in seconds of the event loop's clock.

    Attributes:
        question: name of the recording.
        first_event: index of the first event that came after it began.
        spoken: when it was spoken.
        reply_began: first sound of the reply; None where it began before the question had ended.
        interrupted_from: when the person began to speak over the reply.
        silent_from: when the avatar was silent after that.
        problem: why the turn could not be finished or not be measured.
    """

    question: str
    first_event: int
    spoken: Spoken | None = None
    reply_began: float | None = None
    interrupted_from: float | None = None
    silent_from: float | None = None
    problem: str = ""


@dataclasses.dataclass(frozen=True)
class TurnReport:
    """One turn in a report; see `transport.measure` for what the times mean."""

    question: str
    recognised: str
    language: str
    reply: str
    status: str
    voice_to_voice_s: float | None
    interruption_s: float | None
    stages: dict[str, float]
    problem: str


@dataclasses.dataclass(frozen=True)
class TalkReport:
    """A conversation in figures; see `transport.measure` for what they mean.

    Attributes:
        turns: one entry for each question spoken.
        frames: pictures received.
        playout_delay_s: the fixed delay that `frames_on_time` is counted after: the median transit
            of pictures, zero being the quickest of them.
        client_cpu_share: CPU seconds of this process for each second of the conversation.
    """

    turns: list[TurnReport]
    voice_to_voice_median_s: float | None
    voice_to_voice_p95_s: float | None
    interruption_p95_s: float | None
    av_offset_ms: float | None
    sync_error_ms: float | None
    frames_on_time: float | None
    frames: int
    playout_delay_s: float | None
    seconds: float
    client_cpu_share: float

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON can hold it, times rounded to 0.1 ms."""
        rounded: dict[str, Any] = _rounded(dataclasses.asdict(self))
        return rounded


def make_report(
    caller: Caller, turns: Sequence[Turn], seconds: float, cpu_seconds: float
) -> TalkReport:
    """Put together what a conversation of `seconds` has shown."""
    reports = [_turn_report(caller.events, turns, index) for index in range(len(turns))]
    answers = [turn.voice_to_voice_s for turn in reports if turn.voice_to_voice_s is not None]
    silences = [turn.interruption_s for turn in reports if turn.interruption_s is not None]
    spread = transits(caller.pictures)
    return TalkReport(
        turns=reports,
        voice_to_voice_median_s=percentile(answers, 0.5),
        voice_to_voice_p95_s=percentile(answers, 0.95),
        interruption_p95_s=percentile(silences, 0.95),
        av_offset_ms=_milliseconds(av_offset(caller.sounds, caller.pictures)),
        sync_error_ms=_milliseconds(sync_error(caller.sound_points, caller.picture_points)),
        frames_on_time=on_time_share(caller.pictures),
        frames=len(caller.pictures),
        playout_delay_s=percentile(list(spread - spread.min()), 0.5) if len(spread) else None,
        seconds=seconds,
        client_cpu_share=cpu_seconds / seconds if seconds > 0 else 0.0,
    )


def _turn_report(events: Sequence[TimedEvent], turns: Sequence[Turn], index: int) -> TurnReport:
    turn = turns[index]
    stop = turns[index + 1].first_event if index + 1 < len(turns) else len(events)
    own = [timed.event for timed in events[turn.first_event : stop]]
    heard = [
        event
        for event in own
        if event["type"] == "conversation.item.input_audio_transcription.completed"
    ]
    languages = [entry["code"] for event in heard for entry in event.get("languages") or []]
    created = [event["response"]["id"] for event in own if event["type"] == "response.created"]
    reply = _reply(events, created[-1]) if created else _NO_REPLY
    answer = interruption = None
    if turn.spoken is not None and turn.reply_began is not None:
        answer = turn.reply_began - turn.spoken.speech_end
    if turn.interrupted_from is not None and turn.silent_from is not None:
        interruption = turn.silent_from - turn.interrupted_from
    return TurnReport(
        question=turn.question,
        recognised=" ".join(event["transcript"].strip() for event in heard),
        language=languages[-1] if languages else "",
        reply=reply.text,
        status=reply.status,
        voice_to_voice_s=answer,
        interruption_s=interruption,
        stages=reply.stages,
        problem=turn.problem,
    )


@dataclasses.dataclass(frozen=True)
class _Reply:
    text: str
    status: str
    stages: dict[str, float]


_NO_REPLY = _Reply("", "none", {})


def _reply(events: Sequence[TimedEvent], response_id: str) -> _Reply:
    text, status, item, stages = "", "in_progress", "", {}
    for event in (timed.event for timed in events):
        kind = event["type"]
        if kind == "response.done" and event["response"]["id"] == response_id:
            output = event["response"]["output"][0]
            status, item = event["response"]["status"], output["id"]
            text = output["content"][0]["transcript"]
        elif kind == "avatar.turn.measured" and event["response_id"] == response_id:
            stages = dict(event["timings"])
    for event in (timed.event for timed in events):
        if event["type"] == "conversation.item.truncated" and event["item_id"] == item:
            text = event.get("transcript", text)
    return _Reply(text, status, stages)


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_rounded(entry) for entry in value]
    return value
