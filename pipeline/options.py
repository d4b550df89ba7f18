"""What a session may be asked to be: video, voice, language, turn taking, who, where and how."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from agents.brief import PLAIN, Brief
from avatar.spec import FRAMINGS
from avatar.spec.scene import Framing
from pipeline.errors import ConfigurationError

VideoCodec = Literal["vp8", "h264"]
SessionLanguage = Literal["auto", "en", "zh"]
# What a reply is made of: spoken, with its text beside it, or text alone.
Modality = Literal["audio", "text"]
Eagerness = Literal["low", "medium", "high", "auto"]
CandidatePolicy = Literal["all", "relay"]

_ICE_URL: Final = re.compile(
    r"(stuns?|turns?):[\w.-]+(:(?P<port>\d{1,5}))?(\?transport=(udp|tcp))?"
)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def within(name: str, value: float, low: float, high: float) -> None:
    """Raise ConfigurationError naming the value unless it is a number from `low` to `high`."""
    if isinstance(value, bool) or not low <= value <= high:
        raise ConfigurationError(f"{name} is {value}; accepted: {low} to {high}")


@dataclass(frozen=True, slots=True)
class VideoFormat:
    """An encoded picture stream: size in pixels (even, 64 to 4096), 25 pictures a second."""

    codec: VideoCodec = "vp8"
    width: int = 540
    height: int = 960
    bitrate: int = 1_500_000

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            value: int = getattr(self, name)
            if value % 2 or not 64 <= value <= 4096:
                raise ConfigurationError(
                    f"video {name} is {value}; accepted: even numbers from 64 to 4096"
                )
        if not 50_000 <= self.bitrate <= 20_000_000:
            raise ConfigurationError(
                f"video bitrate is {self.bitrate}; accepted: 50000 to 20000000 bits per second"
            )


@dataclass(frozen=True, slots=True)
class IceServer:
    """A STUN or TURN server (RFC 8489, RFC 8656) that helps calls through NAT.

    Attributes:
        urls: such as "stun:stun.example:3478" or "turns:turn.example:5349?transport=tcp".
        username, credential: of a TURN server, the same for everybody.
        secret_variable: the environment variable that holds the secret shared with a TURN server
            (`static-auth-secret` of coturn); everybody gets a name and password of their own that
            hold for a while. Instead of the two above.
        lifetime_s: how long those hold, 60 to 86400. It must outlast what lies between asking for
            them and the call; a call that stands goes on.
    """

    urls: tuple[str, ...] = ()
    username: str | None = None
    credential: str | None = field(default=None, repr=False)
    secret_variable: str | None = None
    lifetime_s: int = 3600

    def __post_init__(self) -> None:
        if not self.urls:
            raise ConfigurationError("an ICE server has no urls; at least one is needed")
        for url in self.urls:
            match = _ICE_URL.fullmatch(url)
            if match is None or not 1 <= int(match["port"] or 1) <= 65535:
                raise ConfigurationError(
                    f"an ICE server's url is {url!r}; accepted: stun:, stuns:, turn: or turns: "
                    "with a host, such as 'turn:turn.example:3478?transport=udp'"
                )
        self._check_secret()

    def _check_secret(self) -> None:
        within("an ICE server's lifetime_s", self.lifetime_s, 60, 86_400)
        if self.secret_variable is None:
            return
        if not _VARIABLE.fullmatch(self.secret_variable):
            raise ConfigurationError(
                f"an ICE server's secret_variable is {self.secret_variable!r}; accepted: the name "
                "of an environment variable"
            )
        if self.username is not None or self.credential is not None:
            raise ConfigurationError(
                f"an ICE server has the secret_variable {self.secret_variable!r} and a username "
                "or credential; accepted: one or the other"
            )


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """Turn taking, as `server_vad` of the Realtime API names it.

    Attributes:
        threshold: probability of speech at which speech begins, 0.1 to 0.95.
        prefix_padding_ms: audio kept from before the beginning, 0 to 1000.
        silence_duration_ms: fixed silence that ends a turn, 200 to 2000; None lets the text
            decide (300 to 800, at most 2000).
        create_response: answer when a turn ends.
        interrupt_response: stop the answer when the person speaks.
        idle_timeout_ms: silence after a reply upon which the host asks, once, whether somebody is
            there, 5000 to 30000; None never.
        eagerness: how soon a turn ends whose text reads as finished (`semantic_vad`); "auto" is
            "medium".
    """

    threshold: float = 0.5
    prefix_padding_ms: int = 300
    silence_duration_ms: int | None = None
    create_response: bool = True
    interrupt_response: bool = True
    idle_timeout_ms: int | None = None
    eagerness: Eagerness = "auto"

    def __post_init__(self) -> None:
        if self.idle_timeout_ms is not None:
            within("turn_detection.idle_timeout_ms", self.idle_timeout_ms, 5000, 30000)
        within("turn_detection.threshold", self.threshold, 0.1, 0.95)
        within("turn_detection.prefix_padding_ms", self.prefix_padding_ms, 0, 1000)
        if self.silence_duration_ms is not None:
            within("turn_detection.silence_duration_ms", self.silence_duration_ms, 200, 2000)


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What one session is.

    Attributes:
        voice, avatar, scene, style: names the engine knows; None leaves the choice to it.
        framing: how much of the figure is seen; None is the scene's own.
        scene_changes: fields of `SceneSpec` as JSON has them, laid over the stored scene.
        speed: of the voice, 0.5 to 2.
        video: None for sound alone.
        turn: None switches turn detection off.
        modality: "text" leaves replies unspoken.
        brief: instructions, tools and how long a reply may be.
        motion: whether the sink is given poses.
        person: opaque id of who talks, as their token has it, under which what they say is kept
            where that is switched on; None for a stranger. Set when a session opens.
    """

    voice: str | None = None
    language: SessionLanguage = "auto"
    avatar: str | None = None
    scene: str | None = None
    style: str | None = None
    framing: Framing | None = None
    scene_changes: Mapping[str, object] = field(default_factory=dict)
    speed: float = 1.0
    video: VideoFormat | None = None
    turn: TurnSettings | None = TurnSettings()
    modality: Modality = "audio"
    brief: Brief = PLAIN
    motion: bool = False
    person: str | None = None

    def __post_init__(self) -> None:
        within("audio.output.speed", self.speed, 0.5, 2.0)
        if self.language not in ("auto", "en", "zh"):
            raise ConfigurationError(f"language is {self.language!r}; accepted: 'auto', 'en', 'zh'")
        if self.framing not in (None, *FRAMINGS):
            raise ConfigurationError(
                f"framing is {self.framing!r}; accepted: {', '.join(FRAMINGS)}"
            )


@dataclass(frozen=True, slots=True)
class ResponseWish:
    """What one reply is to be, where it is not as the session says.

    Attributes:
        modality, brief: None is the session's.
        metadata: comes back with the reply's events.
        verbatim: say this text instead of an answer.
        language: of `verbatim`; None is told by its script.
    """

    modality: Modality | None = None
    brief: Brief | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    verbatim: str = ""
    language: Literal["en", "zh"] | None = None


AS_EVER: Final = ResponseWish()
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
