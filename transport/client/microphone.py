"""The person's voice on its way to the server, piece by piece, at any rate."""

import base64
from collections.abc import Iterator
from typing import Any, Final

from transport.client.sound import WIRE_RATE, Resampler, Sound, mono, pcm16

# The longest piece of sound in one event.
PIECE_S: Final = 0.5


class Microphone:
    """Turns sound into events, without a seam where the rate stays the same.

    Attributes:
        dropped_s: seconds that were not sent because the connection was broken.
    """

    def __init__(self) -> None:
        self.dropped_s = 0.0
        self._resampler = Resampler(WIRE_RATE)

    def events(self, sound: Sound, rate: int) -> Iterator[tuple[dict[str, Any], float]]:
        """Yield events and the seconds of sound in each.

        Raises:
            ClientValueError: the sound or its rate is not accepted.
        """
        samples = mono(sound)
        parts = []
        if rate != self._resampler.rate:
            following = Resampler(rate)
            parts.append(self._resampler.flush())
            self._resampler = following
        parts.append(self._resampler.feed(samples))
        length = round(PIECE_S * WIRE_RATE)
        for part in parts:
            for start in range(0, len(part), length):
                piece = part[start : start + length]
                audio = base64.b64encode(pcm16(piece)).decode()
                yield (
                    {"type": "input_audio_buffer.append", "audio": audio},
                    len(piece) / WIRE_RATE,
                )
