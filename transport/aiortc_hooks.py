"""The few places where aiortc offers no public way in. Nothing else here touches its privates.

1. A sender acts on feedback by itself: it tells its own encoder to make a keyframe or to change
   its rate, but packets that come encoded have another encoder, which has to be told. The one
   method that takes feedback (`_handle_rtcp_packet`) is wrapped on the instance.
2. A receiver's jitter buffer cannot be chosen (see `transport.jitter`); it is replaced in a
   receiver that has received nothing yet, and so is the inbox of its decoder, which takes one
   frame at a time.
3. A receiver keeps the clock of the sender reports for itself; the same method is wrapped there.
4. What a far end may make us keep has no bounds: pieces of messages whose end never comes
   (searched from the beginning with each further piece), and statistics of every source that it
   names. Who exceeds the bounds here is no peer of good will, and the call ends.
5. A server that would tell our addresses is waited for during five seconds.
6. Who begins DTLS is decided by aiortc.
7. All packets of a picture leave at once; for a thin link they are spread over time.
8. A connection says goodbye when it is closed, and what does not is to be tried too.

Checked against aiortc 1.16; `tests/transport/test_aiortc_hooks.py` fails when a name moves.
"""

import asyncio
import functools
import queue
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from aiortc import RTCPeerConnection, RTCRtpReceiver, RTCRtpSender, RTCSctpTransport
from aiortc.rtp import (
    RTCP_PSFB_APP,
    RTCP_PSFB_FIR,
    RTCP_PSFB_PLI,
    AnyRtcpPacket,
    RtcpPsfbPacket,
    RtcpRrPacket,
    RtcpSrPacket,
    RtpPacket,
    unpack_remb_fci,
)

from transport.jitter import PictureBuffer, VoiceBuffer, VoiceFrames

# What a far end may leave unfinished on its data channels. The longest message that is accepted
# has 64 KiB and comes in some 60 pieces; when a packet is lost, a few messages wait behind it.
MAX_HELD_BYTES: Final = 512 * 1024
MAX_HELD_PIECES: Final = 2048
MAX_STREAMS: Final = 64
# Sources of one receiver: a browser has one, and another after it changed its microphone.
MAX_SOURCES: Final = 64

_JITTER_BUFFER = "_RTCRtpReceiver__jitter_buffer"
_SENDING = "_RTCRtpSender__rtp_task"
_DECODER_INBOX = "_RTCRtpReceiver__decoder_queue"
_TEXT, _BINARY = 51, 53  # payload protocol identifiers of messages (RFC 8831 8)


def _ignore(*_: object) -> None:
    return


@dataclass(frozen=True, slots=True)
class Feedback:
    """What to do with what a receiver tells the sender. Called on the event loop; must not raise.

    Attributes:
        keyframe_wanted: pictures were lost (PLI or FIR, RFC 4585, RFC 5104).
        bitrate_estimated: the receiver estimates the bits per second of its link (REMB).
        round_trip_measured: a receiver report gave a new round-trip time, smoothed, in seconds.
        loss_reported: a receiver report says which part of the packets since the one before was
            lost, 0 to 1.
    """

    keyframe_wanted: Callable[[], None] = _ignore
    bitrate_estimated: Callable[[int], None] = _ignore
    round_trip_measured: Callable[[float], None] = _ignore
    loss_reported: Callable[[float], None] = _ignore


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
            for report in packet.reports:
                if report.ssrc == sender._ssrc:
                    feedback.loss_reported(report.fraction_lost / 256)
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
    for name in (_JITTER_BUFFER, _DECODER_INBOX):
        if not hasattr(receiver, name):
            raise AttributeError(f"aiortc's receiver has no {name}")
    setattr(receiver, _JITTER_BUFFER, buffer)
    setattr(receiver, _DECODER_INBOX, _DecoderInbox())


def limit_held_data(sctp: RTCSctpTransport, exceeded: Callable[[str], None]) -> None:
    """Tell, and take nothing more, when the far end makes us hold more than the bounds above.

    Text that is no UTF-8 is handed on as bytes, for the taker to refuse; aiortc would break off.
    """
    handle, receive = sctp._handle_data, sctp._data_channel_receive
    full = False

    async def handle_and_count(data: bytes) -> None:
        nonlocal full
        if full:
            return
        await handle(data)
        if reason := _too_much(sctp):
            full = True
            exceeded(reason)

    async def receive_text_as_bytes(stream_id: int, protocol: int, data: bytes) -> None:
        if protocol == _TEXT and not _is_utf8(data):
            protocol = _BINARY
        await receive(stream_id, protocol, data)

    target: Any = sctp
    target._handle_data = handle_and_count
    target._data_channel_receive = receive_text_as_bytes


def limit_sources(receiver: RTCRtpReceiver, exceeded: Callable[[str], None]) -> None:
    """Tell, and take no packet of a further source, when there have been too many."""
    handle = receiver._handle_rtp_packet
    seen: set[int] = set()

    async def handle_known(packet: RtpPacket, arrival_time_ms: int) -> None:
        if packet.ssrc not in seen:
            if len(seen) >= MAX_SOURCES:
                exceeded(f"it sent from more than {MAX_SOURCES} sources")
                return
            seen.add(packet.ssrc)
        await handle(packet, arrival_time_ms=arrival_time_ms)

    target: Any = receiver
    target._handle_rtp_packet = handle_known


def limit_gathering(connection: RTCPeerConnection, seconds: float) -> None:
    """Wait for STUN and TURN servers no longer than so; call it before the local description."""
    for agent in _agents(connection):
        gather = agent.get_component_candidates
        agent.get_component_candidates = functools.partial(gather, timeout=seconds)


def space_packets(sender: RTCRtpSender, wait: Callable[[int], float]) -> None:
    """Let `wait`, given the bytes of a packet, say how many seconds it waits before it leaves.

    Reports and packets that are sent again do not wait. Call it when the connection stands.
    """
    target: Any = sender
    target.setTransport(_Spaced(sender, wait))


def await_handshake(connection: RTCPeerConnection) -> None:
    """Let the far end begin DTLS where its offer leaves that open; call it before the answer.

    aiortc would begin, and offers ciphers for elliptic curves alone: a far end that has an RSA
    certificate, as GStreamer's have, can only accept ours.
    """
    for transceiver in connection.getTransceivers():
        transport = transceiver.receiver.transport
        if transport._role == "auto":
            transport._set_role("server")


def cut_off(connection: RTCPeerConnection) -> None:
    """Let nothing leave a connection any more, not even a goodbye, as a lost network does."""
    for agent in _agents(connection):
        for protocol in agent._protocols:
            protocol.transport = _NoNetwork(protocol.transport)


def _agents(connection: RTCPeerConnection) -> set[Any]:
    """Return aioice's connections; bundled sections share one."""
    transports = [transceiver.receiver.transport for transceiver in connection.getTransceivers()]
    if connection.sctp is not None:
        transports.append(connection.sctp.transport)
    return {transport.transport.iceGatherer._connection for transport in transports}


class _Spaced:
    """A sender's transport that takes its time, and is as it was otherwise."""

    def __init__(self, sender: Any, wait: Callable[[int], float]) -> None:
        self._sender = sender
        self._transport = sender.transport
        self._wait = wait

    async def _send_rtp(self, data: bytes) -> None:
        if asyncio.current_task() is getattr(self._sender, _SENDING):
            seconds = self._wait(len(data))
            if seconds > 0:
                await asyncio.sleep(seconds)
        await self._transport._send_rtp(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _NoNetwork:
    """A socket's transport that sends nothing, and is as it was otherwise."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def sendto(self, *_: object) -> None:
        return

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _DecoderInbox(queue.Queue[Any]):
    """Takes apart what `VoiceBuffer` releases together, which aiortc hands over as one frame."""

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        super().put(item, block, timeout)
        if item is not None and isinstance(item[1], VoiceFrames):
            codec, first = item
            for frame in first.following():
                super().put((codec, frame), block, timeout)


def _too_much(sctp: RTCSctpTransport) -> str:
    """Return what the far end makes us hold too much of, or an empty string."""
    streams = sctp._inbound_streams
    if len(streams) > MAX_STREAMS:
        return f"it uses more than {MAX_STREAMS} streams"
    pieces = sum(len(stream.reassembly) for stream in streams.values())
    if max(pieces, len(sctp._sack_misordered)) > MAX_HELD_PIECES:
        return f"more than {MAX_HELD_PIECES} pieces of its messages wait for the rest"
    held = sum(len(piece.user_data) for stream in streams.values() for piece in stream.reassembly)
    if held > MAX_HELD_BYTES:
        return f"more than {MAX_HELD_BYTES} bytes of its messages wait for the rest"
    return ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


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
        except (ValueError, struct.error):  # another application's packet, or a broken one
            return
        feedback.bitrate_estimated(bitrate)


async def _round_trip(sender: RTCRtpSender) -> float | None:
    stats = await sender.getStats()
    for entry in stats.values():
        if entry.type == "remote-inbound-rtp":
            value: float | None = entry.roundTripTime
            return value
    return None
