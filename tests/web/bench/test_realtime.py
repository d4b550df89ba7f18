"""What `vivant bench realtime` prints of the conversations it held."""

import pytest

from transport.report import TurnReport
from transport.talk import Caller, Microphone, TalkReport
from web.bench.realtime import Conversation, _summary

KEYS = {
    "voice_to_voice_median_s",
    "voice_to_voice_p95_s",
    "interruption_p95_s",
    "av_offset_ms",
    "frames_on_time",
    "turns",
    "voice",
    "size",
    "stages",
}


def turn(answered: float | None, silent: float | None = None, problem: str = "") -> TurnReport:
    stages = {} if answered is None else {"recognised": answered / 2, "first_sound": answered - 0.1}
    return TurnReport("q.wav", "hi", "en", "Hello.", "completed", answered, silent, stages, problem)


def talk(*turns: TurnReport) -> Conversation:
    report = TalkReport(
        turns=list(turns),
        voice_to_voice_median_s=None,
        voice_to_voice_p95_s=None,
        interruption_p95_s=None,
        av_offset_ms=3.0,
        sync_error_ms=1.0,
        frames_on_time=0.995,
        frames=250,
        playout_delay_s=0.01,
        seconds=10.0,
        client_cpu_share=0.1,
    )
    return Conversation(report, Caller(Microphone()))


async def test_answers_count_from_the_quiet_talk_and_interruptions_from_all() -> None:
    quiet = talk(turn(0.5), turn(0.7), turn(2.1), turn(None, problem="no reply"))
    summary = _summary([quiet, talk(turn(9.0, silent=0.2))], 0.021, "light", (720, 1280))
    assert summary.keys() >= KEYS
    assert summary["turns"] == 5
    assert summary["answered"] == 3
    assert summary["voice_to_voice_median_s"] == pytest.approx(0.7)
    assert 0.7 < summary["voice_to_voice_p95_s"] <= 2.1
    assert summary["interruption_p95_s"] == pytest.approx(0.2)
    assert summary["av_offset_ms"] == pytest.approx(21.0)
    assert summary["frames_on_time"] == pytest.approx(0.995)
    assert (summary["voice"], summary["size"]) == ("light", "720x1280")
    assert summary["stages"]["recognised"] == pytest.approx(0.35)
    assert summary["stages"]["heard_by_client"] == pytest.approx(0.7)
    assert summary["problems"] == ["no reply"]
    assert summary["slowest"][0]["voice_to_voice_s"] == pytest.approx(2.1)
