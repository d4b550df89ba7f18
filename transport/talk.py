"""A measured conversation: ask recorded questions over WebRTC, note when and what is answered."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pipeline.errors import ConfigurationError
from transport.caller import Caller, HttpSignalling, Signalling, connect
from transport.errors import CallFailedError
from transport.measure import began_early, first_sound, silent_from
from transport.microphone import Microphone, Spoken, Utterance, load_utterance
from transport.recording import write_recording
from transport.report import TalkReport, Turn, TurnReport, make_report

__all__ = [
    "Caller",
    "HttpSignalling",
    "Microphone",
    "TalkReport",
    "TurnReport",
    "connect",
    "converse",
    "converse_with",
    "load_utterance",
    "talk",
]

# Silence before the first question, in which the server hears what silence sounds like.
LEAD_S: Final = 0.5
# Silence after a reply before the next question.
PAUSE_S: Final = 0.4
ANSWER_TIMEOUT_S: Final = 20.0
REPLY_TIMEOUT_S: Final = 90.0

_OPEN = "output_audio_buffer.started"
_CLOSED = ("output_audio_buffer.stopped", "output_audio_buffer.cleared")


async def talk(
    url: str,
    questions: Sequence[Path],
    *,
    record: Path | None = None,
    interrupt_after: float | None = None,
    voice: str | None = None,
    language: str | None = None,
    avatar: str | None = None,
    scene: str | None = None,
    style: str | None = None,
    framing: str | None = None,
    size: tuple[int, int] | None = None,
    speech_ends: Mapping[Path, float] | None = None,
) -> TalkReport:
    """Ask a server recorded questions, one after the other, and measure its answers.

    Args:
        url: the server, such as "http://127.0.0.1:8000".
        questions: WAV files.
        record: MP4 file for what was received.
        interrupt_after: speak the next question so many seconds after the first sound of each
            reply; a negative number counts from the end of the question instead, which may be
            before any sound. A single question is then asked twice. None waits for every reply.
        voice: name of a voice; None leaves it to the server.
        language: "auto", "en" or "zh".
        avatar, scene, style: names in the server's library; None leaves them to the server.
        framing: "head", "half" or "full".
        size: (width, height) of the picture.
        speech_ends: where the speech of a question ends, in seconds; found by loudness where a
            question is not in it.

    Raises:
        ConfigurationError: a question cannot be read.
        CallFailedError: the call was refused or broke.
        RecordingError: `record` cannot be written.
    """
    wishes = {
        "voice": voice,
        "language": language,
        "avatar": avatar,
        "scene": scene,
        "style": style,
        "framing": framing,
    }
    given = {key: value for key, value in wishes.items() if value is not None}
    if size is not None:
        given["size"] = f"{size[0]}x{size[1]}"
    signalling = HttpSignalling(url, given)
    return await converse(
        signalling,
        questions,
        record=record,
        interrupt_after=interrupt_after,
        speech_ends=speech_ends,
    )


async def converse(
    signalling: Signalling,
    questions: Sequence[Path],
    *,
    record: Path | None = None,
    interrupt_after: float | None = None,
    speech_ends: Mapping[Path, float] | None = None,
) -> TalkReport:
    """Do as `talk` does, over any signalling."""
    async with Caller(Microphone(), keep_media=record is not None) as caller:
        report = await converse_with(
            caller,
            signalling,
            questions,
            interrupt_after=interrupt_after,
            speech_ends=speech_ends,
        )
    if record is not None:
        await write_recording(caller, record)
    return report


async def converse_with(
    caller: Caller,
    signalling: Signalling,
    questions: Sequence[Path],
    *,
    interrupt_after: float | None = None,
    speech_ends: Mapping[Path, float] | None = None,
    at_least_s: float = 0.0,
) -> TalkReport:
    """Do as `converse` does, with a caller that stays open and keeps what it was told to keep.

    The questions are asked again from the first until `at_least_s` seconds have passed.
    """
    if not questions:
        raise ConfigurationError("no question was given; accepted: one WAV file or more")
    ends = speech_ends or {}
    utterances = [load_utterance(path, ends.get(path)) for path in questions]
    names = [path.name for path in questions]
    if interrupt_after is not None and len(questions) == 1:
        utterances, names = utterances * 2, names * 2
    await caller.connect(signalling)
    started, cpu = time.monotonic(), time.process_time()
    turns = await _ask_all(caller, utterances, names, interrupt_after)
    while time.monotonic() - started < at_least_s and not caller.broken:
        turns += await _ask_all(caller, utterances, names, interrupt_after)
    seconds, cpu_seconds = time.monotonic() - started, time.process_time() - cpu
    return make_report(caller, turns, seconds, cpu_seconds)


async def _ask_all(
    caller: Caller,
    utterances: Sequence[Utterance],
    names: Sequence[str],
    interrupt_after: float | None,
) -> list[Turn]:
    turns: list[Turn] = []
    await asyncio.sleep(LEAD_S)
    speaking: asyncio.Future[Spoken] | None = None
    first_event = len(caller.events)
    for index, utterance in enumerate(utterances):
        turn = Turn(names[index], first_event)
        turns.append(turn)
        if speaking is None:
            speaking = caller.microphone.speak(utterance)
        try:
            turn.spoken = await speaking
            speaking = None
            if interrupt_after is not None and index + 1 < len(utterances):
                speaking = await _interrupt(caller, turn, utterances[index + 1], interrupt_after)
                first_event = _heard_from(caller, turn.interrupted_from or 0.0)
            else:
                await _listen_to_the_end(caller, turn)
                await asyncio.sleep(PAUSE_S)
                first_event = len(caller.events)
        except CallFailedError as error:
            turn.problem = str(error)
            if caller.broken:
                break
    return turns


async def _listen_to_the_end(caller: Caller, turn: Turn) -> None:
    await _reply_sounds(caller, turn)
    await caller.until(
        lambda: _replies_over(caller, turn.first_event), REPLY_TIMEOUT_S, "the end of the reply"
    )
    await _silence(caller, asyncio.get_running_loop().time())


async def _interrupt(
    caller: Caller, turn: Turn, following: Utterance, after: float
) -> "asyncio.Future[Spoken]":
    """Speak over the reply; return what tells when that was spoken."""
    assert turn.spoken is not None
    loop = asyncio.get_running_loop()
    if after >= 0:
        due = await _reply_sounds(caller, turn) + after
    else:
        due = turn.spoken.speech_end - after
    # The microphone takes up an utterance with its next frame; silence at its beginning counts.
    await asyncio.sleep(max(0.0, due - loop.time()))
    speaking = caller.microphone.speak(following)
    spoken = await asyncio.shield(speaking)
    if turn.reply_began is None and not turn.problem:
        began = first_sound(caller.sounds, turn.spoken.speech_end)
        if began is not None and began < spoken.speech_start:
            _note_reply(caller, turn, began)
    turn.interrupted_from = spoken.speech_start
    turn.silent_from = await _silence(caller, spoken.speech_start)
    return speaking


async def _reply_sounds(caller: Caller, turn: Turn) -> float:
    assert turn.spoken is not None
    end = turn.spoken.speech_end
    began = await caller.until(
        lambda: first_sound(caller.sounds[-500:], end), ANSWER_TIMEOUT_S, "the reply's first sound"
    )
    _note_reply(caller, turn, began)
    return began


def _note_reply(caller: Caller, turn: Turn, began: float) -> None:
    assert turn.spoken is not None
    if began_early(caller.sounds[-1500:], turn.spoken.speech_end, began):
        turn.problem = "an answer was heard before the question had ended"
    else:
        turn.reply_began = began


async def _silence(caller: Caller, after: float) -> float:
    return await caller.until(
        lambda: silent_from(caller.sounds[-1500:], after), ANSWER_TIMEOUT_S, "silence"
    )


def _heard_from(caller: Caller, moment: float) -> int:
    """Return the index of the event by which the server noticed speech after `moment`."""
    for index, timed in enumerate(caller.events):
        if timed.at >= moment and timed.event["type"] == "input_audio_buffer.speech_started":
            return index
    return len(caller.events)


def _replies_over(caller: Caller, start: int) -> bool | None:
    """Return True when a response began from event `start` on, and all that did are done and
    silent; else None.
    """
    created: set[str] = set()
    done: set[str] = set()
    sounding: set[str] = set()
    for event in (timed.event for timed in caller.events[start:]):
        kind = event["type"]
        if kind == "response.created":
            created.add(event["response"]["id"])
        elif kind == "response.done":
            done.add(event["response"]["id"])
        elif kind == _OPEN:
            sounding.add(event["response_id"])
        elif kind in _CLOSED:
            sounding.discard(event["response_id"])
    return True if created and created <= done and not sounding else None
