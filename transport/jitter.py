"""Jitter buffers that release media as soon as it is whole.

aiortc's own wait for later packets: 80 ms for sound and a whole picture for video, and after a
lost packet its sound stays up to 300 ms late for the rest of the call. These take its place in a
receiver; they keep its interface.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from aiortc.jitterbuffer import JitterFrame
from aiortc.rtp import RtpPacket

# Packets that overtake a missing one before it is given up: two are 40 ms of sound.
VOICE_PATIENCE: Final = 2
# A picture's missing packet can be asked for again; a keyframe of 100 KB has 80 packets.
PICTURE_PATIENCE: Final = 128
# Sequence numbers this far behind are from a stream that began anew, not late.
RESTART: Final = 1000


def _ahead(sequence: int, reference: int) -> int:
    """Return how far `sequence` is ahead of `reference`, -32768 to 32767 (RFC 3550 arithmetic)."""
    return (sequence - reference + 32_768) % 65_536 - 32_768


def _payload(packet: RtpPacket) -> bytes:
    """Return the media in a packet, which aiortc has freed from the payload format's headers."""
    data: bytes = packet._data  # type: ignore[attr-defined]
    return data


class VoiceFrames(JitterFrame):
    """Frames that are due at once: itself the first, which is all that aiortc knows of."""

    def __init__(self, packets: list[RtpPacket]) -> None:
        first, *rest = packets
        super().__init__(_payload(first), first.timestamp)
        self._rest = [
            (_payload(packet), (packet.timestamp - first.timestamp) % (1 << 32)) for packet in rest
        ]

    def following(self) -> list[JitterFrame]:
        """Return the others, as far after the first as they were when it has been given its time
        in the stream.
        """
        return [JitterFrame(data, self.timestamp + later) for data, later in self._rest]


class VoiceBuffer:
    """Orders packets of one frame each. Holds back only what overtook a missing packet, and
    releases all of it as soon as that packet has come or is given up.
    """

    def __init__(self) -> None:
        self._next: int | None = None
        self._held: dict[int, RtpPacket] = {}
        self.origin: int | None = None

    def add(self, packet: RtpPacket) -> tuple[bool, VoiceFrames | None]:
        """Take a packet; return (False, the frames that are due or None)."""
        sequence = packet.sequence_number
        if self._next is None or abs(_ahead(sequence, self._next)) > RESTART:
            self._next = sequence
            self._held.clear()
        if _ahead(sequence, self._next) >= 0:
            self._held[sequence] = packet
        if self._next not in self._held and len(self._held) > VOICE_PATIENCE:
            start = self._next
            self._next = min(self._held, key=lambda held: _ahead(held, start))
        due: list[RtpPacket] = []
        while (found := self._held.pop(self._next, None)) is not None:
            due.append(found)
            self._next = (self._next + 1) % 65_536
        if not due:
            return False, None
        if self.origin is None:
            self.origin = due[0].timestamp
        return False, VoiceFrames(due)


@dataclass(frozen=True, slots=True)
class ReceivedPicture:
    """An encoded picture as it came: `timestamp` is its RTP timestamp (90 kHz)."""

    data: bytes
    timestamp: int


class PictureBuffer:
    """Joins the packets of a picture and hands it to `deliver` with its last packet.

    Nothing is returned to aiortc, so its decoder stays idle: the taker decodes when it wants to.
    """

    def __init__(self, deliver: Callable[[ReceivedPicture], None]) -> None:
        self._deliver = deliver
        self._next: int | None = None
        self._held: dict[int, RtpPacket] = {}

    def add(self, packet: RtpPacket) -> tuple[bool, None]:
        """Take a packet; return (whether a keyframe is needed because one was lost, None)."""
        sequence = packet.sequence_number
        if self._next is None or abs(_ahead(sequence, self._next)) > RESTART:
            self._next = sequence
            self._held.clear()
        if _ahead(sequence, self._next) >= 0:
            self._held[sequence] = packet
        while self._release():
            pass
        lost = self._overdue()
        if lost:
            self._skip_damaged()
            while self._release():
                pass
        return lost, None

    def _run(self) -> list[RtpPacket]:
        """Return the packets from the next one on, up to the end of a picture or a gap."""
        assert self._next is not None
        packets: list[RtpPacket] = []
        sequence = self._next
        while packet := self._held.get(sequence):
            packets.append(packet)
            sequence = (sequence + 1) % 65_536
            if packet.marker:
                break
        return packets

    def _release(self) -> bool:
        packets = self._run()
        if not packets or not packets[-1].marker:
            return False
        for packet in packets:
            del self._held[packet.sequence_number]
        self._next = (packets[-1].sequence_number + 1) % 65_536
        data = b"".join(_payload(packet) for packet in packets)
        self._deliver(ReceivedPicture(data, packets[0].timestamp))
        return True

    def _overdue(self) -> bool:
        """Whether so many packets have overtaken a missing one that it will not come."""
        return len(self._held) > PICTURE_PATIENCE and (
            len(self._held) - len(self._run()) > PICTURE_PATIENCE
        )

    def _skip_damaged(self) -> None:
        start = self._next
        assert start is not None
        run = self._run()
        order = sorted(self._held, key=lambda held: _ahead(held, start))
        # Both the picture that breaks off at the gap and the one that follows it are in doubt.
        damaged = {packet.timestamp for packet in run}
        damaged.add(self._held[order[len(run)]].timestamp)
        kept = [sequence for sequence in order if self._held[sequence].timestamp not in damaged]
        self._held = {sequence: self._held[sequence] for sequence in kept}
        self._next = kept[0] if kept else (order[-1] + 1) % 65_536
