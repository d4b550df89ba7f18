"""The hooks into aiortc still reach what they are meant to reach."""

import asyncio
import inspect
import time

import numpy as np
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection, RTCRtpReceiver, RTCRtpSender
from aiortc.codecs import CODECS
from aiortc.rtcrtpparameters import RTCRtpReceiveParameters
from aiortc.rtcrtpreceiver import RemoteStreamTrack
from aiortc.rtp import (
    RTCP_PSFB_APP,
    RTCP_PSFB_FIR,
    RTCP_PSFB_PLI,
    AnyRtcpPacket,
    RtcpPsfbPacket,
    RtcpReceiverInfo,
    RtcpRrPacket,
    RtcpSenderInfo,
    RtcpSrPacket,
    RtpPacket,
    pack_remb_fci,
)
from av.audio.frame import AudioFrame

from pipeline.contract import FRAME_SAMPLES, SoundFrame
from transport.aiortc_hooks import (
    Feedback,
    SenderReport,
    replace_jitter_buffer,
    space_packets,
    watch_feedback,
    watch_reports,
)
from transport.jitter import VoiceBuffer
from transport.outgoing import OpusEncoder


class Noted:
    """A video sender whose feedback is noted."""

    def __init__(self) -> None:
        connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.transceiver = connection.addTransceiver("video")
        self.keyframes = 0
        self.bitrates: list[int] = []
        self.round_trips: list[float] = []
        feedback = Feedback(self._keyframe, self.bitrates.append, self.round_trips.append)
        watch_feedback(self.transceiver.sender, feedback)

    def _keyframe(self) -> None:
        self.keyframes += 1

    async def take(self, packet: AnyRtcpPacket) -> None:
        await self.transceiver.sender._handle_rtcp_packet(packet)


async def test_lost_pictures_ask_for_a_keyframe() -> None:
    noted = Noted()
    for fmt in (RTCP_PSFB_PLI, RTCP_PSFB_FIR):
        await noted.take(RtcpPsfbPacket(fmt=fmt, ssrc=1, media_ssrc=2))
    assert noted.keyframes == 2
    assert noted.bitrates == []


async def test_estimates_are_passed_on() -> None:
    noted = Noted()
    fci = pack_remb_fci(800_000, [2])
    await noted.take(RtcpPsfbPacket(fmt=RTCP_PSFB_APP, ssrc=1, media_ssrc=0, fci=fci))
    other = RtcpPsfbPacket(fmt=RTCP_PSFB_APP, ssrc=1, media_ssrc=0, fci=b"ABCD")
    await noted.take(other)
    assert noted.bitrates == [pytest.approx(800_000, rel=0.01)]
    assert noted.keyframes == 0


async def test_an_estimate_that_breaks_off_says_nothing() -> None:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    sender = connection.addTransceiver("video").sender

    async def take(_: AnyRtcpPacket) -> None:
        return

    bitrates: list[int] = []
    vars(sender)["_handle_rtcp_packet"] = take  # aiortc itself would raise, and end its own call
    watch_feedback(sender, Feedback(bitrate_estimated=bitrates.append))
    fci = pack_remb_fci(800_000, [2, 3])[:-6]
    packet = RtcpPsfbPacket(fmt=RTCP_PSFB_APP, ssrc=1, media_ssrc=0, fci=fci)
    await sender._handle_rtcp_packet(packet)
    assert bitrates == []


async def test_a_report_without_a_round_trip_says_nothing() -> None:
    noted = Noted()
    await noted.take(RtcpRrPacket(ssrc=1, reports=[]))
    assert noted.round_trips == []


async def test_a_receiver_report_gives_the_round_trip() -> None:
    noted = Noted()
    sender = noted.transceiver.sender
    # As if a sender report had just left; aiortc measures against it.
    vars(sender)["_RTCRtpSender__lsr"] = 77
    vars(sender)["_RTCRtpSender__lsr_time"] = time.time() - 0.5
    info = RtcpReceiverInfo(
        ssrc=sender._ssrc,
        fraction_lost=0,
        packets_lost=0,
        highest_sequence=1,
        jitter=0,
        lsr=77,
        dlsr=round(0.4 * 65_536),
    )
    await noted.take(RtcpRrPacket(ssrc=1, reports=[info]))
    assert noted.round_trips == [pytest.approx(0.1, abs=0.05)]


async def test_sender_reports_are_handed_over_unless_empty() -> None:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    receiver = connection.addTransceiver("audio").receiver
    reports: list[SenderReport] = []
    watch_reports(receiver, reports.append)
    for count in (0, 5):
        info = RtcpSenderInfo(
            ntp_timestamp=(100 << 32) + (1 << 31),
            rtp_timestamp=9_600,
            packet_count=count,
            octet_count=10,
        )
        await receiver._handle_rtcp_packet(RtcpSrPacket(ssrc=3, sender_info=info))
    assert reports == [SenderReport(100.5, 9_600)]


async def test_the_jitter_buffer_is_where_it_was() -> None:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    receiver = connection.addTransceiver("audio").receiver
    buffer = VoiceBuffer()
    replace_jitter_buffer(receiver, buffer)
    assert "self.__jitter_buffer.add(" in inspect.getsource(RTCRtpReceiver)
    assert vars(receiver)["_RTCRtpReceiver__jitter_buffer"] is buffer


async def test_frames_released_together_are_all_decoded_at_once() -> None:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    transceiver = connection.addTransceiver("audio")
    receiver = transceiver.receiver
    replace_jitter_buffer(receiver, VoiceBuffer())
    receiver._track = RemoteStreamTrack("audio")
    (opus,) = (codec for codec in CODECS["audio"] if codec.name == "opus")
    await receiver.receive(RTCRtpReceiveParameters(codecs=[opus]))
    encoder = OpusEncoder()
    for number in range(7):
        packet = RtpPacket(opus.payloadType or 0, 1, number, 77 + number * FRAME_SAMPLES, 5)
        silence = SoundFrame(np.zeros(FRAME_SAMPLES, np.int16), number * FRAME_SAMPLES)
        packet.payload = encoder.encode(silence)
        if number != 2:
            await receiver._handle_rtp_packet(packet, arrival_time_ms=0)
    frames: list[int | None] = []
    try:
        async with asyncio.timeout(5):
            while len(frames) < 6:
                frame = await receiver.track.recv()
                assert isinstance(frame, AudioFrame)
                frames.append(frame.pts)
    finally:
        await connection.close()
    assert frames == [FRAME_SAMPLES * number for number in (0, 1, 3, 4, 5, 6)]


def test_encoded_packets_are_packed_not_encoded() -> None:
    source = inspect.getsource(RTCRtpSender._next_encoded_frame)
    assert "self.__encoder.pack(" in source


async def test_the_loss_of_the_senders_own_stream_is_passed_on() -> None:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    sender = connection.addTransceiver("video").sender
    losses: list[float] = []
    watch_feedback(sender, Feedback(loss_reported=losses.append))
    reports = [
        RtcpReceiverInfo(
            ssrc=ssrc,
            fraction_lost=lost,
            packets_lost=0,
            highest_sequence=0,
            jitter=0,
            lsr=0,
            dlsr=0,
        )
        for ssrc, lost in ((sender._ssrc, 64), (sender._ssrc + 1, 128))
    ]
    await sender._handle_rtcp_packet(RtcpRrPacket(ssrc=1, reports=reports))
    assert losses == [0.25]


async def test_packets_of_a_sender_wait_as_they_are_told_and_others_do_not() -> None:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    sender = connection.addTransceiver("video").sender
    sent: list[bytes] = []
    sizes: list[int] = []

    async def send(data: bytes) -> None:
        sent.append(data)

    def wait(size: int) -> float:
        sizes.append(size)
        return 0.0

    assert hasattr(sender, "_RTCRtpSender__rtp_task")
    sender.transport._send_rtp = send  # type: ignore[method-assign]
    space_packets(sender, wait)
    await sender.transport._send_rtp(b"report")
    assert (sent, sizes) == ([b"report"], [])
    task = asyncio.create_task(sender.transport._send_rtp(b"picture"))
    sender._RTCRtpSender__rtp_task = task
    await task
    assert (sent, sizes) == ([b"report", b"picture"], [7])
    assert sender.transport.state == "new"
