"""Offers are refused for what is wrong with them, and read for what they ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.options import VideoCodec
from tests.transport.offers import (
    CANDIDATE,
    CONSTRAINED,
    HIGH,
    REFUSED,
    SINGLE_NAL,
    VP8,
    audio_section,
    bundled,
    channel_section,
    sdp,
    shared_cases,
    video_section,
)
from transport.errors import OfferError
from transport.offer import MAX_SOURCE_LINES, PUBLISH, WATCH, parse_offer

GOOD = sdp(audio_section(CANDIDATE), video_section(VP8, CONSTRAINED))


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_answered_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(OfferError) as refusal:
        parse_offer(REFUSED[name])
    assert len(str(refusal.value)) > 20


@pytest.mark.parametrize(("name", "case"), shared_cases().items())
def test_shared_cases_that_expect_a_refusal(name: str, case: tuple[str, str]) -> None:
    text, expectation = case
    if not expectation.startswith("4xx"):
        assert parse_offer(text).sdp, name
        return
    with pytest.raises(OfferError):
        parse_offer(text)


@pytest.mark.parametrize(
    ("codecs", "chosen"),
    [
        ([VP8, CONSTRAINED], "vp8"),
        ([CONSTRAINED, VP8], "h264"),
        ([HIGH, SINGLE_NAL, CONSTRAINED, VP8], "h264"),
        ([(98, "VP9", ""), HIGH, VP8], "vp8"),
        ([(97, "H264", "packetization-mode=1")], "h264"),
    ],
)
def test_the_first_codec_that_can_be_sent_is_taken(
    codecs: list[tuple[int, str, str]], chosen: VideoCodec
) -> None:
    assert parse_offer(sdp(audio_section(), video_section(*codecs))).video == chosen


@pytest.mark.parametrize(
    ("codecs", "chosen"), [([VP8, CONSTRAINED], "h264"), ([VP8], "vp8"), ([VP8, HIGH], "vp8")]
)
def test_the_preferred_codec_is_taken_where_it_is_offered(
    codecs: list[tuple[int, str, str]], chosen: VideoCodec
) -> None:
    offer = parse_offer(sdp(audio_section(), video_section(*codecs)), prefer="h264")
    assert offer.video == chosen


def test_no_video_is_sent_to_whom_only_sends_it() -> None:
    offer = sdp(audio_section(), video_section((98, "VP9", ""), direction="sendonly"))
    assert parse_offer(offer).video is None
    assert parse_offer(sdp(audio_section())).video is None


def test_multicast_names_are_left_out() -> None:
    hidden = "a=candidate:2 1 UDP 2122252543 0f1e-2d.local 50000 typ host"
    both = parse_offer(sdp(audio_section(hidden, CANDIDATE)))
    assert ".local" not in both.sdp
    assert both.candidates
    assert not parse_offer(sdp(audio_section(hidden))).candidates


def test_data_channels_are_noticed() -> None:
    assert parse_offer(sdp(audio_section(), channel_section("a=sctp-port:5000"))).channel
    assert parse_offer(sdp(audio_section(), channel_section(profile="DTLS/SCTP 5000"))).channel
    assert not parse_offer(sdp(audio_section())).channel


@pytest.mark.parametrize("mids", ["0", "1 0", "", "0 1\r\na=group:LS 0 7"])
def test_groups_of_the_sections_are_taken(mids: str) -> None:
    assert parse_offer(bundled(mids, audio_section(), video_section(VP8))).video == "vp8"


@given(st.integers(0, len(GOOD)), st.integers(0, len(GOOD)), st.text(max_size=8))
def test_a_mangled_offer_is_read_or_refused(start: int, stop: int, filler: str) -> None:
    text = GOOD[:start] + filler + GOOD[stop:]
    try:
        offer = parse_offer(text)
    except OfferError:
        return
    assert offer.video in (None, "vp8", "h264")


def test_an_offer_to_watch_needs_sound_or_pictures_and_takes_them() -> None:
    pictures = sdp(video_section(VP8, CONSTRAINED))
    assert parse_offer(pictures, "h264", WATCH).video == "h264"
    assert parse_offer(sdp(audio_section(direction="recvonly")), None, WATCH).kinds == ("audio",)
    with pytest.raises(OfferError, match="sendonly; accepted: recvonly, sendrecv"):
        parse_offer(sdp(audio_section(direction="sendonly")), None, WATCH)
    with pytest.raises(OfferError, match="audio or video is needed"):
        parse_offer(sdp(channel_section("a=sctp-port:5000")), None, WATCH)


def test_an_offer_to_publish_needs_sound_and_gives_it() -> None:
    both = sdp(audio_section(direction="sendonly"), video_section(VP8, direction="sendonly"))
    assert parse_offer(both, None, PUBLISH).kinds == ("audio", "video")
    with pytest.raises(OfferError, match="recvonly; accepted: sendonly, sendrecv"):
        parse_offer(sdp(audio_section(direction="recvonly")), None, PUBLISH)
    with pytest.raises(OfferError, match="audio is needed"):
        parse_offer(sdp(video_section(VP8, direction="sendonly")), None, PUBLISH)


@pytest.mark.parametrize(
    ("lines", "complete"),
    [
        ((), False),
        ((CANDIDATE,), True),
        ((CANDIDATE, "a=ice-options:trickle"), False),
        ((CANDIDATE, "a=ice-options:ice2 trickle", "a=end-of-candidates"), True),
        (("a=ice-options:trickle", "a=end-of-candidates"), False),
    ],
)
def test_an_offer_is_complete_when_no_address_can_follow(
    lines: tuple[str, ...], complete: bool
) -> None:
    offer = parse_offer(sdp(audio_section(*lines)))
    assert offer.complete is complete
    assert offer.mids == ("0",)
    assert offer.credentials == {("abcd", "abcdefghijklmnopqrstuvwx")}


def test_who_named_only_hidden_addresses_is_not_given_up() -> None:
    hidden = "a=candidate:1 1 UDP 2122252543 4a1d.local 9 typ host"
    offer = parse_offer(sdp(audio_section(hidden, "a=end-of-candidates")))
    assert "end-of-candidates" not in offer.sdp
    assert not offer.complete


def test_sources_without_end_are_not_read() -> None:
    sources = [f"a=ssrc:{number} cname:x" for number in range(MAX_SOURCE_LINES + 1)]
    assert parse_offer(sdp(audio_section(*sources[1:]))).kinds == ("audio",)
    with pytest.raises(OfferError, match="401 lines of sources"):
        parse_offer(sdp(audio_section(*sources)))
