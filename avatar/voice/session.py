"""Running an ONNX model so that it can be stopped half-way."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, RuntimeException

from avatar.errors import AvatarError
from avatar.voice.graph import with_output

_LOOK_EVERY: Final = 0.02
_FATAL_ONLY: Final = 4


class VoiceSession:
    """A voice's model: its sound, and the tensor that holds the duration of each symbol.

    Args:
        model: the ONNX model.
        durations, element: the tensor and its type, as `graph.with_output` takes them.
        threads: how many threads one run may use.
    """

    def __init__(self, model: bytes, durations: str, element: int, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Waiting threads must sleep: the picture is drawn on the same cores.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            with_output(model, durations, element), options, providers=["CPUExecutionProvider"]
        )
        self._outputs = [self._session.get_outputs()[0].name, durations]

    def run(
        self, inputs: Mapping[str, NDArray[Any]], cancelled: Event
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
        """Return (samples [n], durations [symbols]), or None when `cancelled` was set meanwhile.

        Raises:
            AvatarError: the model failed.
        """
        if cancelled.is_set():
            return None
        options = onnxruntime.RunOptions()
        options.log_severity_level = _FATAL_ONLY
        try:
            with _terminating(options, cancelled):
                sound, durations = self._session.run(self._outputs, dict(inputs), options)
        except (Fail, RuntimeException, InvalidArgument) as error:
            if cancelled.is_set():
                return None
            raise AvatarError(
                f"the voice's model failed, trying again may help: {error}"
            ) from error
        if cancelled.is_set():
            return None
        return sound.reshape(-1), durations.reshape(-1).astype(np.float32)


@contextmanager
def _terminating(options: onnxruntime.RunOptions, cancelled: Event) -> Iterator[None]:
    """Pass `cancelled` on to a run: onnxruntime looks at its flag between two operators."""
    done = Event()

    def watch() -> None:
        while not done.is_set():
            if cancelled.wait(_LOOK_EVERY):
                options.terminate = True
                return

    Thread(target=watch, name="voice-cancel", daemon=True).start()
    try:
        yield
    finally:
        done.set()
