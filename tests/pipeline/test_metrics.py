"""What the engine counts."""

from prometheus_client import generate_latest

from pipeline.events import ResponseDone, SessionFailed, TurnMeasured
from pipeline.metrics import EngineMetrics


class Still:
    """An engine that does nothing."""

    draw_process = None
    draw_restarts = 4
    picture_level = 2
    pictures_late = 3
    pictures_skipped = 2
    sound_dropped = 1


async def test_events_and_holdings_are_shown() -> None:
    metrics = EngineMetrics(Still())
    metrics.count(TurnMeasured(1, "resp_1", {"first_sound": 0.5}))
    metrics.count(TurnMeasured(2, "resp_2", {}))
    metrics.count(ResponseDone("resp_1", "item_1", "completed", "Hello."))
    metrics.count(ResponseDone("resp_2", "item_2", "cancelled", "Hel", "turn_detected"))
    metrics.count(SessionFailed("picture_failed", "gone"))
    shown = generate_latest(metrics.registry).decode()
    for line in (
        "vivant_turns_total 2.0",
        'vivant_replies_total{reason="none",status="completed"} 1.0',
        'vivant_replies_total{reason="turn_detected",status="cancelled"} 1.0',
        'vivant_failures_total{code="picture_failed"} 1.0',
        'vivant_stage_seconds_count{stage="first_sound"} 1.0',
        'vivant_stage_seconds_bucket{le="0.6",stage="first_sound"} 1.0',
        "vivant_picture_level 2.0",
        "vivant_draw_restarts 4.0",
        "vivant_pictures_late 3.0",
        "vivant_pictures_skipped 2.0",
        "vivant_sound_chunks_dropped 1.0",
        'vivant_resident_bytes{process="draw"} 0.0',
    ):
        assert line in shown
    values = dict(line.rsplit(" ", 1) for line in shown.splitlines() if not line.startswith("#"))
    assert float(values['vivant_resident_bytes{process="server"}']) > 10e6
    assert float(values['vivant_open_files{process="server"}']) >= 3
    assert float(values['vivant_threads{process="server"}']) >= 1
    assert float(values["vivant_tasks"]) >= 1
