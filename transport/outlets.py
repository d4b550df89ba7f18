"""Where streams go beside their viewers: each outlet is an egress that ends with its stream."""

import asyncio
import logging
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from transport.egress.egress import Egress, open_egress
from transport.egress.states import EgressEvent, EgressStatistics
from transport.egress.targets import HlsTarget, RecordingTarget, RtmpTarget, Target
from transport.errors import OutletNotFoundError, OutletsFullError
from transport.streams import Stream

# Outlets of one stream; each is a process.
MOST_OUTLETS: Final = 4

logger = logging.getLogger(__name__)


class Outlet:
    """One egress of one stream: a `transport.streams.Guest`."""

    def __init__(self, stream: Stream, target: Target) -> None:
        self.id = f"egr_{secrets.token_urlsafe(12)}"
        self.stream = stream
        self.target = target
        self._egress: Egress | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def kind(self) -> str:
        """What it is: "rtmp", "hls" or "recording"."""
        kinds = {RtmpTarget: "rtmp", HlsTarget: "hls", RecordingTarget: "recording"}
        return kinds[type(self.target)]

    @property
    def file(self) -> str | None:
        """What it writes, below the folder of egress; None where it writes none."""
        if isinstance(self.target, RecordingTarget):
            return f"recordings/{self.target.name}.mp4"
        return f"hls/{self.target.name}/index.m3u8" if isinstance(self.target, HlsTarget) else None

    @property
    def statistics(self) -> EgressStatistics:
        """How it is doing."""
        assert self._egress is not None
        return self._egress.statistics

    @property
    def closing(self) -> bool:
        """Whether it has ended, or is about to."""
        return self._closing is not None

    def open(self) -> None:
        """Send from the next keyframe on; returns at once.

        Raises:
            ConfigurationError: its target cannot take the stream's pictures.
        """
        session = self.stream.session
        video = session.options.video
        self._egress = open_egress(
            self.target,
            size=(video.width, video.height) if video else None,
            request_keyframe=session.request_keyframe,
            told=self._told,
        )
        self.stream.enter(self)
        self.stream.add_output(self._egress)

    def end(self, reason: str) -> None:
        """Finish soon."""
        if self._closing is None:
            logger.info("%s of stream %s ends: %s", self.id, self.stream.name, reason)
            self._closing = asyncio.create_task(self._close(), name=f"close {self.id}")

    async def close(self) -> None:
        """Finish what is written and wait for it. Idempotent."""
        self.end("closed")
        assert self._closing is not None
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        assert self._egress is not None
        self.stream.remove_output(self._egress)
        try:
            await self._egress.close()
        finally:
            self.stream.leave(self)

    def _told(self, event: EgressEvent) -> None:
        logger.info("%s of stream %s: %s", self.id, self.stream.name, event.message)
        if event.statistics.state == "failed":
            self.end("it has failed")


class Outlets:
    """All outlets of all streams.

    Args:
        folder: where playlists and recordings are kept.
        allow_private: whether an ingest may have a private, local or link-local address.
    """

    def __init__(self, folder: Path, *, allow_private: bool = False) -> None:
        self.folder = folder
        self.allow_private = allow_private
        self._outlets: dict[str, Outlet] = {}

    @property
    def playlists(self) -> Path:
        """Folder of the HLS playlists, one folder each."""
        return self.folder / "hls"

    @property
    def recordings(self) -> Path:
        """Folder of the recordings."""
        return self.folder / "recordings"

    def of(self, stream: Stream) -> Iterator[Outlet]:
        """Go through a stream's outlets in order, with the last that have ended."""
        return (one for one in tuple(self._outlets.values()) if one.stream is stream)

    def open(self, stream: Stream, target: Target) -> Outlet:
        """Open an outlet; returns at once.

        Raises:
            OutletsFullError: the stream has as many as it may, or one to the same place.
            ConfigurationError: its target cannot take the stream's pictures.
        """
        running = [one for one in self.of(stream) if not one.closing]
        if len(running) >= MOST_OUTLETS:
            raise OutletsFullError(f"a stream has at most {MOST_OUTLETS} outlets; end one first")
        if any(one.target == target for one in self._outlets.values() if not one.closing):
            raise OutletsFullError(f"{target} is being written already")
        self._forget_ended()
        outlet = Outlet(stream, target)
        outlet.open()
        self._outlets[outlet.id] = outlet
        return outlet

    def get(self, stream: Stream, outlet_id: str) -> Outlet:
        """Return an outlet.

        Raises:
            OutletNotFoundError: the stream has none of that id.
        """
        outlet = self._outlets.get(outlet_id)
        if outlet is None or outlet.stream is not stream:
            raise OutletNotFoundError(f"stream {stream.name!r} has no egress {outlet_id[:60]!r}")
        return outlet

    async def close(self, outlet: Outlet) -> None:
        """Finish an outlet and forget it."""
        await outlet.close()
        self._outlets.pop(outlet.id, None)

    def _forget_ended(self) -> None:
        """Keep no more than a stream's worth of outlets that have ended, for whoever asks why."""
        ended = [one for one in self._outlets.values() if one.closing]
        for outlet in ended[:-MOST_OUTLETS]:
            del self._outlets[outlet.id]
