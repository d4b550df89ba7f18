"""The gesture network at work for all sessions: one thread, one batch of whoever needs a chunk."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.mover import Mover
from motion.procedural import ProceduralMover
from motion.streaming.checkpoint import load_checkpoint
from motion.streaming.conditions import Conditions, stacked
from motion.streaming.mover import StreamingMover
from motion.streaming.schedule import Schedule
from motion.streaming.stream import BodyState, GestureStream
from motion.style import NATURAL, StyleSpec
from motion.trained import trained_gestures
from pipeline.configuration import RULES, TRAINED, MoveSettings
from pipeline.errors import ConfigurationError

Array = NDArray[np.float32]


class GestureWorker:
    """A `motion.streaming.mover.GestureSource` that makes chunks on a thread of its own.

    Bodies that ask while a chunk is being made are served together in the next batch. At most one
    chunk a body waits, so nothing grows. What fails is raised by the next `take`.
    """

    def __init__(self, stream: GestureStream) -> None:
        self._stream = stream
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="gestures")
        self._lock = Lock()
        self._asked: list[tuple[BodyState, Conditions]] = []
        self._working = False
        self._failure: BaseException | None = None
        self.batches = 0

    @property
    def schedule(self) -> Schedule:
        """The sizes of chunk and window."""
        return self._stream.schedule

    def open(self, body: Array, seed: int) -> BodyState:
        """Return the state of a body that stands still, float32 [D]."""
        return self._stream.open(body, seed)

    def restart(self, state: BodyState, shown: Array) -> None:
        """Go on from poses [anchored, D] that were shown."""
        self._stream.restart(state, shown)

    def ask(self, state: BodyState, conditions: Conditions) -> None:
        """Have the next chunk of a body made; returns at once."""
        with self._lock:
            self._asked.append((state, conditions))
            if not self._working:
                self._working = True
                self._executor.submit(self._work).add_done_callback(self._ended)

    def take(self, state: BodyState) -> Array | None:
        """Return the chunk asked for, float32 [chunk, D]; None while it is not made.

        Raises:
            MotionError and others: what the network failed of.
        """
        if self._failure is not None:
            raise self._failure
        return self._stream.take(state)

    def close(self) -> None:
        """Wait for the batch in progress, drop the rest, end the thread. Idempotent."""
        with self._lock:
            self._asked.clear()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _work(self) -> None:
        while True:
            with self._lock:
                asked, self._asked = self._asked, []
                if not asked:
                    self._working = False
                    return
            states = [state for state, _ in asked]
            made = self._stream.commit(states, stacked([told for _, told in asked]))
            self.batches += 1
            for state, chunk in zip(states, made, strict=True):
                state.made = chunk

    def _ended(self, done: "Future[None]") -> None:
        if not done.cancelled():
            self._failure = done.exception()


def open_gestures(settings: MoveSettings) -> GestureStream | None:
    """Return the gesture network, ready to move bodies on one core or a GPU; None for "rules".

    Raises:
        ConfigurationError: it is no checkpoint of ours, or there is no such device.
    """
    gestures = settings.gestures
    if gestures == RULES:
        return None
    _check_device(settings.device)
    try:
        checkpoint = (
            trained_gestures()
            if gestures == TRAINED
            else load_checkpoint(Path(gestures).expanduser())
        )
    except MotionValueError as error:
        raise ConfigurationError(f"move.gestures: {error}") from error
    torch.set_num_threads(1)
    return GestureStream(checkpoint, device=settings.device)


def _check_device(name: str) -> None:
    kind, _, number = name.partition(":")
    found = torch.cuda.device_count() if kind == "cuda" else 1
    if int(number or 0) >= found:
        raise ConfigurationError(
            f"move.device is {name!r}; accepted here: cpu, and {found} devices of CUDA"
        )


def film_mover(settings: MoveSettings, seed: int, style: StyleSpec = NATURAL) -> ProceduralMover:
    """Return the mover of a film, which may wait for its chunks."""
    stream = open_gestures(settings)
    if stream is None:
        return ProceduralMover(seed, style=style)
    return StreamingMover(seed, stream, style=style)


def live_movers(settings: MoveSettings) -> tuple[Callable[[int], Mover], GestureWorker | None]:
    """Return what makes the movers of sessions, and the worker they share if there is one."""
    stream = open_gestures(settings)
    if stream is None:
        return ProceduralMover, None
    worker = GestureWorker(stream)
    return (lambda seed: StreamingMover(seed, worker)), worker
