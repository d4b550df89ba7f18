"""Who is let in: credentials become grants, and grants become leases."""

import ipaddress
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from pipeline.clock import Clock, SystemClock
from transport.access.audit import Audit
from transport.access.errors import (
    MISSING,
    WRONG,
    CredentialError,
    LimitReachedError,
    ScopeError,
)
from transport.access.grant import ANYBODY, LOCAL, Grant, Scope
from transport.access.keys import KeyFile, Keys
from transport.access.leases import End, Kind, Lease, Leases, Observer
from transport.access.rates import Rates
from transport.access.secret import Secret, load_secret
from transport.access.tokens import DEFAULT_S, PREFIX, Token, Tokens

# Wrong credentials from one address a minute; beyond it they are not answered one by one.
ATTEMPTS_A_MINUTE: Final = 30
_ADDRESSES: Final = 4096


class Access:
    """The door of a server.

    Args:
        keys: which are accepted; without any the server is open, which is for loopback alone.
        secret: signs tokens.
        clock: monotonic time, by which minutes and rates are counted.
        wall: seconds since 1970 UTC, by which tokens expire and days begin.
        audit: where administrative acts are recorded.
        observer: told of sessions and streams that start and end.
    """

    def __init__(
        self,
        keys: Keys,
        secret: Secret,
        *,
        clock: Clock | None = None,
        wall: Callable[[], float] = time.time,
        audit: Audit | None = None,
        observer: Observer | None = None,
    ) -> None:
        clock = clock or SystemClock()
        self.audit = audit or Audit()
        self._keys = keys
        self._tokens = Tokens(secret, wall)
        self._leases = Leases(clock, wall, self._works, observer)
        self._requests = Rates(clock)
        self._attempts = Rates(clock, _ADDRESSES)

    @property
    def required(self) -> bool:
        """Whether a credential must be shown."""
        return self._keys.required

    def identify(self, credential: str | None, address: str = "") -> Grant:
        """Return what a credential allows, and count the request against its key.

        An open server lets everybody do everything, and takes no notice of credentials but of
        its own tokens.

        Args:
            credential: an API key or a token, as it was sent.
            address: of the client, by which wrong credentials are counted. A right one is never
                refused for what its neighbours behind one address do.

        Raises:
            CredentialError: none came, or it is not accepted.
            LimitReachedError: too many requests of the key, or wrong credentials of the address.
        """
        if not self.required:
            return self._of_open_server(credential)
        if credential is None:
            raise CredentialError(MISSING, "no API key or token came with the request")
        try:
            grant = self._look_up(credential)
        except CredentialError as error:
            if error.code == WRONG:
                self._count_attempt(address)
            raise
        self._count_request(grant)
        return grant

    def recognise(self, credential: str | None) -> Grant:
        """Return what a credential allows where none is needed; a wrong one allows nothing."""
        if not self.required:
            return self._of_open_server(credential)
        try:
            return ANYBODY if credential is None else self._look_up(credential)
        except CredentialError:
            return ANYBODY

    def issue(
        self,
        grant: Grant,
        scopes: Iterable[Scope] = ("talk",),
        *,
        seconds: int = DEFAULT_S,
        person: str | None = None,
        stream: str | None = None,
        session: Mapping[str, object] | None = None,
    ) -> Token:
        """Return a short-lived token of the grant's key; see `Tokens.issue`.

        Raises:
            ScopeError: the grant is a token itself, or lacks one of the scopes.
            AccessValueError: a claim is not accepted.
        """
        if grant.token_id is not None:
            raise ScopeError("tokens are issued to keys, not to tokens")
        scopes = tuple(scopes)
        token = self._tokens.issue(
            grant.key_id, scopes, seconds=seconds, person=person, stream=stream, session=session
        )
        for scope in scopes:
            grant.require(scope)
        return token

    def admit(self, grant: Grant, kind: Kind = "session") -> Lease:
        """Return a lease for something about to be opened; close it when that has ended.

        Raises:
            LimitReachedError: the key has as many open as it may, or has used its minutes.
        """
        return self._leases.admit(grant, kind)

    def require_end(self, grant: Grant, resource: str) -> None:
        """Check that `grant` may end what is open under the id `resource`. What is not open, or
        was opened without a lease, is not this door's to refuse.

        Raises:
            ScopeError: another key or token opened it.
        """
        opener = self._leases.opener(resource)
        if opener is not None and not grant.may_end(opener):
            raise ScopeError("another key or token opened it", "operate")

    def move(self, old: str, new: str, end: End) -> None:
        """Let what is open under the id `old` go on under `new`, as a session does over another
        connection; `end` is as for `Lease.opened`.
        """
        self._leases.moved(old, new, end)

    @property
    def open(self) -> int:
        """Leases open now."""
        return len(self._leases)

    async def close(self) -> None:
        """Stop looking after what is open."""
        await self._leases.close()

    def _look_up(self, credential: str) -> Grant:
        if not credential.startswith(PREFIX):
            key = self._keys.find(credential)
            if key is None:
                raise CredentialError(WRONG, "the API key is unknown, has expired or was revoked")
            return key.grant()
        claimed = self._tokens.read(credential)
        key = self._keys.get(claimed.key_id)
        if key is None:
            raise CredentialError(WRONG, "the key of this token has expired or was revoked")
        return replace(claimed, scopes=claimed.scopes.intersection(key.scopes), limits=key.limits)

    def _of_open_server(self, credential: str | None) -> Grant:
        if credential is None or not credential.startswith(PREFIX):
            return LOCAL
        try:
            claimed = self._tokens.read(credential)
        except CredentialError:
            return LOCAL
        return claimed if claimed.key_id == LOCAL.key_id else LOCAL

    def _works(self, grant: Grant) -> bool:
        return grant.key_id == LOCAL.key_id or self._keys.get(grant.key_id) is not None

    def _count_request(self, grant: Grant) -> None:
        limit = grant.limits.requests_a_minute
        wait = 0.0 if limit is None else self._requests.take(grant.key_id, limit)
        if wait:
            raise LimitReachedError(
                "requests_limit", f"the key has sent its {limit} requests of a minute", wait
            )

    def _count_attempt(self, address: str) -> None:
        wait = self._attempts.take(_network(address), ATTEMPTS_A_MINUTE)
        if wait:
            raise LimitReachedError(
                "attempts_limit", "too many wrong credentials came from this address", wait
            )


def open_access(
    keys: Path,
    secret: Path,
    *,
    single: str = "",
    audit: Audit | None = None,
    observer: Observer | None = None,
) -> Access:
    """Return the door of a server that takes the keys of a file, and `single` beside them.

    Raises:
        AccessValueError: a file holds what it should not, or can be read by others.
    """
    known = Keys(KeyFile(keys), single)
    return Access(known, load_secret(secret), audit=audit, observer=observer)


def _network(address: str) -> str:
    """Return what one client has to itself: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
