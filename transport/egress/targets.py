"""Where a session's output can go: an RTMP ingest, an HLS playlist, an MP4 recording."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from pipeline.errors import ConfigurationError
from transport.egress.addresses import check_host

MASK: Final = "***"

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,253}|[0-9A-Fa-f:.]{2,45}")
_URL: Final = re.compile(r"[!-~]{1,2048}")
_PORTS: Final = {"rtmp": 1935, "rtmps": 443}
_URL_ACCEPTED: Final = "accepted: rtmp[s]://HOST[:PORT]/APP/KEY without user, password or spaces"


@dataclass(frozen=True, slots=True)
class RtmpTarget:
    """An RTMP or RTMPS ingest. Its stream key is a secret: `str` and `repr` do not show it.

    Args:
        url: rtmp[s]://HOST[:PORT]/APP/KEY; the last part of the path, with any query, is the key.
        allow_private: whether the host may have a private, local or link-local address.
        verify: whether the certificate of an RTMPS ingest must be valid for HOST.
        ca_file: certificates to trust in place of the system's.

    Raises:
        ConfigurationError: the URL is none of these, or names a private address.
    """

    url: str = field(repr=False)
    allow_private: bool = False
    verify: bool = True
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        if not _URL.fullmatch(self.url):
            raise ConfigurationError(f"url is no RTMP URL; {_URL_ACCEPTED}")
        try:
            parts = self._parts
            port = parts.port
        except ValueError as error:
            raise ConfigurationError(f"url is no RTMP URL; {_URL_ACCEPTED}") from error
        host = parts.hostname or ""
        bad = parts.scheme not in _PORTS or port == 0 or "@" in parts.netloc or parts.fragment
        if bad or not _HOST.fullmatch(host) or not (self.app and self.key):
            raise ConfigurationError(f"url is {self}; {_URL_ACCEPTED}")
        check_host(host, allow_private=self.allow_private)

    @property
    def secure(self) -> bool:
        """Whether the connection is encrypted (RTMPS)."""
        return self._parts.scheme == "rtmps"

    @property
    def host(self) -> str:
        return self._parts.hostname or ""

    @property
    def port(self) -> int:
        return self._parts.port or _PORTS[self._parts.scheme]

    @property
    def app(self) -> str:
        """Name of the application at the ingest: the path without its last part."""
        return self._parts.path.strip("/").rpartition("/")[0]

    @property
    def key(self) -> str:
        """The stream key, with the query if there is one. Secret."""
        name = self._parts.path.strip("/").rpartition("/")[2]
        return f"{name}?{self._parts.query}" if name and self._parts.query else name

    @property
    def connect_url(self) -> str:
        """What is told to the ingest as the URL of the application: without the key."""
        return f"{self._parts.scheme}://{self._parts.netloc}/{self.app}"

    def masked(self, text: str) -> str:
        """Return `text` with the key, however it is written there, replaced by asterisks."""
        name, _, query = self.key.partition("?")
        values = [pair.partition("=")[2] for pair in query.split("&")]
        secrets = {self.key, name, query, *(value for value in values if len(value) > 3)}
        secrets |= {unquote(secret) for secret in secrets}
        for secret in sorted(filter(None, secrets), key=len, reverse=True):
            text = text.replace(secret, MASK)
        return text

    def __str__(self) -> str:
        parts = self._parts
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}/{self.app}/{MASK}"

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)


@dataclass(frozen=True, slots=True)
class HlsTarget:
    """An HLS playlist of fragmented MP4 segments (RFC 8216): `folder/name/index.m3u8`.

    What an earlier stream of that name left in the folder is replaced.

    Args:
        folder: the configured place of playlists.
        name: letters, digits, "_" and "-", at most 64.
        playlist: "sliding" keeps the newest `segments` and deletes older files; "event" keeps all.
        segments: how many a sliding playlist lists, 3 to 60.

    Raises:
        ConfigurationError: a value is not accepted, or the place is a link that leads elsewhere.
    """

    folder: Path
    name: str
    playlist: Literal["sliding", "event"] = "sliding"
    segments: int = 6

    def __post_init__(self) -> None:
        _check_place(self.folder, self.name, self.path.parent)
        if self.playlist not in ("sliding", "event"):
            raise ConfigurationError(f"playlist is {self.playlist!r}; accepted: sliding, event")
        if isinstance(self.segments, bool) or not 3 <= self.segments <= 60:
            raise ConfigurationError(f"segments is {self.segments}; accepted: 3 to 60")

    @property
    def path(self) -> Path:
        """The playlist."""
        return self.folder / self.name / "index.m3u8"

    def masked(self, text: str) -> str:
        return text

    def __str__(self) -> str:
        return f"HLS playlist {self.name}"


@dataclass(frozen=True, slots=True)
class RecordingTarget:
    """An MP4 recording: `folder/name.mp4`, and `name.2.mp4` and so on if writing was interrupted.

    Args:
        folder: the configured place of recordings.
        name: letters, digits, "_" and "-", at most 64; an existing recording is never replaced.

    Raises:
        ConfigurationError: a value is not accepted, or there is a recording of that name, be it
            one that is being made or that was interrupted by the end of the machine.
    """

    folder: Path
    name: str

    def __post_init__(self) -> None:
        _check_place(self.folder, self.name, self.part(1))
        if self.part(1).exists() or self.partial(1).exists():
            raise ConfigurationError(f"recording {self.name!r} exists; accepted: another name")

    def part(self, number: int) -> Path:
        """Return the file of the part `number`, from 1."""
        return self.folder / (f"{self.name}.mp4" if number == 1 else f"{self.name}.{number}.mp4")

    def partial(self, number: int) -> Path:
        """Return the file that the part is in until it is finished."""
        path = self.part(number)
        return path.with_name(f".{path.name}.partial")

    @property
    def files(self) -> list[Path]:
        """All files there are of this recording now, parts that are not finished among them."""
        pattern = re.compile(rf"\.?{re.escape(self.name)}(\.\d+)?\.mp4(\.partial)?")
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if pattern.fullmatch(path.name))

    def masked(self, text: str) -> str:
        return text

    def __str__(self) -> str:
        return f"recording {self.name}"


Target = RtmpTarget | HlsTarget | RecordingTarget


def _check_place(folder: Path, name: object, place: Path) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ConfigurationError(
            f"name is {str(name)[:60]!r}; accepted: letters, digits, _ and -, at most 64"
        )
    if place.resolve().parent != folder.resolve():
        raise ConfigurationError(f"name is {name!r}, which leads elsewhere; accepted: another name")
