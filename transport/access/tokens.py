"""Short-lived tokens for browsers: signed claims (RFC 7519, HMAC-SHA-256), nothing stored."""

import base64
import json
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import jwt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.privacy.person import check_person
from transport.access.errors import EXPIRED, WRONG, AccessValueError, CredentialError
from transport.access.grant import Grant, Limits, Scope, check_name, check_scopes
from transport.access.secret import Secret

PREFIX: Final = "ek_"
SHORTEST_S: Final = 10
LONGEST_S: Final = 7200
DEFAULT_S: Final = 600
LONGEST_TOKEN: Final = 4096  # servers take 8 KiB of headers and more
LONGEST_SESSION: Final = 2048  # bytes of JSON

_ALGORITHM: Final = "HS256"
_ISSUER: Final = "vivant"
_FORM: Final = re.compile(r"ek_(([\w-]+)\.[\w-]+\.([\w-]{43}))", re.ASCII)
# All our tokens begin alike: nobody's choice of an algorithm is ever read.
_HEADER: Final = jwt.encode({}, bytes(32), _ALGORITHM).partition(".")[0]


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is handed out. `expires_at`: seconds since 1970 UTC."""

    value: str = field(repr=False)
    expires_at: int
    id: str


class _Claims(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    iss: str
    sub: str
    iat: int
    exp: int
    jti: str
    scopes: tuple[Scope, ...] = Field(min_length=1)
    person: str | None = None
    stream: str | None = None
    session: dict[str, Any] = Field(default_factory=dict)


class Tokens:
    """Issues and reads tokens.

    Args:
        secret: signs; who has another takes no token of this server.
        wall: seconds since 1970 UTC.
    """

    def __init__(self, secret: Secret, wall: Callable[[], float] = time.time) -> None:
        self._secret = secret
        self._wall = wall

    def issue(
        self,
        key_id: str,
        scopes: Iterable[object],
        *,
        seconds: int = DEFAULT_S,
        person: str | None = None,
        stream: str | None = None,
        session: Mapping[str, object] | None = None,
    ) -> Token:
        """Return a token of the key `key_id`. What it claims can be read by whoever holds it.

        Args:
            seconds: how long it is accepted, 10 to 7200.
            person: opaque id of the visitor.
            stream: the one stream it is for.
            session: what sessions of this token start with, 2 KiB of JSON at most.

        Raises:
            ConfigurationError: a claim is not accepted.
        """
        if type(seconds) is not int or not SHORTEST_S <= seconds <= LONGEST_S:
            raise AccessValueError(
                f"seconds is {str(seconds)[:40]}; accepted: {SHORTEST_S} to {LONGEST_S}"
            )
        now, token_id = int(self._wall()), secrets.token_urlsafe(9)
        claims: dict[str, object] = {
            "iss": _ISSUER,
            "sub": key_id,
            "iat": now,
            "exp": now + seconds,
            "jti": token_id,
            "scopes": check_scopes(scopes),
        }
        if person is not None:
            claims["person"] = check_person(str(person))
        if stream is not None:
            claims["stream"] = check_name("stream", stream)
        if session:
            claims["session"] = _bounded(session)
        # As UTF-8, where `jwt.encode` would take six letters for each of Mandarin.
        payload = json.dumps(claims, ensure_ascii=False, separators=(",", ":")).encode()
        value = PREFIX + jwt.PyJWS().encode(payload, self._secret.reveal(), _ALGORITHM)
        return Token(value, now + seconds, token_id)

    def read(self, text: str) -> Grant:
        """Return what a token claims; limits, and whether its key works, are not its to say.

        Raises:
            CredentialError: it was not issued here, was changed, or has expired.
        """
        form = _FORM.fullmatch(text) if len(text) <= LONGEST_TOKEN else None
        if form is None or form[2] != _HEADER or not _is_canonical(form[3]):
            raise _wrong()
        try:
            claims = jwt.decode(
                form[1],
                self._secret.reveal(),
                algorithms=[_ALGORITHM],
                issuer=_ISSUER,
                # Time is checked below, by the clock of this server.
                options={"verify_exp": False, "verify_iat": False},
            )
            checked = _Claims.model_validate_json(json.dumps(claims))
        except (jwt.InvalidTokenError, ValidationError, RecursionError):
            raise _wrong() from None
        if self._wall() >= checked.exp:
            raise CredentialError(EXPIRED, "the token has expired; ask for a new one")
        return Grant(
            checked.sub,
            frozenset(checked.scopes),
            Limits(),
            token_id=checked.jti,
            person=checked.person,
            stream=checked.stream,
            session=checked.session,
        )


def _is_canonical(signature: str) -> bool:
    """Whether 43 letters are how 32 bytes are written: the last has two bits that mean nothing,
    and a token of other letters would be another token of the same worth.
    """
    data = base64.urlsafe_b64decode(signature + "=")
    return base64.urlsafe_b64encode(data).rstrip(b"=") == signature.encode()


def _bounded(session: Mapping[str, object]) -> Mapping[str, object]:
    size = len(json.dumps(session, ensure_ascii=False).encode())
    if size > LONGEST_SESSION:
        raise AccessValueError(
            f"session has {size} bytes of JSON; accepted in a token: at most {LONGEST_SESSION}"
        )
    return session


def _wrong() -> CredentialError:
    return CredentialError(WRONG, "the token was not issued here, or was changed")
