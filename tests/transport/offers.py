"""Offers to answer or refuse: those of the shared cases where they lie, else kinds of our own."""

import json
from pathlib import Path

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "offers.json"

SHA256 = ":".join(["AB"] * 32)
TRANSPORT = (
    "a=ice-ufrag:abcd",
    "a=ice-pwd:abcdefghijklmnopqrstuvwx",
    f"a=fingerprint:sha-256 {SHA256}",
    "a=setup:actpass",
    "a=rtcp-mux",
)
AUDIO = ("m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=rtpmap:111 opus/48000/2")
CANDIDATE = "a=candidate:1 1 UDP 2122252543 127.0.0.1 9 typ host"


def sdp(*sections: tuple[str, ...]) -> str:
    """Return a session description of the sections."""
    head = ("v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0")
    return "\r\n".join([*head, *(line for section in sections for line in section)]) + "\r\n"


def audio_section(*extra: str, without: str = "", direction: str = "sendrecv") -> tuple[str, ...]:
    """Return an audio section with mid 0, less the lines that begin with `without`."""
    lines = (*AUDIO, "a=mid:0", f"a={direction}", *TRANSPORT, *extra)
    return tuple(line for line in lines if not without or not line.startswith(without))


def video_section(*codecs: tuple[int, str, str], direction: str = "recvonly") -> tuple[str, ...]:
    """Return a video section with mid 1 of (payload type, name, format parameters)."""
    numbers = " ".join(str(codec[0]) for codec in codecs)
    lines = [f"m=video 9 UDP/TLS/RTP/SAVPF {numbers}", "c=IN IP4 0.0.0.0", "a=mid:1"]
    for number, name, parameters in codecs:
        lines.append(f"a=rtpmap:{number} {name}/90000")
        if parameters:
            lines.append(f"a=fmtp:{number} {parameters}")
    return (*lines, f"a={direction}", *TRANSPORT)


def channel_section(*extra: str, profile: str = "UDP/DTLS/SCTP x") -> tuple[str, ...]:
    """Return a section for data channels with mid 2."""
    head = f"m=application 9 {profile}"
    lines = (head, *audio_section()[1:], *extra)
    return tuple(line.replace("mid:0", "mid:2") for line in lines if "rtpmap" not in line)


def bundled(mids: str, *sections: tuple[str, ...]) -> str:
    """Return a session description whose sections are to share the transport of the first."""
    return sdp((f"a=group:BUNDLE {mids}",), *sections)


VP8 = (96, "VP8", "")
CONSTRAINED = (
    102,
    "H264",
    "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f",
)
HIGH = (103, "H264", "packetization-mode=1;profile-level-id=640c1f")
SINGLE_NAL = (104, "H264", "packetization-mode=0;profile-level-id=42e01f")

REFUSED = {
    "empty": "",
    "version only": "v=0\r\n",
    "no media": sdp(),
    "no ufrag": sdp(audio_section(without="a=ice-ufrag")),
    "no password": sdp(audio_section(without="a=ice-pwd")),
    "short password": sdp(audio_section("a=ice-pwd:short")),
    "no fingerprint": sdp(audio_section(without="a=fingerprint")),
    "bad fingerprint": sdp(
        audio_section("a=fingerprint:sha-256 ZZ", without="a=fingerprint:sha-256 AB")
    ),
    "unknown digest": sdp(
        audio_section("a=fingerprint:md5 AB:AB", without="a=fingerprint:sha-256")
    ),
    "no setup": sdp(audio_section(without="a=setup")),
    "bad setup": sdp(audio_section("a=setup:maybe", without="a=setup")),
    "no rtcp-mux": sdp(audio_section(without="a=rtcp-mux")),
    "no direction": sdp(audio_section(without="a=sendrecv")),
    "inactive": sdp(audio_section(direction="inactive")),
    "no opus": sdp(tuple(line.replace("opus/48000/2", "PCMU/8000") for line in audio_section())),
    "two audio sections": sdp(audio_section(), audio_section()),
    "same mid twice": sdp(
        audio_section(), tuple(line.replace("mid:1", "mid:0") for line in video_section(VP8))
    ),
    "video alone": sdp(video_section(VP8)),
    "a kind unknown": sdp(audio_section(), ("m=text 9 UDP/TLS/RTP/SAVPF 98",)),
    "VP9 alone": sdp(audio_section(), video_section((98, "VP9", ""))),
    "H264 high alone": sdp(audio_section(), video_section(HIGH, SINGLE_NAL)),
    "garbled media line": sdp(("m=audio x y z",)),
    "garbled candidate": sdp(audio_section("a=candidate:1 1 UDP")),
    "too many candidates": sdp(audio_section(*[CANDIDATE] * 101)),
    "a candidate's port": sdp(audio_section(CANDIDATE.replace(" 9 typ", " 65536 typ"))),
    "BUNDLE of nobody": bundled("7 0", audio_section()),
    "BUNDLE with nobody": bundled("0 7", audio_section()),
    "BUNDLE twice": bundled("0 0", audio_section()),
    "BUNDLE without audio": bundled(
        "0 1 2",
        tuple(line.replace("mid:0", "mid:zz") for line in audio_section()),
        video_section(VP8),
        channel_section("a=sctp-port:5000"),
    ),
    "no SCTP port": sdp(audio_section(), channel_section()),
    "an SCTP port too high": sdp(audio_section(), channel_section("a=sctp-port:65536")),
    "half a character": sdp(audio_section("a=x:\ud800")),
    "too long": sdp(audio_section(*["a=x:" + "y" * 1000] * 70)),
    "HTML": "<html></html>",
    "JSON": '{"type": "offer", "sdp": "v=0"}',
}


# What aiortc itself would stumble over; no shared case is of these kinds.
HOSTILE = {
    name: (text, "4xx, no slot taken")
    for name, text in REFUSED.items()
    if "BUNDLE" in name or "port" in name
}


def shared_cases() -> dict[str, tuple[str, str]]:
    """Return (sdp, what is expected) by id; of our own kinds where no cases lie beside us."""
    if CASES.exists():
        entries = json.loads(CASES.read_text("utf-8"))
        shared = {entry["id"]: (entry["sdp"], entry["expect"]) for entry in entries}
        return shared | HOSTILE
    return {name: (text, "4xx, no slot taken") for name, text in REFUSED.items()} | {
        "no-end-of-candidates": (sdp(audio_section(CANDIDATE)), "answer at once"),
        "h264-only": (sdp(audio_section(), video_section(CONSTRAINED)), "answer offers H264"),
    }
