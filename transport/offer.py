"""What an SDP offer asks for, checked before anything is opened for it (RFC 8866, RFC 8829)."""

import re
from dataclasses import dataclass
from typing import Final

from aiortc.rtcdtlstransport import X509_DIGEST_ALGORITHMS
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from aiortc.sdp import (
    H264Profile,
    MediaDescription,
    SessionDescription,
    parse_h264_profile_level_id,
)

from pipeline.options import VideoCodec
from transport.errors import OfferError

MAX_OFFER_BYTES: Final = 65_536
MAX_CANDIDATES: Final = 100
# Lines that describe sources; a browser has four for each. Reading them takes the square of them.
MAX_SOURCE_LINES: Final = 400
MAX_PORT: Final = 65_535
KINDS: Final = ("audio", "video", "application")
DIRECTIONS: Final = ("sendrecv", "sendonly", "recvonly")
DIGEST_BYTES: Final = {"sha-1": 20, "sha-224": 28, "sha-256": 32, "sha-384": 48, "sha-512": 64}

_UFRAG = re.compile(r"[A-Za-z0-9+/]{4,256}")
_PASSWORD = re.compile(r"[A-Za-z0-9+/]{22,256}")
_MDNS = re.compile(r"^a=candidate:(?:\S+ ){4}\S+\.local .*\r?\n", re.MULTILINE | re.IGNORECASE)
_END = re.compile(r"^a=end-of-candidates\r?\n", re.MULTILINE)
# What aiortc's parser raises for text it cannot read.
_PARSE_ERRORS = (
    ValueError,
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    StopIteration,
    TypeError,
)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What an offer is for.

    Attributes:
        directions: of sound and pictures that make sense, as the peer names them.
        needs: kinds of section of which there must be one.
    """

    directions: tuple[str, ...]
    needs: tuple[str, ...] = ("audio",)


CALL: Final = Purpose(DIRECTIONS)
WATCH: Final = Purpose(("recvonly", "sendrecv"), ("audio", "video"))
PUBLISH: Final = Purpose(("sendonly", "sendrecv"))


@dataclass(frozen=True, slots=True)
class Offer:
    """A checked offer.

    Attributes:
        sdp: the offer without candidates that only a multicast look-up could resolve.
        kinds: what its sections are for, in their order: "audio", "video", "application".
        video: the codec to send pictures in, or None when the peer takes none.
        candidates: whether `sdp` names addresses of the peer.
        complete: it says that no more addresses will be named, or cannot name more (RFC 8838).
        mids: the names of its sections.
        credentials: (ufrag, password) of its sections.
        begins: the peer may begin DTLS (`a=setup`, RFC 8842).
    """

    sdp: str
    kinds: tuple[str, ...]
    video: VideoCodec | None
    candidates: bool
    complete: bool
    mids: tuple[str, ...]
    credentials: frozenset[tuple[str, str]]
    begins: bool

    @property
    def channel(self) -> bool:
        """Whether the peer wants data channels."""
        return "application" in self.kinds


def parse_offer(sdp: str, prefer: VideoCodec | None = None, purpose: Purpose = CALL) -> Offer:
    """Check an offer and say what it asks for.

    An answer needs one of the sections that `purpose` needs, each kind once: audio with Opus, video
    with VP8 or H264 constrained baseline (packetization mode 1), data channels. Of the codecs that
    can be sent, `prefer` is taken if it is there, else the one the peer names first.

    Raises:
        OfferError: the offer is malformed or asks for what cannot be given; the message names
            the section and value.
    """
    try:
        size = len(sdp.encode())
    except UnicodeEncodeError as error:
        raise OfferError(f"the offer is not Unicode text: {error.reason}") from error
    if size > MAX_OFFER_BYTES:
        raise OfferError(f"the offer has {size} bytes; accepted: up to {MAX_OFFER_BYTES}")
    if not sdp.startswith("v=0"):
        raise OfferError(f"the offer begins with {sdp[:20]!r}; accepted: SDP, which begins 'v=0'")
    lines = sdp.count("a=ssrc:")
    if lines > MAX_SOURCE_LINES:
        raise OfferError(
            f"the offer has {lines} lines of sources; accepted: up to {MAX_SOURCE_LINES}"
        )
    # Browsers hide their own addresses behind multicast names. Looking one up takes a second and
    # seldom succeeds from a server; such a peer is found by its first connectivity check.
    sdp = _MDNS.sub("", sdp)
    try:
        description = SessionDescription.parse(sdp)
    except _PARSE_ERRORS as error:
        raise OfferError(f"the offer is not valid SDP: {error or type(error).__name__}") from error
    sections = description.media
    _check_sections(sections, purpose)
    _check_bundles(description)
    for index, media in enumerate(sections):
        _check_transport(f"section {index} ({media.kind})", media, purpose)
    candidates = any(media.ice_candidates for media in sections)
    return Offer(
        # Who named no address that is of use has yet to be found, and must not be given up.
        sdp=sdp if candidates else _END.sub("", sdp),
        kinds=tuple(media.kind for media in sections),
        video=_video_codec(sections, prefer),
        candidates=candidates,
        complete=_complete(sections),
        mids=tuple(media.rtp.muxId for media in sections),
        credentials=frozenset(map(_credentials, sections)),
        begins=not any(media.dtls and media.dtls.role == "server" for media in sections),
    )


def _check_sections(sections: list[MediaDescription], purpose: Purpose) -> None:
    kinds = [media.kind for media in sections]
    for kind in kinds:
        if kind not in KINDS or kinds.count(kind) > 1:
            raise OfferError(
                f"the offer has sections {kinds}; accepted: one audio, at most one video and one "
                "application section"
            )
    if not set(purpose.needs) & set(kinds):
        needed = " or ".join(purpose.needs)
        raise OfferError(f"the offer has sections {kinds}; one of {needed} is needed")
    names = [media.rtp.muxId for media in sections]
    if len(set(names)) != len(names):
        raise OfferError(f"the sections have the mids {names}; each needs its own")
    for audio in sections:
        if audio.kind == "audio" and not any(
            _is(codec, "audio/opus", 48_000) for codec in audio.rtp.codecs
        ):
            raise OfferError(f"audio offers {_names(audio)}; accepted: opus/48000")


def _complete(sections: list[MediaDescription]) -> bool:
    """Whether there are candidates and no more will come (RFC 8840 4.2, 8.2)."""
    named = [media for media in sections if media.ice_candidates]
    trickles = any("trickle" in (media.ice_options or "").split() for media in sections)
    return bool(named) and (not trickles or all(media.ice_candidates_complete for media in named))


def _credentials(media: MediaDescription) -> tuple[str, str]:
    assert media.ice is not None
    return str(media.ice.usernameFragment), str(media.ice.password)


def _check_bundles(description: SessionDescription) -> None:
    """Refuse a BUNDLE group (RFC 9143) of other names than the sections'."""
    names = [media.rtp.muxId for media in description.media]
    for group in description.group:
        items = [str(item) for item in group.items]
        if group.semantic == "BUNDLE" and (
            len(set(items)) < len(items) or not set(items) <= set(names)
        ):
            raise OfferError(f"BUNDLE has the mids {items}; accepted: each of {names} once")


def _check_transport(name: str, media: MediaDescription, purpose: Purpose) -> None:
    if media.kind != "application":
        if media.direction not in purpose.directions:
            accepted = ", ".join(purpose.directions)
            raise OfferError(f"{name} has direction {media.direction}; accepted: {accepted}")
        if not media.rtcp_mux:
            raise OfferError(f"{name} has no a=rtcp-mux, which is needed")
    assert media.ice is not None
    if not _UFRAG.fullmatch(media.ice.usernameFragment or ""):
        raise OfferError(f"{name} has no valid a=ice-ufrag (4 to 256 characters)")
    if not _PASSWORD.fullmatch(media.ice.password or ""):
        raise OfferError(f"{name} has no valid a=ice-pwd (22 to 256 characters)")
    if len(media.ice_candidates) > MAX_CANDIDATES:
        raise OfferError(
            f"{name} has {len(media.ice_candidates)} candidates; accepted: up to {MAX_CANDIDATES}"
        )
    for candidate in media.ice_candidates:
        if not 0 <= candidate.port <= MAX_PORT:
            raise OfferError(
                f"{name} has a candidate with port {candidate.port}; accepted: up to {MAX_PORT}"
            )
    _check_dtls(name, media)
    if media.kind == "application":
        _check_sctp(name, media)


def _check_sctp(name: str, media: MediaDescription) -> None:
    port = str(media.fmt[0]) if media.profile == "DTLS/SCTP" else str(media.sctp_port)
    if not port.isascii() or not port.isdigit() or not 0 < int(port) <= MAX_PORT:
        raise OfferError(f"{name} has the SCTP port {port[:20]}; accepted: 1 to {MAX_PORT}")


def _check_dtls(name: str, media: MediaDescription) -> None:
    if media.dtls is None:
        raise OfferError(f"{name} has no a=setup; accepted: actpass, active, passive")
    known = 0
    for fingerprint in media.dtls.fingerprints:
        algorithm = fingerprint.algorithm.lower()
        length = DIGEST_BYTES.get(algorithm)
        if length and not re.fullmatch(
            rf"[0-9A-Fa-f]{{2}}(:[0-9A-Fa-f]{{2}}){{{length - 1}}}", fingerprint.value
        ):
            raise OfferError(
                f"{name} has the {algorithm} fingerprint {fingerprint.value[:20]!r}; accepted: "
                f"{length} hexadecimal bytes joined by colons"
            )
        known += algorithm in X509_DIGEST_ALGORITHMS
    if not known:
        raise OfferError(f"{name} has no a=fingerprint of {sorted(X509_DIGEST_ALGORITHMS)}")


def _video_codec(sections: list[MediaDescription], prefer: VideoCodec | None) -> VideoCodec | None:
    video = next((media for media in sections if media.kind == "video"), None)
    if video is None or video.direction == "sendonly":
        return None
    offered: list[VideoCodec] = []
    for codec in video.rtp.codecs:
        if _is(codec, "video/vp8", 90_000):
            offered.append("vp8")
        elif _is(codec, "video/h264", 90_000) and _constrained_baseline(codec):
            offered.append("h264")
    if not offered:
        raise OfferError(
            f"video offers {_names(video)}; accepted: VP8, or H264 constrained baseline with "
            "packetization-mode=1"
        )
    return prefer if prefer in offered else offered[0]


def _constrained_baseline(codec: RTCRtpCodecParameters) -> bool:
    try:
        # A missing profile-level-id is read as constrained baseline, as browsers do.
        level_id = str(codec.parameters.get("profile-level-id", "42e01f"))
        profile, _ = parse_h264_profile_level_id(level_id)
    except ValueError:
        return False
    mode = str(codec.parameters.get("packetization-mode", "0"))
    return mode == "1" and profile == H264Profile.PROFILE_CONSTRAINED_BASELINE


def _is(codec: RTCRtpCodecParameters, name: str, rate: int) -> bool:
    return bool(codec.mimeType.lower() == name and codec.clockRate == rate)


def _names(media: MediaDescription) -> list[str]:
    return [codec.mimeType.split("/")[1] for codec in media.rtp.codecs]
