"""Which codecs a connection may use."""

from aiortc import RTCRtpSender
from aiortc.rtcrtpparameters import RTCRtpCodecCapability


def codec_preferences(kind: str, name: str) -> list[RTCRtpCodecCapability]:
    """Return one codec, and retransmission of its packets, for `setCodecPreferences`.

    Args:
        kind: "audio" or "video".
        name: "opus", "vp8" or "h264", which means constrained baseline.
    """
    wanted = []
    for codec in RTCRtpSender.getCapabilities(kind).codecs:
        label = codec.mimeType.split("/")[1].lower()
        constrained = codec.parameters.get("profile-level-id", "42e01f") == "42e01f"
        if (label == name and constrained) or label == "rtx":
            wanted.append(codec)
    return wanted
