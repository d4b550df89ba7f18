"""What is measured in the pictures a caller received: flashes, and the opening of the mouth."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from transport.caller import Caller
from transport.measure import flash_click_offset
from transport.recording import decode_pictures

_BRIGHT: Final = 125
_OPEN_HZ: Final = (500.0, 1200.0)
_CLICK_GAP_S: Final = 0.3
_STEP_S: Final = 0.005
_WIDEST_LAG_S: Final = 0.3
_MOVES: Final = 0.5  # standard deviation of luma below which a block stands still


def flash_offset(caller: Caller) -> float | None:
    """Return picture less sound in seconds, from the arrivals of flashes and clicks, or None."""
    flashes = []
    dark = True
    for frame, arrival in zip(_decoded(caller), caller.pictures, strict=True):
        bright = frame is not None and float(_luma(frame).mean()) > _BRIGHT
        if bright and dark:
            flashes.append(arrival.arrival)
        dark = not bright
    return flash_click_offset(flashes, _clicks(caller))


def lip_offset(caller: Caller) -> float | None:
    """Return how late the mouth moves against the voice, in seconds of media time, or None.

    The lag at which the opening of the mouth (how dark its region of the picture is) correlates
    best with how open the voice sounds. Lips anticipate many sounds, so a little below zero is
    what a person shows as well.
    """
    if not caller.samples or not caller.pictures:
        return None
    times = np.array([picture.media for picture in caller.pictures])
    darkness = _darkness(caller, times)
    if darkness is None:
        return None
    grid = np.arange(float(times[0]), float(times[-1]), _STEP_S)
    return _best_lag(np.interp(grid, times, darkness), _openness(caller, grid))


def _decoded(caller: Caller) -> Iterator[VideoFrame | None]:
    return decode_pictures(caller.codec or "vp8", caller.coded)


def _luma(frame: VideoFrame) -> NDArray[np.uint8]:
    return frame.to_ndarray(format="gray").astype(np.uint8, copy=False)


def _clicks(caller: Caller) -> list[float]:
    """Return when each burst of sound began to arrive."""
    began: list[float] = []
    last = -1.0
    for sound in caller.sounds:
        if sound.first_sound is None or sound.last_sound is None:
            continue
        start = sound.arrival + sound.first_sound
        if start - last > _CLICK_GAP_S:
            began.append(start)
        last = sound.arrival + sound.last_sound
    return began


def _darkness(caller: Caller, times: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return how dark the mouth's region is in each picture, None when nothing moves.

    The region is found in the pictures themselves: the block of the upper half whose darkness
    follows the voice best at any lag up to 0.3 s.
    """
    blocks = [_blocks(frame) if frame is not None else None for frame in _decoded(caller)]
    known = next((block for block in blocks if block is not None), None)
    if known is None:
        return None
    filled = []
    for block in blocks:
        known = known if block is None else block
        filled.append(255 - known.ravel())
    series = np.array(filled)
    place = _mouth(series, _openness(caller, times))
    return None if place is None else series[:, place]


def _mouth(series: NDArray[np.float64], voice: NDArray[np.float64]) -> int | None:
    """Return the column of `series` [pictures, blocks] that correlates best with `voice`."""
    moving = series.std(0) > _MOVES
    if not moving.any() or not voice.std():
        return None
    most = round(_WIDEST_LAG_S * 25)
    scores = np.full(series.shape[1], -1.0)
    for lag in range(-most, most + 1):
        own = series[most + lag : len(series) - most + lag]
        other = voice[most : len(voice) - most]
        own, other = own - own.mean(0), other - other.mean()
        spread = own.std(0) * other.std() * len(other) + 1e-9
        scores = np.maximum(scores, np.where(moving, other @ own / spread, -1.0))
    return int(np.argmax(scores))


def _blocks(frame: VideoFrame, size: int = 10) -> NDArray[np.float64]:
    """Return mean luma in blocks of `size` pixels over the upper half."""
    luma = _luma(frame)[: frame.height // 2]
    height, width = luma.shape[0] // size, luma.shape[1] // size
    cut = luma[: height * size, : width * size].astype(np.float64)
    blocks: NDArray[np.float64] = cut.reshape(height, size, width, size).mean((1, 3))
    return blocks


def _openness(caller: Caller, grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how open the voice sounds at each moment of `grid`, in seconds of media time.

    The root of the sound between 500 and 1200 Hz: the first formant of open vowels lies there,
    that of closed ones and of nasals below. Loudness follows the jaw far less closely, above all
    in Mandarin.
    """
    times, levels = [], []
    for position, samples in caller.samples:
        window = np.hanning(len(samples))
        spectrum = np.abs(np.fft.rfft(samples / 32768.0 * window))
        frequencies = np.fft.rfftfreq(len(samples), 1 / 48_000)
        band = (frequencies >= _OPEN_HZ[0]) & (frequencies <= _OPEN_HZ[1])
        times.append((position + len(samples) / 2) / 48_000)
        levels.append(float(np.sqrt(np.sqrt(np.mean(spectrum[band] ** 2)))))
    openness: NDArray[np.float64] = np.interp(grid, times, levels)
    return openness


def _best_lag(mouth: NDArray[np.float64], voice: NDArray[np.float64]) -> float | None:
    smooth = np.ones(round(0.08 / _STEP_S)) / round(0.08 / _STEP_S)
    voice = np.convolve(voice, smooth, "same")
    mouth = mouth - mouth.mean()
    voice = voice - voice.mean()
    if not mouth.std() or not voice.std():
        return None
    most = round(_WIDEST_LAG_S / _STEP_S)
    scores = [
        float(np.dot(mouth[most + lag : len(mouth) - most + lag], voice[most : len(voice) - most]))
        for lag in range(-most, most + 1)
    ]
    return (int(np.argmax(scores)) - most) * _STEP_S
