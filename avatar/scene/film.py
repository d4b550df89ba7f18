"""Looping video behind the figure: decoded ahead of time by a thread, shown by media time."""

import logging
from collections.abc import Generator, Iterator
from fractions import Fraction
from threading import Condition, Thread
from typing import Any, Final

import av
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from avatar.errors import AvatarValueError
from avatar.renderer.camera import Shot
from avatar.scene.pictures import located
from avatar.scene.place import Place
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import Window, inside

_LOG: Final = logging.getLogger(__name__)
Texels = NDArray[np.uint8]

AHEAD: Final = 10  # pictures kept decoded
LONGEST: Final = 20_000  # pictures of a film
_MOST_PIXELS: Final = 4096 * 4096


def check_film(source: str) -> None:
    """Look at a film's head without decoding it.

    Raises:
        AvatarValueError: no such file, or no video that can be read.
    """
    _opened(source).close()


class FilmLoop:
    """A film that starts again when it ends. One thread decodes; another asks for pictures.

    Args:
        source: the file.
        size: (width, height) that the picture shall cover; it is cut to that shape, and made
            smaller where it is larger.
        patient: whether `picture` waits until the right one is decoded.

    Raises:
        AvatarValueError: as `check_film`, no pictures in it, or too many.
    """

    def __init__(self, source: str, size: tuple[int, int], *, patient: bool = False) -> None:
        self._container = _opened(source)
        self._source = source
        self._patient = patient
        try:
            self._times, self.duration = _timetable(self._container, source)
        except (AvatarValueError, FFmpegError):
            self._container.close()
            raise
        self.size = _cover(self._container, size)
        self._change = Condition()
        self._kept: dict[int, Texels] = {}
        self._wanted = 0
        self._closed = False
        self._thread = Thread(target=self._decode, name="film", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        """Return how many pictures one round has."""
        return len(self._times)

    def number_at(self, at: float) -> int:
        """Return which picture belongs to `at` seconds, counted through all rounds."""
        rounds, rest = divmod(max(at, 0.0), self.duration)
        index = int(np.searchsorted(self._times, rest + 1e-6, "right")) - 1
        return int(rounds) * len(self._times) + max(index, 0)

    def picture(self, at: float, *, wait: bool = False) -> tuple[int, Texels | None]:
        """Return the newest decoded picture that is due at `at` seconds, and its number.

        It does not wait unless told to (here or when opened): a picture that is late is left
        out, and the one before stays.

        Returns:
            Number and uint8 [height, width, 4] (Y', Cb, Cr, 0; bottom row first); -1 and None
            where nothing is decoded yet.
        """
        number = self.number_at(at)
        with self._change:
            self._wanted = number
            self._change.notify_all()
            if wait or self._patient:
                self._change.wait_for(lambda: self._closed or self._has(number))
            due = [kept for kept in self._kept if kept <= number]
            if not due:
                return -1, None
            newest = max(due)
            for old in due:
                if old != newest:
                    del self._kept[old]
            return newest, self._kept[newest]

    def close(self) -> None:
        """End the thread and close the file."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._thread.join()

    def _decode(self) -> None:
        try:
            while not self._closed:
                self._follow(self._wanted)
        except (FFmpegError, ValueError, StopIteration) as error:
            _LOG.warning("film %r stops at a picture: %s", self._source, error)
        finally:
            with self._change:
                self._closed = True
                self._change.notify_all()
            self._container.close()

    def _follow(self, number: int) -> None:
        """Decode from `number` on until another place is wanted."""
        while True:
            rounds, index = divmod(number, len(self._times))
            for picture in self._from(index):
                if not self._room_for(number):
                    return
                texels = self._texels(picture)
                with self._change:
                    self._kept[number] = texels
                    self._change.notify_all()
                number += 1
                if number // len(self._times) != rounds:
                    break
            else:
                # The file holds fewer pictures than it says: the rest is skipped.
                number = (rounds + 1) * len(self._times)

    def _room_for(self, number: int) -> bool:
        """Wait until `number` is near what is wanted; return whether to go on from there.

        After a jump of the media time, decoding begins again at the new place.
        """
        with self._change:
            self._change.wait_for(
                lambda: self._closed or number < self._wanted + AHEAD or self._is_past(number)
            )
            if self._closed or number < self._wanted - AHEAD or self._is_past(number):
                self._kept.clear()
                return False
            return True

    def _has(self, number: int) -> bool:
        """Whether `number`, or the one before it that stays, is decoded."""
        return bool(self._kept) and min(self._kept) <= number <= max(self._kept)

    def _is_past(self, number: int) -> bool:
        """Whether decoding, about to keep `number`, has left what is wanted behind."""
        return min(self._kept, default=number) > self._wanted

    def _from(self, index: int) -> Iterator[VideoFrame]:
        """Decode the pictures of one round from `index` on."""
        stream = self._container.streams.video[0]
        base = stream.time_base or Fraction(1, 1)
        start = self._times[index]
        first = stream.start_time or 0
        self._container.seek(first + int(start / base), stream=stream, backward=True)
        for picture in self._container.decode(stream):
            time = 0.0 if picture.pts is None else float((picture.pts - first) * base)
            if time > start - 1e-3:
                yield picture

    def _texels(self, picture: VideoFrame) -> Texels:
        width, height = self.size
        scale = max(width / picture.width, height / picture.height)
        wide = max(round(picture.width * scale), width)
        tall = max(round(picture.height * scale), height)
        planes = picture.reformat(
            wide, tall, "yuv444p", dst_colorspace="ITU709", dst_color_range="MPEG"
        ).to_ndarray()
        left, top = (wide - width) // 2, (tall - height) // 2
        cut = planes[:, top : top + height, left : left + width][:, ::-1]
        out = np.zeros((height, width, 4), np.uint8)
        for plane in range(3):
            out[..., plane] = cut[plane]
        return out


class FilmPainter:
    """A looping film; owns its `FilmLoop`."""

    live = True

    def __init__(self, programs: ScenePrograms, film: FilmLoop) -> None:
        self._programs = programs
        self._film = film
        self._texture = programs.context.texture(film.size, 4)
        self._texture.repeat_x = self._texture.repeat_y = False
        self._number = -1

    def steps(self, target: Any, place: Place) -> Generator[None]:
        """See `avatar.scene.painters.Painter`."""
        del target, place
        yield

    def show(self, window: Window, place: Place, at: float) -> None:
        """See `avatar.scene.painters.Painter`."""
        number, texels = self._film.picture(at)
        if texels is not None and number != self._number:
            self._texture.write(texels)
            self._number = number
        self._texture.use(0)
        self._programs.quad("plate", plate=0, part=inside(window, place.whole))

    def paint_front(self, place: Place, now: Shot) -> None:
        """See `avatar.scene.painters.Painter`."""

    def release(self) -> None:
        """See `avatar.scene.painters.Painter`."""
        self._film.close()
        self._texture.release()


def _opened(source: str) -> InputContainer:
    path = located(source)
    try:
        container = av.open(str(path))
    except (FFmpegError, OSError, ValueError) as error:
        raise AvatarValueError(f"video {source!r} ({error}); accepted: a video file") from error
    stream = next(iter(container.streams.video), None)
    if stream is None or not 0 < stream.width * stream.height <= _MOST_PIXELS:
        container.close()
        raise AvatarValueError(f"video {source!r}; accepted: a file with a video in it")
    return container


def _timetable(container: InputContainer, source: str) -> tuple[NDArray[np.float64], float]:
    """Return when each picture is shown, seconds from the first, and how long a round is."""
    stream = container.streams.video[0]
    base = stream.time_base or Fraction(1, 1)
    stamps: list[int] = []
    for packet in container.demux(stream):
        if packet.pts is not None and packet.size:
            stamps.append(packet.pts)
        if len(stamps) > LONGEST:
            raise AvatarValueError(f"video {source!r}; accepted: up to {LONGEST} pictures")
    if not stamps:
        raise AvatarValueError(f"video {source!r}; accepted: a video with pictures in it")
    times = np.unique(np.array(stamps, np.float64)) * float(base)
    times -= times[0]
    step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
    return times, float(times[-1]) + step


def _cover(container: InputContainer, size: tuple[int, int]) -> tuple[int, int]:
    stream = container.streams.video[0]
    share = min(1.0, stream.width / size[0], stream.height / size[1])
    return max(round(size[0] * share), 2), max(round(size[1] * share), 2)
