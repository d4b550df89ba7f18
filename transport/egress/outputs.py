"""Opening an output: the container that FFmpeg writes, and what is put in its place at the end."""

import contextlib
import fcntl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av

from transport.egress.errors import OutputError
from transport.egress.muxing import Muxer, explained
from transport.egress.packets import Packet
from transport.egress.rtmp import RtmpPublisher
from transport.egress.targets import HlsTarget, RecordingTarget, RtmpTarget, Target

KEYFRAME_SECONDS: Final = 2

# What is written leaves at once; and a picture is not kept waiting longer than a second for sound
# that does not come, or the reverse.
_PROMPT: Final = {"flush_packets": "1", "max_interleave_delta": "1000000"}
_OWN_HLS_FILES: Final = ("index.m3u8", "index.m3u8.tmp", "init.mp4", "segment_*.m4s*")


@dataclass(frozen=True, slots=True)
class Job:
    """What a process writes.

    Attributes:
        target: where to.
        size: (width, height) of the pictures; None for sound alone.
        part: how often it was begun, from 1: after the first, an HLS playlist is continued and
            a recording goes on in another file.
        timeout: seconds an ingest may take to answer.
    """

    target: Target
    size: tuple[int, int] | None
    part: int
    timeout: float


class Output:
    """An output that has been opened. `close` finishes it, or `add` and `close` raise."""

    def __init__(self, muxer: Muxer, done: Callable[[], None]) -> None:
        self._muxer = muxer
        self._done = done

    def add(self, packet: Packet) -> None:
        """Write a packet.

        Raises:
            OutputError: it cannot be written.
        """
        self._muxer.add(packet)

    def close(self) -> None:
        """Finish it.

        Raises:
            OutputError: it cannot be finished, or nothing was written.
        """
        with explained():
            self._muxer.close()
            self._done()


def open_output(job: Job) -> Output:
    """Open the output of a job.

    Raises:
        OutputError: it cannot be opened.
    """
    with explained():
        if isinstance(job.target, RtmpTarget):
            return _open_rtmp(job, job.target)
        if isinstance(job.target, HlsTarget):
            return _open_hls(job, job.target)
        return _open_recording(job, job.target)


def salvage(target: Target, part: int, written: int) -> bool:
    """Keep what a process wrote before it broke; return whether there is anything to go on from.

    A recording is put in its place: it is in fragments, each playable without what was to follow.

    Args:
        target: where to.
        part: the part that broke.
        written: packets that were written.
    """
    if not isinstance(target, RecordingTarget):
        return written > 0
    partial = target.partial(part)
    try:
        with _locked(partial):
            if playable := _has_fragment(partial):
                partial.replace(target.part(part))
            else:
                partial.unlink()
    except OSError:
        return False
    return playable


def _open_rtmp(job: Job, target: RtmpTarget) -> Output:
    publisher = RtmpPublisher(target, job.timeout)
    container = av.open(
        publisher,
        "w",
        format="flv",
        options={"flvflags": "no_duration_filesize", **_PROMPT},
    )
    return Output(Muxer(container, job.size), publisher.close)


def _open_hls(job: Job, target: HlsTarget) -> Output:
    folder = target.path.parent
    folder.mkdir(parents=True, exist_ok=True)
    flags = ["independent_segments", "temp_file"]
    if job.part > 1:
        flags.append("append_list")
    _clear(folder, continued=job.part > 1)
    if target.playlist == "sliding":
        flags.append("delete_segments")
    options = {
        "hls_time": str(KEYFRAME_SECONDS),
        "hls_list_size": str(target.segments if target.playlist == "sliding" else 0),
        "hls_flags": "+".join(flags),
        "hls_segment_type": "fmp4",
        # Times go on where a process before this one stopped, after the same initialisation.
        "hls_segment_options": "movflags=+frag_discont",
        "hls_fmp4_init_filename": "init.mp4",
        "hls_segment_filename": str(folder / "segment_%06d.m4s"),
        **({"hls_playlist_type": "event"} if target.playlist == "event" else {}),
        **_PROMPT,
    }
    container = av.open(str(target.path), "w", format="hls", options=options)
    return Output(Muxer(container, job.size, zero=0), lambda: None)


def _open_recording(job: Job, target: RecordingTarget) -> Output:
    final, partial = target.part(job.part), target.partial(job.part)
    if final.exists():
        raise OutputError(f"{target} exists", retryable=False)
    final.parent.mkdir(parents=True, exist_ok=True)
    partial.touch()  # PyAV would not notice before the first packet that it cannot write
    try:
        lock = contextlib.ExitStack()
        lock.enter_context(_locked(partial))
    except BlockingIOError as error:
        raise OutputError(f"{target} is being made", retryable=False) from error
    # Fragments while it is written; at the end an index of the whole file takes their place.
    options = {
        "movflags": "hybrid_fragmented+delay_moov+frag_keyframe",
        "frag_duration": str(KEYFRAME_SECONDS * 1_000_000),
        **_PROMPT,
    }
    container = av.open(str(partial), "w", format="mp4", options=options)

    def finish() -> None:
        partial.replace(final)
        lock.close()

    return Output(Muxer(container, job.size), finish)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a file for this process alone; a process that dies lets go of it.

    Raises:
        BlockingIOError: another process holds it.
    """
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def _clear(folder: Path, *, continued: bool) -> None:
    """Delete what earlier processes left, but not what a playlist that is continued lists."""
    playlist = folder / "index.m3u8"
    listed = playlist.read_text("utf-8").split() if continued and playlist.exists() else []
    kept = {"index.m3u8", "init.mp4", *listed} if continued else set()
    for pattern in _OWN_HLS_FILES:
        for path in folder.glob(pattern):
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _has_fragment(path: Path) -> bool:
    """Return whether an MP4 file holds a fragment: a top-level box "moof" (ISO 14496-12)."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        while len(head := file.read(16)) >= 8:
            length, kind = int.from_bytes(head[:4], "big"), head[4:8]
            if kind == b"moof":
                return True
            if length == 1:
                length = int.from_bytes(head[8:16], "big")
            if length < 8:
                return False
            file.seek(length - len(head), 1)
    return False
