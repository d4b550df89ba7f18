"""Where a server is and what a session is asked to be: the URL and the headers of the socket."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from transport.client.errors import ClientValueError

PATH: Final = "/v1/realtime"
# Where clients of the OpenAI API have their base; it stands for the address within.
API: Final = "/v1"
DEFAULT_URL: Final = "ws://127.0.0.1:8080"
_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


@dataclass(frozen=True, slots=True)
class Address:
    """A server, who asks, and for what.

    Attributes:
        url: of the server, such as "ws://127.0.0.1:8080" or "https://host.example"; a path
            stands for that of the API, and a query is kept.
        secret: an API key or a short-lived token; never shown.
        wishes: of a new session, as the query names them.
    """

    url: str = DEFAULT_URL
    secret: str | None = field(default=None, repr=False)
    wishes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in _SCHEMES or not parts.hostname:
            raise ClientValueError(
                f"url is {self.url!r}; accepted: ws, wss, http or https, such as {DEFAULT_URL}"
            )
        if self.secret is not None and not (self.secret.isascii() and self.secret.isprintable()):
            raise ClientValueError("the key has characters that no header carries; accepted: ASCII")

    def socket_url(self, resume_token: str | None = None) -> str:
        """Return the URL of the WebSocket, for a new session or to go on with one."""
        parts = urlsplit(self.url)
        query = {"model": "vivant"} | dict(parse_qsl(parts.query, keep_blank_values=True))
        query |= self.wishes if resume_token is None else {"resume": resume_token}
        path = parts.path.rstrip("/")
        if path in ("", API):
            path = PATH
        return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, path, urlencode(query), ""))

    def headers(self) -> dict[str, str]:
        """Return the headers of the opening request."""
        return {} if self.secret is None else {"Authorization": f"Bearer {self.secret}"}
