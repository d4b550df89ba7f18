"""How hearing decides where a turn begins and ends."""

import itertools
from dataclasses import dataclass
from typing import Self

from encoder.errors import EncoderValueError


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """Thresholds are probabilities in (0, 1), durations seconds of input audio.

    Durations are rounded to the nearest window of 32 ms.

    Attributes:
        enter: a window at or above it is speech while there is silence.
        leave: a window at or above it is still speech while there is speech.
        minimum_speech: speech this long starts a turn (the caller ducks its voice).
        confirm_speech: speech this long confirms the turn (the caller stops its voice) where its
            last two windows reach `sure`, as voices do and sudden noises mostly do not.
        sure: see `confirm_speech`.
        confirm_unsure: speech this long confirms the turn where its mean reaches `enter`.
        prefix: audio kept from before the start.
        pause: silence this long within a confirmed turn is a pause (the caller speculates).
        false_start: silence this long ends a turn that was never confirmed.
        minimum_silence: the shortest silence that ends a turn, however finished its text reads.
        unknown_silence: the silence that ends a turn whose text is not known yet.
        maximum_silence: the longest silence waited for, however unfinished the text reads.
        maximum_turn: a turn this long is stopped, whatever is heard.
        unconfirmed_turn: a start not confirmed after this long is given up.
        barge_in_enter: stands for `enter` during `barge_in_grace` after the avatar began to
            speak, when echo that the browser has not yet learnt to cancel may come back.
        barge_in_grace: how long `barge_in_enter` stands.

    Raises EncoderValueError, naming the value, where these do not hold together.
    """

    enter: float = 0.5
    leave: float = 0.35
    minimum_speech: float = 0.1
    confirm_speech: float = 0.25
    sure: float = 0.95
    confirm_unsure: float = 0.5
    prefix: float = 0.3
    pause: float = 0.15
    false_start: float = 0.3
    minimum_silence: float = 0.3
    unknown_silence: float = 0.5
    maximum_silence: float = 2.0
    maximum_turn: float = 28.0
    unconfirmed_turn: float = 1.0
    barge_in_enter: float = 0.6
    barge_in_grace: float = 0.2

    def __post_init__(self) -> None:
        self._rising(("leave", "enter", "barge_in_enter"), 0.0, 1.0)
        self._rising(("leave", "sure"), 0.0, 1.0)
        self._rising(
            ("minimum_speech", "confirm_speech", "confirm_unsure", "unconfirmed_turn"), 0.0, 5.0
        )
        self._rising(("pause", "minimum_silence", "unknown_silence", "maximum_silence"), 0.0, 10.0)
        self._rising(("false_start", "maximum_silence"), 0.0, 10.0)
        self._rising(("maximum_silence", "maximum_turn"), 0.0, 28.0)
        for name, most in (("prefix", 2.0), ("barge_in_grace", 10.0)):
            value = getattr(self, name)
            if not 0 <= value <= most:
                raise EncoderValueError(f"{name} {value}: accepted is 0 to {most}")

    @classmethod
    def server_vad(
        cls,
        threshold: float = 0.5,
        prefix_padding_ms: float = 300,
        silence_duration_ms: float | None = None,
    ) -> Self:
        """Return the options for a client's `server_vad`: its names, its units.

        `threshold`: 0.05 to 0.95. `silence_duration_ms`: 200 to 5,000, the silence that ends every
        turn, whatever its text; None leaves it to the text.
        """
        if not 0.05 <= threshold <= 0.95:
            raise EncoderValueError(f"threshold {threshold}: accepted is 0.05 to 0.95")
        thresholds = {
            "enter": threshold,
            "leave": max(threshold - 0.15, threshold / 2),
            "barge_in_enter": min(threshold + 0.1, 0.98),
        }
        prefix = prefix_padding_ms / 1000
        if silence_duration_ms is None:
            return cls(prefix=prefix, **thresholds)
        silence = silence_duration_ms / 1000
        if not 0.2 <= silence <= 5:
            raise EncoderValueError(
                f"silence_duration_ms {silence_duration_ms}: accepted is 200 to 5000"
            )
        return cls(
            prefix=prefix,
            minimum_silence=silence,
            unknown_silence=silence,
            maximum_silence=silence,
            false_start=min(silence, 0.3),
            **thresholds,
        )

    def _rising(self, names: tuple[str, ...], low: float, high: float) -> None:
        values = [getattr(self, name) for name in names]
        rising = all(one <= next_one for one, next_one in itertools.pairwise(values))
        if not (low < values[0] and rising and values[-1] <= high):
            given = ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
            raise EncoderValueError(
                f"{given}: accepted are values above {low}, in this order, up to {high}"
            )
