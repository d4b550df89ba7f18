"""The few places where aiortc offers no public way in. Nothing else here touches its privates.

1. A sender acts on feedback by itself: it tells its own encoder to make a keyframe or to change
   its rate, but packets that come encoded have another encoder, which has to be told. The one
   method that takes feedback (`_handle_rtcp_packet`) is wrapped on the instance.
2. A receiver's jitter buffer cannot be chosen (see `transport.jitter`); it is replaced in a
   receiver that has received nothing yet.
3. A receiver keeps the clock of the sender reports for itself; the same method is wrapped there.

Checked against aiortc 1.16; `tests/transport/test_aiortc_hooks.py` fails when a name moves.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiortc import RTCRtpReceiver, RTCRtpSender
from aiortc.rtp import (
    RTCP_PSFB_APP,
    RTCP_PSFB_FIR,
    RTCP_PSFB_PLI,
    AnyRtcpPacket,
    RtcpPsfbPacket,
    RtcpRrPacket,
    RtcpSrPacket,
    unpack_remb_fci,
)

from transport.jitter import PictureBuffer, VoiceBuffer

_JITTER_BUFFER = "_RTCRtpReceiver__jitter_buffer"


def _ignore(*_: object) -> None:
    return


@dataclass(frozen=True, slots=True)
class Feedback:
    """What to do with what a receiver tells the sender. Called on the event loop; must not raise.

    Attributes:
        keyframe_wanted: pictures were lost (PLI or FIR, RFC 4585, RFC 5104).
        bitrate_estimated: the receiver estimates the bits per second of its link (REMB).
        round_trip_measured: a receiver report gave a new round-trip time, smoothed, in seconds.
    """

    keyframe_wanted: Callable[[], None] = _ignore
    bitrate_estimated: Callable[[int], None] = _ignore
    round_trip_measured: Callable[[float], None] = _ignore


@dataclass(frozen=True, slots=True)
class SenderReport:
    """A point that the sender's wall clock and the stream's RTP clock have in common.

    Attributes:
        wall: seconds since 1900 on the sender's clock.
        timestamp: RTP timestamp at that moment.
    """

    wall: float
    timestamp: int


def watch_feedback(sender: RTCRtpSender, feedback: Feedback) -> None:
    """Tell `feedback` what the far end reports about the sender's stream."""

    async def look(packet: AnyRtcpPacket) -> None:
        if isinstance(packet, RtcpPsfbPacket):
            _pass_on(packet, feedback)
        elif isinstance(packet, RtcpRrPacket | RtcpSrPacket):
            round_trip = await _round_trip(sender)
            if round_trip is not None:
                feedback.round_trip_measured(round_trip)

    _wrap(sender, look)


def watch_reports(receiver: RTCRtpReceiver, taken: Callable[[SenderReport], None]) -> None:
    """Hand over every sender report that the receiver gets, unless it is still empty."""

    async def look(packet: AnyRtcpPacket) -> None:
        if isinstance(packet, RtcpSrPacket) and packet.sender_info.packet_count:
            info = packet.sender_info
            taken(SenderReport(info.ntp_timestamp / 2**32, info.rtp_timestamp))

    _wrap(receiver, look)


def replace_jitter_buffer(receiver: RTCRtpReceiver, buffer: VoiceBuffer | PictureBuffer) -> None:
    """Give a receiver that has received nothing yet another jitter buffer."""
    if not hasattr(receiver, _JITTER_BUFFER):
        raise AttributeError(f"aiortc's receiver has no {_JITTER_BUFFER}")
    setattr(receiver, _JITTER_BUFFER, buffer)


def _wrap(
    endpoint: RTCRtpSender | RTCRtpReceiver, look: Callable[[AnyRtcpPacket], Awaitable[None]]
) -> None:
    handle = endpoint._handle_rtcp_packet

    async def handle_and_look(packet: AnyRtcpPacket) -> None:
        await handle(packet)
        await look(packet)

    target: Any = endpoint
    target._handle_rtcp_packet = handle_and_look


def _pass_on(packet: RtcpPsfbPacket, feedback: Feedback) -> None:
    if packet.fmt in (RTCP_PSFB_PLI, RTCP_PSFB_FIR):
        feedback.keyframe_wanted()
    elif packet.fmt == RTCP_PSFB_APP:
        try:
            bitrate, _ = unpack_remb_fci(packet.fci)
        except ValueError:  # another application's packet
            return
        feedback.bitrate_estimated(bitrate)


async def _round_trip(sender: RTCRtpSender) -> float | None:
    stats = await sender.getStats()
    for entry in stats.values():
        if entry.type == "remote-inbound-rtp":
            value: float | None = entry.roundTripTime
            return value
    return None
