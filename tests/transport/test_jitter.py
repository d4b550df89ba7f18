"""The jitter buffers: order kept, loss survived, no delay added."""

from aiortc.rtp import RtpPacket
from hypothesis import given
from hypothesis import strategies as st

from transport.jitter import (
    PICTURE_PATIENCE,
    VOICE_PATIENCE,
    PictureBuffer,
    ReceivedPicture,
    VoiceBuffer,
)


def voice_packet(number: int) -> RtpPacket:
    packet = RtpPacket(payload_type=96, sequence_number=number % 65_536, timestamp=number * 960)
    packet._data = number.to_bytes(4, "big")  # type: ignore[attr-defined]
    return packet


def picture_packets(picture: int, parts: int, first: int) -> list[RtpPacket]:
    packets = []
    for part in range(parts):
        packet = RtpPacket(
            payload_type=97,
            sequence_number=(first + part) % 65_536,
            timestamp=picture * 3600,
            marker=int(part == parts - 1),
        )
        packet._data = bytes([picture % 256, part % 256])  # type: ignore[attr-defined]
        packets.append(packet)
    return packets


def released(buffer: VoiceBuffer, numbers: list[int]) -> list[list[int]]:
    """Return, for each packet taken, the numbers of those that it released."""
    together = []
    for number in numbers:
        first = buffer.add(voice_packet(number))[1]
        frames = [] if first is None else [first, *first.following()]
        together.append([int.from_bytes(frame.data, "big") for frame in frames])
    return together


def alone(numbers: list[int]) -> list[list[int]]:
    return [[number] for number in numbers]


def test_voice_in_order_passes_at_once() -> None:
    numbers = list(range(65_530, 65_545))  # the sequence number wraps
    assert released(VoiceBuffer(), numbers) == alone(numbers)


def test_voice_out_of_order_is_put_in_order_and_waits_no_longer_than_it_must() -> None:
    buffer = VoiceBuffer()
    assert released(buffer, [1, 3, 2, 4, 5]) == [[1], [], [2, 3], [4], [5]]
    assert buffer.origin == 960


def test_lost_voice_is_given_up_after_two_packets_and_leaves_no_delay() -> None:
    buffer = VoiceBuffer()
    assert released(buffer, [1, 2, 4, 5, 6, 7]) == [[1], [2], [], [], [4, 5, 6], [7]]
    assert released(buffer, [8, 10, 11, 12, 13]) == [[8], [], [], [10, 11, 12], [13]]


def test_voice_behind_a_second_hole_waits_for_that_one_alone() -> None:
    assert released(VoiceBuffer(), [1, 3, 5, 6, 7, 8]) == [[1], [], [], [3], [5, 6, 7], [8]]


def test_frames_released_together_keep_their_distance_across_a_wrap() -> None:
    buffer = VoiceBuffer()
    packets = [voice_packet(number) for number in (1, 3, 2)]
    for packet, timestamp in zip(packets, (2**32 - 1920, 0, 2**32 - 960), strict=True):
        packet.timestamp = timestamp
        _, first = buffer.add(packet)
    assert first is not None
    first.timestamp = 960  # aiortc counts from the first of the stream
    assert [frame.timestamp for frame in first.following()] == [1920]


def test_late_and_doubled_voice_is_dropped() -> None:
    assert released(VoiceBuffer(), [5, 6, 5, 4, 7]) == [[5], [6], [], [], [7]]


def test_a_stream_that_begins_anew_is_followed() -> None:
    assert released(VoiceBuffer(), [5, 6, 30_000, 30_001]) == alone([5, 6, 30_000, 30_001])


@given(st.lists(st.integers(0, 40), min_size=1, max_size=80))
def test_voice_always_comes_out_in_order(numbers: list[int]) -> None:
    out = [number for together in released(VoiceBuffer(), numbers) for number in together]
    assert out == sorted(set(out))
    assert set(out) <= set(numbers)


@given(st.permutations(range(12)), st.integers(0, 11))
def test_voice_never_holds_more_than_it_waits_for(order: list[int], lost: int) -> None:
    buffer = VoiceBuffer()
    for count, number in enumerate(n for n in order if n != lost):
        buffer.add(voice_packet(100 + number))
        assert len(buffer._held) <= max(VOICE_PATIENCE, count)


def collect() -> tuple[PictureBuffer, list[ReceivedPicture]]:
    pictures: list[ReceivedPicture] = []
    return PictureBuffer(pictures.append), pictures


def test_a_picture_comes_with_its_last_packet() -> None:
    buffer, pictures = collect()
    packets = picture_packets(7, 3, 65_534)
    for packet in packets[:2]:
        assert buffer.add(packet) == (False, None)
        assert pictures == []
    buffer.add(packets[2])
    assert pictures == [ReceivedPicture(bytes([7, 0, 7, 1, 7, 2]), 7 * 3600)]


def test_pictures_out_of_order_are_put_in_order() -> None:
    buffer, pictures = collect()
    first, second, third = (picture_packets(n, 2, 10 + 2 * n) for n in range(3))
    for packet in (first[0], second[1], first[1], third[0], third[1], second[0]):
        buffer.add(packet)
    assert [picture.timestamp for picture in pictures] == [0, 3600, 7200]


def test_a_lost_picture_asks_for_a_keyframe_once_and_the_rest_goes_on() -> None:
    buffer, pictures = collect()
    asked: list[bool] = []
    number = 0
    for picture in range(120):
        packets = [p for p in picture_packets(picture, 2, number) if p.sequence_number != 5]
        asked += [buffer.add(packet)[0] for packet in packets]
        number += 2
    assert sum(asked) == 1
    shown = [picture.timestamp // 3600 for picture in pictures]
    assert shown[:2] == [0, 1]
    assert 2 not in shown
    assert shown[2:] == list(range(shown[2], 120))
    assert shown[2] <= 4


@given(st.lists(st.integers(0, 300), min_size=1, max_size=300, unique=True))
def test_pictures_never_pile_up(numbers: list[int]) -> None:
    buffer, _ = collect()
    for number in numbers:
        buffer.add(picture_packets(number // 4, 4, 4 * (number // 4))[number % 4])
        assert len(buffer._held) <= PICTURE_PATIENCE + 4


def test_a_large_keyframe_is_no_loss() -> None:
    buffer, pictures = collect()
    asked = [buffer.add(packet)[0] for packet in picture_packets(0, 2 * PICTURE_PATIENCE, 0)]
    assert not any(asked)
    assert len(pictures) == 1
