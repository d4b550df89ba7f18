"""What the engine counts, for Prometheus."""

import asyncio
import os
from pathlib import Path
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from pipeline.events import ResponseDone, SessionEvent, SessionFailed, TurnMeasured

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_BUCKETS: Final = (0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0, 5.0)


class Measured(Protocol):
    """What of an engine is looked at when somebody asks."""

    @property
    def draw_process(self) -> int | None:
        """Process id of the drawing process, None where nothing draws."""

    @property
    def draw_restarts(self) -> int: ...

    @property
    def picture_level(self) -> int:
        """Quality level of the newest picture, 0 is the best."""

    @property
    def pictures_late(self) -> int: ...

    @property
    def pictures_skipped(self) -> int: ...

    @property
    def sound_dropped(self) -> int: ...


class EngineMetrics:
    """The engine's measurements, in `registry`.

    vivant_turns_total, vivant_replies_total{status, reason} (reason: turn_detected,
    client_cancelled, or none), vivant_failures_total{code}, vivant_stage_seconds{stage} (from the
    end of the person's speech to each stage of the reply; "first_sound" is the first sample sent),
    vivant_pictures_late, vivant_pictures_skipped, vivant_picture_level (0 is the best),
    vivant_draw_restarts, vivant_sound_chunks_dropped, vivant_tasks, and of each process
    vivant_resident_bytes{process}, vivant_open_files{process}, vivant_threads{process}.
    """

    def __init__(self, engine: Measured) -> None:
        self.registry = CollectorRegistry()
        self._turns = Counter("vivant_turns", "Replies that ended.", registry=self.registry)
        self._replies = Counter(
            "vivant_replies", "How replies ended.", ("status", "reason"), registry=self.registry
        )
        self._failures = Counter(
            "vivant_failures", "What failed.", ("code",), registry=self.registry
        )
        self._stages = Histogram(
            "vivant_stage_seconds",
            "From the end of the person's speech to each stage of the reply.",
            ("stage",),
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self._watch(engine)

    def count(self, event: SessionEvent) -> None:
        """Count an event of any session."""
        if isinstance(event, TurnMeasured):
            self._turns.inc()
            for stage, seconds in event.timings.items():
                self._stages.labels(stage).observe(seconds)
        elif isinstance(event, ResponseDone):
            self._replies.labels(event.status, event.reason or "none").inc()
        elif isinstance(event, SessionFailed):
            self._failures.labels(event.code).inc()

    def _watch(self, engine: Measured) -> None:
        for name, text, value in (
            ("pictures_late", "Pictures sent after their sound.", lambda: engine.pictures_late),
            ("pictures_skipped", "Pictures left out.", lambda: engine.pictures_skipped),
            ("sound_chunks_dropped", "Input sound dropped.", lambda: engine.sound_dropped),
            ("picture_level", "Quality given way, 0: none.", lambda: engine.picture_level),
            ("draw_restarts", "Drawing started again.", lambda: engine.draw_restarts),
            ("tasks", "Tasks of the event loop.", lambda: len(asyncio.all_tasks())),
        ):
            gauge = Gauge(f"vivant_{name}", text, registry=self.registry)
            gauge.set_function(lambda value=value: float(value()))  # type: ignore[misc]
        folders = {"server": _own, "draw": lambda: _of(engine.draw_process)}
        for name, text, measure in (
            ("resident_bytes", "Memory held.", _resident),
            ("open_files", "Files open.", _open_files),
            ("threads", "Threads, those of libraries too.", _threads),
        ):
            gauge = Gauge(f"vivant_{name}", text, ("process",), registry=self.registry)
            for process, folder in folders.items():
                gauge.labels(process).set_function(
                    lambda measure=measure, at=folder: measure(at())  # type: ignore[misc]
                )


def _own() -> Path:
    return Path("/proc/self")


def _of(process: int | None) -> Path | None:
    return Path(f"/proc/{process}") if process else None


def _resident(folder: Path | None) -> float:
    """Return resident bytes; 0 where the system tells nothing."""
    file = folder / "statm" if folder else None
    if file is None or not file.exists():
        return 0.0
    return float(file.read_text("ascii").split()[1]) * _PAGE


def _open_files(folder: Path | None) -> float:
    if folder is None or not (folder / "fd").exists():
        return 0.0
    return float(sum(1 for _ in (folder / "fd").iterdir()))


def _threads(folder: Path | None) -> float:
    if folder is None or not (folder / "task").exists():
        return 0.0
    return float(sum(1 for _ in (folder / "task").iterdir()))
