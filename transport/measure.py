"""The mathematics of measuring a conversation at its receiver: pure functions, no clocks.

Definitions, used by `vivant talk` and the benchmarks:

- *Sound* is any 5 ms window louder than -45 dBFS (RMS). The avatar's idle sound is digital zero.
- *Voice to voice*: from the moment the last sample of the person's speech was spoken to the moment
  the first sample with sound of the reply could be played, which is the arrival of its decoded
  frame plus its offset within the frame. No jitter buffer of a player is added.
  An answer that begins before that last sample, so that no 0.3 s of silence lie between the sound
  before and after it, has no such time.
- *Interruption*: from the first sample of the person's speech to the last sample with sound that
  is followed by 0.3 s without.
- *Transit* of a picture or sound frame: arrival less media time. Media time is counted by RTP
  timestamps from the first picture and the first sound frame, which the server makes belong
  together.
- *Audio/video offset*: median transit of pictures less median transit of sound; positive when
  pictures come late. A player that shows media as it comes has this offset.
- *Sync error*: the same by the sender reports (RFC 3550 6.4.1), which is the offset that a player
  has which aligns the streams by them, as browsers do.
- *On time*: a picture whose transit is within 40 ms of the median transit of all pictures, that
  median being the fixed playout delay. Pictures missing from the series of 25 a second are not on
  time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

SOUND_THRESHOLD: Final = 10 ** (-45 / 20)
WINDOW_S: Final = 0.005
SILENCE_S: Final = 0.3
ON_TIME_S: Final = 0.040

_SPEECH_WINDOW_S: Final = 0.01
_SPEECH_WINDOWS: Final = 5
_RTP_RANGE: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class SoundArrival:
    """A received frame of sound.

    Attributes:
        arrival: when its decoded samples reached the application, in seconds.
        media: media time of its first sample, in seconds.
        first_sound, last_sound: offsets in seconds of its first and last window with sound, or
            None when it has none.
    """

    arrival: float
    media: float
    first_sound: float | None
    last_sound: float | None


@dataclass(frozen=True, slots=True)
class PictureArrival:
    """A received picture: when its last packet came, and its media time, in seconds."""

    arrival: float
    media: float


def sound_bounds(samples: NDArray[np.float32], rate: int) -> tuple[float, float] | None:
    """Return where sound begins and ends in seconds, or None when there is none.

    Args:
        samples: float32 [n] in [-1, 1].
        rate: samples a second.
    """
    size = round(WINDOW_S * rate)
    loud = np.flatnonzero(_levels(samples, size) > SOUND_THRESHOLD)
    if not len(loud):
        return None
    return float(loud[0] * size / rate), float(min((loud[-1] + 1) * size, len(samples)) / rate)


def speech_bounds(samples: NDArray[np.float32], rate: int) -> tuple[int, int] | None:
    """Return the first sample and the one after the last of the speech in a recording, or None.

    Speech is what is louder, over 50 ms, than -50 dBFS, than 22 dB below the recording's loud
    parts, and than twice the background. A noise after the speech is taken for speech: give
    the end where it is known.
    """
    size = round(_SPEECH_WINDOW_S * rate)
    levels = _levels(samples, size)
    if not len(levels):
        return None
    power = np.convolve(levels**2, np.full(_SPEECH_WINDOWS, 1 / _SPEECH_WINDOWS), "same")
    smooth = np.sqrt(power[: len(levels)])
    background = 2 * float(np.quantile(smooth, 0.1))
    peak = float(np.quantile(smooth, 0.95))
    threshold = max(10 ** (-50 / 20), peak * 10 ** (-22 / 20), min(background, peak / 4))
    # The mean reaches 20 ms beyond the speech, so the window itself has to be loud too.
    loud = np.flatnonzero((smooth > threshold) & (levels > threshold))
    if not len(loud):
        return None
    return int(loud[0] * size), int(min((loud[-1] + 1) * size, len(samples)))


def first_sound(frames: Sequence[SoundArrival], after: float) -> float | None:
    """Return the first moment not before `after` at which sound could be played, or None."""
    for frame in frames:
        if frame.first_sound is None or frame.last_sound is None:
            continue
        if frame.arrival + frame.last_sound > after:
            return max(after, frame.arrival + frame.first_sound)
    return None


def began_early(frames: Sequence[SoundArrival], end: float, began: float) -> bool:
    """Return whether the sound that `first_sound` found at `began` goes on from before `end`:
    there is sound before `end` too, and less than 0.3 s of silence between the two.
    """
    sounds = (
        min(end, frame.arrival + frame.last_sound)
        for frame in frames
        if frame.first_sound is not None
        and frame.last_sound is not None
        and frame.arrival + frame.first_sound < end
    )
    last = max(sounds, default=None)
    return last is not None and began - last < SILENCE_S


def silent_from(frames: Sequence[SoundArrival], after: float) -> float | None:
    """Return the moment from which there was no sound for 0.3 s, at earliest `after`, or None.

    Nothing is concluded before frames of the whole 0.3 s have come.
    """
    silent = after
    for frame in frames:
        if frame.first_sound is not None and frame.last_sound is not None:
            end = frame.arrival + frame.last_sound
            if frame.arrival + frame.first_sound - silent >= SILENCE_S:
                return silent
            silent = max(silent, end)
        elif frame.arrival - silent >= SILENCE_S:
            return silent
    return None


def timestamp_distance(timestamp: int, reference: int) -> int:
    """Return `timestamp` less `reference`, -2^31 to 2^31 - 1, across a wrap (RFC 3550 5.1)."""
    half = _RTP_RANGE // 2
    return (timestamp - reference + half) % _RTP_RANGE - half


def transits(arrivals: Sequence[SoundArrival] | Sequence[PictureArrival]) -> NDArray[np.float64]:
    """Return arrival less media time of each, float64 [n] seconds."""
    return np.array([item.arrival - item.media for item in arrivals], np.float64)


def av_offset(sounds: Sequence[SoundArrival], pictures: Sequence[PictureArrival]) -> float | None:
    """Return the audio/video offset in seconds, positive when pictures are late, or None."""
    if not sounds or not pictures:
        return None
    return float(np.median(transits(pictures)) - np.median(transits(sounds)))


def sync_error(
    sound_points: Sequence[tuple[float, float]], picture_points: Sequence[tuple[float, float]]
) -> float | None:
    """Return the offset that the sender reports lead to, in seconds, or None without reports.

    Args:
        sound_points: (wall clock of the sender, media time) of each report, in seconds.
        picture_points: the same of the pictures.
    """
    if not sound_points or not picture_points:
        return None
    sound = np.median([wall - media for wall, media in sound_points])
    picture = np.median([wall - media for wall, media in picture_points])
    return float(picture - sound)


def on_time_share(pictures: Sequence[PictureArrival], per_second: int = 25) -> float | None:
    """Return the share of pictures on time, 0 to 1, or None when there are none."""
    if not pictures:
        return None
    spread = transits(pictures)
    media = [picture.media for picture in pictures]
    expected = max(len(pictures), round((max(media) - min(media)) * per_second) + 1)
    on_time = np.abs(spread - np.median(spread)) <= ON_TIME_S + 1e-9
    return float(on_time.sum() / expected)


def flash_click_offset(flashes: Sequence[float], clicks: Sequence[float]) -> float | None:
    """Return the median of flash less its nearest click in seconds, or None without pairs.

    Args:
        flashes: when each was seen, in seconds.
        clicks: when each was heard, on the same clock.
    """
    if not flashes or not clicks:
        return None
    moments = np.array(clicks, np.float64)
    offsets = [flash - moments[np.argmin(np.abs(moments - flash))] for flash in flashes]
    return float(np.median(offsets))


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that `share` of the values do not exceed, or None without any."""
    if not values:
        return None
    return float(np.quantile(np.array(values, np.float64), share, method="inverted_cdf"))


def _levels(samples: NDArray[np.float32], size: int) -> NDArray[np.float64]:
    """Return the RMS of each window of `size` samples; the last may be shorter."""
    if not len(samples):
        return np.zeros(0, np.float64)
    padded = np.pad(samples.astype(np.float64), (0, -len(samples) % size))
    levels: NDArray[np.float64] = np.sqrt(np.mean(padded.reshape(-1, size) ** 2, axis=1))
    return levels
