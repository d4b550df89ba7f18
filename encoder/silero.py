"""Voice activity by Silero VAD (version 5 and later, ONNX, MIT)."""

from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from encoder.activity import WINDOW
from encoder.errors import EncoderError, EncoderValueError
from encoder.recognizer import HEARING_RATE

CONTEXT: Final = 64


class SileroNetwork:
    """The loaded network: some 80 ms to load, then shared by any number of signals and threads.

    It keeps nothing between calls. `path`: the ONNX file. Raises EncoderError when it is missing
    or is not this network.
    """

    def __init__(self, path: Path) -> None:
        self._session = _open(path)
        self._rate = np.array(HEARING_RATE, np.int64)

    def run(
        self, samples: NDArray[np.float32], state: NDArray[np.float32]
    ) -> tuple[float, NDArray[np.float32]]:
        """Return the probability of speech and the next state, float32 [2, 1, 128].

        `samples`: float32 [1, CONTEXT + WINDOW]. `state`: as returned by the call before.
        """
        inputs = {"input": samples, "state": state, "sr": self._rate}
        output, following = self._session.run(None, inputs)
        return float(output[0, 0]), following


class SileroVad:
    """A VoiceActivity on one thread: about 0.15 ms per 32 ms window.

    The network is recurrent and also wants the last 64 samples before each window; both are kept
    here, so one instance hears one signal. `network`: shared, or the path to load one of its own
    from, which raises what `SileroNetwork` raises.
    """

    def __init__(self, network: SileroNetwork | Path) -> None:
        self._network = SileroNetwork(network) if isinstance(network, Path) else network
        self._state: NDArray[np.float32]
        self._input: NDArray[np.float32]
        self.reset()

    def probability(self, window: NDArray[np.float32]) -> float:
        """Return the probability in [0, 1] that `window`, float32 [512], holds speech."""
        if window.dtype != np.float32 or window.shape != (WINDOW,):
            raise EncoderValueError(
                f"{window.dtype} window of shape {window.shape}: accepted is float32 [{WINDOW}]"
            )
        self._input[0, CONTEXT:] = window
        probability, self._state = self._network.run(self._input, self._state)
        self._input[0, :CONTEXT] = window[-CONTEXT:]
        return probability

    def reset(self) -> None:
        """Forget the signal heard so far."""
        self._state = np.zeros((2, 1, 128), np.float32)
        self._input = np.zeros((1, CONTEXT + WINDOW), np.float32)


def _open(path: Path) -> onnxruntime.InferenceSession:
    if not path.is_file():
        raise EncoderError(f"no voice activity model at {path}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [entry.name for entry in session.get_inputs()]
    if names != ["input", "state", "sr"]:
        raise EncoderError(
            f"{path} has the inputs {', '.join(names)}: "
            "accepted is Silero VAD 5 or later with input, state, sr"
        )
    return session
