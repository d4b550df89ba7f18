"""The queue between a session and the process that writes its output."""

from collections import deque
from dataclasses import dataclass
from threading import Condition, Event
from typing import Final

# As in pipeline.contract, which the process that writes does without: it takes long to import.
WIRE_RATE: Final = 48_000
PICTURES_PER_SECOND: Final = 25

QUEUE_SECONDS: Final = 10.0
QUEUE_BYTES: Final = 32 << 20


@dataclass(frozen=True, slots=True)
class Packet:
    """A picture, or 20 ms of sound.

    Attributes:
        data: an H264 access unit with start codes (Annex B), or int16 samples, mono, 48 kHz.
        position: media time in samples at 48 kHz.
        sound: whether it is sound.
        keyframe: a picture that decodes without earlier ones.
    """

    data: bytes
    position: int
    sound: bool
    keyframe: bool = False


class PacketQueue:
    """Bounded in media time and in bytes. When it is full, all before the next keyframe goes.

    `put` never waits: it belongs to the event loop. `get` belongs to one other thread.

    Args:
        pictures: whether there are pictures; without them sound alone is dropped, oldest first.

    Attributes:
        dropped: packets that were put in and will never come out.
    """

    def __init__(self, *, pictures: bool) -> None:
        self._pictures = pictures
        self._packets: deque[Packet] = deque()
        self._bytes = 0
        self._changed = Condition()
        self._finished = False
        self._wants_keyframe = pictures
        self._last = {True: -1, False: -1}
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._packets)

    @property
    def finished(self) -> bool:
        """Whether `finish` has been called."""
        return self._finished

    def put(self, packet: Packet) -> int:
        """Add a packet and return how many were dropped for it.

        One that does not come later than the one before it is dropped itself; so are, after a
        picture was dropped, pictures up to a keyframe.
        """
        with self._changed:
            before = self.dropped
            if self._finished or packet.position <= self._last[packet.sound]:
                self.dropped += 1
                self._wants_keyframe |= not packet.sound
            elif not packet.sound and self._wants_keyframe and not packet.keyframe:
                self.dropped += 1
            else:
                self._add(packet)
            self._changed.notify()
            return self.dropped - before

    def get(self, given_up: Event) -> Packet | None:
        """Wait for the next packet; None when there is none after `finish`, or once `given_up` is
        set and `wake` called.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._packets or self._finished or given_up.is_set())
            return None if given_up.is_set() or not self._packets else self._pop()

    def wake(self) -> None:
        """Let `get` look again whether it is still to wait."""
        with self._changed:
            self._changed.notify()

    def start_over(self, *, live: bool) -> int | None:
        """Begin at a keyframe, for an output that has none of what came before.

        Args:
            live: begin at the newest keyframe, not at the oldest.

        Returns:
            The keyframe's position; None when one has yet to come, or there are no pictures.
        """
        with self._changed:
            if not self._pictures:
                return None
            starts = self._starts()
            self._drop_to(starts[-1 if live else 0] if starts else len(self._packets))
            return next((packet.position for packet in self._packets if packet.keyframe), None)

    def finish(self) -> None:
        """Take nothing more; what is in it still comes out. Idempotent."""
        with self._changed:
            self._finished = True
            self._changed.notify()

    def clear(self) -> None:
        """Drop all that is in it."""
        with self._changed:
            while self._packets:
                self._drop()

    def _add(self, packet: Packet) -> None:
        self._last[packet.sound] = packet.position
        if not packet.sound:
            self._wants_keyframe = False
        self._packets.append(packet)
        self._bytes += len(packet.data)
        if self._full(packet):
            self._make_room()

    def _full(self, newest: Packet) -> bool:
        span = newest.position - self._packets[0].position
        return span > QUEUE_SECONDS * WIRE_RATE or self._bytes > QUEUE_BYTES

    def _make_room(self) -> None:
        if not self._pictures:
            self._drop()
            return
        starts = self._starts()
        self._drop_to(next((start for start in starts if start > 0), len(self._packets)))

    def _starts(self) -> list[int]:
        """Return where keyframes begin: the sound of a keyframe's own time may come before it."""
        packets = list(self._packets)
        starts = []
        for index, packet in enumerate(packets):
            if packet.keyframe:
                start = index
                while start and packets[start - 1].position >= packet.position:
                    start -= 1
                starts.append(start)
        return starts

    def _drop_to(self, start: int) -> None:
        for _ in range(start):
            self._drop()
        self._wants_keyframe = not any(packet.keyframe for packet in self._packets)

    def _pop(self) -> Packet:
        packet = self._packets.popleft()
        self._bytes -= len(packet.data)
        return packet

    def _drop(self) -> None:
        self._pop()
        self.dropped += 1
