"""What a credential allows: scopes, limits, and whose doing it is."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from transport.access.errors import AccessValueError, ScopeError
from transport.strict_json import shown

Scope = Literal["talk", "watch", "publish", "operate"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
# A year of minutes, and more than any server here answers.
_MOST: Final = {"sessions": 100_000, "minutes_a_day": 1_000_000, "requests_a_minute": 1_000_000}


@dataclass(frozen=True, slots=True)
class Limits:
    """What a key may use; None is without limit.

    Attributes:
        sessions: open at a time, 1 to 100 000.
        minutes_a_day: of all its sessions together, from midnight to midnight UTC, 1 to 1 000 000.
        requests_a_minute: requests and connections, 1 to 1 000 000.
    """

    sessions: int | None = None
    minutes_a_day: int | None = None
    requests_a_minute: int | None = None

    def __post_init__(self) -> None:
        for name, most in _MOST.items():
            value = getattr(self, name)
            if value is not None and not (type(value) is int and 1 <= value <= most):
                raise AccessValueError(f"{name} is {shown(value)}; accepted: 1 to {most}")


@dataclass(frozen=True, slots=True)
class Grant:
    """What one request or connection may do.

    Attributes:
        key_id: of the key that was shown, or that the token was issued for; "local" where the
            server asks for none.
        scopes: what it is good for.
        limits: of the key.
        token_id: of the token; None where the key itself was shown.
        person: opaque id of the visitor, or None.
        stream: the one stream a token is for, or None for any.
        session: settings a session of this token starts with (the Realtime API's `session`).
    """

    key_id: str
    scopes: frozenset[Scope]
    limits: Limits = Limits()
    token_id: str | None = None
    person: str | None = None
    stream: str | None = None
    session: Mapping[str, object] = field(default_factory=dict)

    def allows(self, scope: Scope) -> bool:
        """Whether the grant is good for `scope`."""
        return scope in self.scopes

    def may_end(self, opener: "Grant") -> bool:
        """Whether this grant may end what `opener` opened.

        That is the key that opened it, or whose token did; the same token; another token of the
        same key for the same person, since tokens live shorter than calls; and who operates.
        """
        if "operate" in self.scopes:
            return True
        if self.key_id != opener.key_id:
            return False
        if self.token_id is None or self.token_id == opener.token_id:
            return True
        return self.person is not None and self.person == opener.person

    def require(self, scope: Scope, stream: str | None = None) -> None:
        """Check that the grant is good for `scope`, on `stream` where one is meant.

        Raises:
            ScopeError: it is not.
        """
        if scope not in self.scopes:
            raise ScopeError(f"the credential lacks the scope {scope!r}", scope)
        if stream is not None and self.stream is not None and stream != self.stream:
            raise ScopeError(f"the token is for the stream {self.stream!r} alone", scope)


ANYBODY: Final = Grant("anybody", frozenset())
LOCAL: Final = Grant("local", frozenset(SCOPES))


def check_scopes(scopes: Iterable[object]) -> tuple[Scope, ...]:
    """Return scopes in their order, each once.

    Raises:
        AccessValueError: one is unknown, or there is none.
    """
    asked = list(scopes)
    for scope in asked:
        if scope not in SCOPES:
            raise AccessValueError(f"scope is {shown(scope)}; accepted: {', '.join(SCOPES)}")
    if not asked:
        raise AccessValueError(f"scopes are empty; accepted: some of {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in asked)


def check_name(what: str, name: object) -> str:
    """Return the name of a key or a stream.

    Raises:
        AccessValueError: it is none.
    """
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    raise AccessValueError(
        f"{what} is {shown(name)}; accepted: 1 to 40 of a-z, 0-9, _ and -, a letter or digit first"
    )
