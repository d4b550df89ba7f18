"""`vivant bench realtime`: conversations over WebRTC, measured at the receiving client."""

import asyncio
import json
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.assets import Registry
from pipeline.configuration import load_configuration
from transport.measure import percentile
from transport.talk import Caller, HttpSignalling, Microphone, TalkReport, converse_with
from web.bench.pictures import flash_offset, lip_offset
from web.bench.questions import Question, questions
from web.command.child import own_server
from web.command.outcome import note

SIZES: Final = {"light": (720, 1280), "kokoro": (540, 960)}
LANGUAGES: Final = {"light": ("en",), "kokoro": ("en", "zh")}
INTERRUPTED_SHARE: Final = 0.3
AFTER_SOUND_S: Final = 1.0
BEFORE_SOUND_S: Final = -0.35
PLAYED_S: Final = 0.02
STAGES: Final = ("silence", "recognised", "first_clause", "first_audio", "first_sound")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation and what its caller kept."""

    report: TalkReport
    caller: Caller


def run(
    *,
    voice: str = "light",
    turns: int = 40,
    minutes: float | None = None,
    size: tuple[int, int] | None = None,
    config: Path | None = None,
) -> dict[str, Any]:
    """Hold `turns` turns (or talk for `minutes`), a third of them interrupted, and measure.

    The questions are spoken in turn by a voice of ours and, where they are present, in real
    recordings of complete utterances. Afterwards a flash and a click go the same way.

    Raises:
        CommandError: the server could not be started.
        CallFailedError: the call broke.
    """
    width, height = size or SIZES[voice]
    registry = Registry(load_configuration(config).cache)
    asked = questions(LANGUAGES[voice], turns, registry)
    arguments = ["--voice", voice, "--size", f"{width}x{height}", "--sessions", "1"]
    arguments += ["--config", str(config)] if config else []
    note(f"{turns} turns with the voice {voice!r} at {width}x{height}")
    interrupted = 0 if minutes else round(turns * INTERRUPTED_SHARE)
    with own_server(arguments) as url:
        talks = [_talk(url, asked[interrupted:], None, minutes)]
        half = interrupted // 2
        if half:
            talks.append(_talk(url, asked[:half], AFTER_SOUND_S))
            talks.append(_talk(url, asked[half:interrupted], BEFORE_SOUND_S))
    flash = _flash(width, height, registry)
    return _summary(talks, flash, voice, (width, height))


def _talk(
    url: str, asked: Sequence[Question], interrupt_after: float | None, minutes: float | None = None
) -> Conversation:
    paths = [question.path for question in asked]
    ends = {question.path: question.speech_end for question in asked}

    async def hold() -> Conversation:
        async with Caller(Microphone(), keep_media=True) as caller:
            report = await converse_with(
                caller,
                HttpSignalling(url),
                paths,
                interrupt_after=interrupt_after,
                speech_ends=ends,
                at_least_s=60 * minutes if minutes else 0.0,
            )
            return Conversation(report, caller)

    return asyncio.run(hold())


def _flash(width: int, height: int, registry: Registry) -> float | None:
    """Return picture less sound of a flash and a click sent the same way, in seconds."""
    note("a flash and a click the same way")
    with _probe_configuration(registry.cache) as config:
        asked = questions(("en",), 2, registry)
        size = f"{width}x{height}"
        arguments = ["--config", str(config), "--size", size, "--sessions", "1"]
        with own_server(arguments) as url:
            return flash_offset(_talk(url, asked[:1] * 2, None).caller)


@contextmanager
def _probe_configuration(cache: Path) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.toml"
        path.write_text(
            f"cache = {json.dumps(str(cache))}\n"
            '[speak]\nvoices = ["click"]\n[draw]\nrenderer = "flash"\n',
            "utf-8",
        )
        yield path


def _summary(
    talks: Sequence[Conversation], flash: float | None, voice: str, size: tuple[int, int]
) -> dict[str, Any]:
    quiet = talks[0].report
    all_turns = [turn for talk in talks for turn in talk.report.turns]
    silences = [t.interruption_s for t in all_turns if t.interruption_s is not None]
    answers = [t.voice_to_voice_s for t in quiet.turns if t.voice_to_voice_s is not None]
    lips = lip_offset(talks[0].caller)
    return {
        "voice": voice,
        "size": f"{size[0]}x{size[1]}",
        "turns": len(all_turns),
        "answered": len(answers),
        "voice_to_voice_median_s": _rounded(percentile(answers, 0.5)),
        "voice_to_voice_p95_s": _rounded(percentile(answers, 0.95)),
        "interruptions": len(silences),
        "interruption_p95_s": _rounded(percentile(silences, 0.95)),
        "av_offset_ms": _rounded(flash and flash * 1000),
        "av_offset_arrival_ms": _rounded(quiet.av_offset_ms),
        "sync_error_ms": _rounded(quiet.sync_error_ms),
        "lip_offset_ms": _rounded(lips and lips * 1000),
        "frames_on_time": _rounded(quiet.frames_on_time),
        "frames": quiet.frames,
        "seconds": _rounded(quiet.seconds),
        "client_cpu_share": _rounded(quiet.client_cpu_share),
        "rehearsed_share": _rehearsed(quiet),
        "slowest": _slowest(quiet),
        "problems": [turn.problem for turn in all_turns if turn.problem],
        "stages": _stages(talks),
    }


def _stages(talks: Sequence[Conversation]) -> dict[str, float]:
    """Return the median of each mark, seconds after the end of the person's speech."""
    turns = [turn for turn in talks[0].report.turns if turn.stages]
    marks = {name: [t.stages[name] for t in turns if name in t.stages] for name in STAGES}
    stages = {name: round(statistics.median(values), 4) for name, values in marks.items() if values}
    answers = [t.voice_to_voice_s for t in turns if t.voice_to_voice_s is not None]
    if answers:
        stages["heard_by_client"] = round(statistics.median(answers), 4)
    return stages


def _rehearsed(report: TalkReport) -> float | None:
    """Return the share of answers whose first clause was played, not spoken anew."""
    waits = [
        turn.stages["first_audio"] - turn.stages["first_clause"]
        for turn in report.turns
        if {"first_audio", "first_clause"} <= turn.stages.keys()
    ]
    return round(sum(wait < PLAYED_S for wait in waits) / len(waits), 3) if waits else None


def _slowest(report: TalkReport, count: int = 3) -> list[dict[str, Any]]:
    """Return the answers that took longest, and where their time went."""
    answered = [turn for turn in report.turns if turn.voice_to_voice_s is not None]
    answered.sort(key=lambda turn: turn.voice_to_voice_s or 0.0, reverse=True)
    return [
        {
            "recognised": turn.recognised,
            "reply": turn.reply[:60],
            "voice_to_voice_s": _rounded(turn.voice_to_voice_s),
            "stages": turn.stages,
        }
        for turn in answered[:count]
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
