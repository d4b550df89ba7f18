"""API keys: made once, shown once, and kept as their SHA-256 alone.

A key is 256 random bits, so its digest can be neither guessed nor looked up, and needs no salt.
"""

import contextlib
import fcntl
import hashlib
import hmac
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.clock import Clock, SystemClock
from transport.access.errors import AccessValueError
from transport.access.grant import SCOPES, Grant, Limits, Scope, check_name, check_scopes
from transport.access.secret import check_private, replace_private

PREFIX: Final = "vk_"
# The one key that comes from the environment.
ENVIRONMENT: Final = "environment"
_SHORTEST: Final = 32  # letters of that key, which somebody else may have made
_LONGEST: Final = 512
_LOOK_AGAIN_S: Final = 1.0  # how old what is known of the file may be

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """One key, without the key.

    Attributes:
        id: how it is named in logs and commands.
        name: what its owner calls it.
        sha256: of the key, in hexadecimal.
        created, expires, revoked: seconds since 1970 UTC; None is never.
    """

    id: str
    name: str
    sha256: str = field(repr=False)
    scopes: tuple[Scope, ...]
    limits: Limits
    created: float
    expires: float | None = None
    revoked: float | None = None

    def works(self, now: float) -> bool:
        """Whether the key is accepted at `now`."""
        return self.revoked is None and (self.expires is None or now < self.expires)

    def grant(self) -> Grant:
        """Return what the key itself allows."""
        return Grant(self.id, frozenset(self.scopes), self.limits)


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    version: Literal[1] = 1
    keys: tuple[ApiKey, ...] = ()


class KeyFile:
    """The file of keys (JSON, for its owner alone), as `vivant keys` writes it."""

    def __init__(self, path: Path, wall: Callable[[], float] = time.time) -> None:
        self.path = path
        self._wall = wall

    def read(self) -> tuple[ApiKey, ...]:
        """Return all keys, in the order they were made; none where there is no file.

        Raises:
            AccessValueError: others can change the file, or it is damaged.
        """
        try:
            check_private(self.path, readable=True)  # digests tell nothing
            text = self.path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise AccessValueError(f"{self.path} cannot be read: {error.strerror}") from None
        try:
            return _Document.model_validate_json(text).keys
        except ValidationError as error:
            raise AccessValueError(
                f"{self.path} holds no keys: {error.error_count()} faults, first at "
                f"{'.'.join(map(str, error.errors()[0]['loc'])) or 'its start'}"
            ) from None

    def create(
        self,
        name: str,
        scopes: Iterable[object],
        limits: Limits | None = None,
        expires: float | None = None,
    ) -> tuple[ApiKey, str]:
        """Make a key, and return its record and the key itself, which is kept nowhere.

        Raises:
            AccessValueError: the name is taken or none, a scope is unknown, or it has expired.
        """
        name, accepted, now = check_name("name", name), check_scopes(scopes), self._wall()
        if expires is not None and expires <= now:
            raise AccessValueError("the key would have expired; accepted: a moment to come")
        key = PREFIX + secrets.token_urlsafe(32)
        made = ApiKey(
            f"key_{secrets.token_hex(6)}", name, digest(key), accepted, limits or Limits(),
            now, expires,
        )  # fmt: skip
        with self._changing() as keys:
            if any(each.name == name and each.works(now) for each in keys):
                raise AccessValueError(f"there is a key named {name!r}; accepted: another name")
            keys.append(made)
        return made, key

    def revoke(self, which: str) -> ApiKey:
        """End a key, named by its id or its name or by itself, and with it its tokens.

        Raises:
            AccessValueError: no such key is in force; it is not quoted, as it may be one.
        """
        with self._changing() as keys:
            for place, key in enumerate(keys):
                named = which in (key.id, key.name) or digest(which) == key.sha256
                if named and key.revoked is None:
                    keys[place] = replace(key, revoked=self._wall())
                    return keys[place]
        raise AccessValueError("no key in force has that id or name; see: vivant keys list")

    @contextlib.contextmanager
    def _changing(self) -> Iterator[list[ApiKey]]:
        """Give the list to change; one command at a time, and other readers see all or nothing."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(
            self.path.with_name(f".{self.path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = self.read()
            keys = list(before)
            yield keys
            if tuple(keys) != before:
                text = _Document(keys=tuple(keys)).model_dump_json(indent=2)
                replace_private(self.path, text.encode())
        finally:
            os.close(lock)


class Keys:
    """The keys a server accepts: those of a file, as it is now, and one of the environment.

    A server that was told of keys never opens again: it stays closed though all are revoked, or
    the file cannot be read any more.

    Raises:
        AccessValueError: the file cannot be read, or the key of the environment is too short.
    """

    def __init__(
        self,
        file: KeyFile | None = None,
        single: str = "",
        clock: Clock | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._file = file
        self._clock = clock or SystemClock()
        self._wall = wall
        self._single = _single_key(single) if single else None
        self._known: tuple[ApiKey, ...] = ()
        self._mark: object = None
        self._looked = self._clock.now()
        if file is not None:
            self._mark, self._known = _mark(file.path), file.read()

    @property
    def required(self) -> bool:
        """Whether there is any key, so that one must be shown."""
        self._look()
        return bool(self._known) or self._single is not None

    def find(self, text: str) -> ApiKey | None:
        """Return the key that `text` is, if it works now."""
        if not _SHORTEST <= len(text) <= _LONGEST:
            return None
        wanted, found = digest(text), None
        for key in self._all():  # all of them, so that time does not tell which
            if hmac.compare_digest(key.sha256, wanted):
                found = key
        return found if found is not None and found.works(self._wall()) else None

    def get(self, key_id: str) -> ApiKey | None:
        """Return the key of that id, if it works now."""
        now = self._wall()
        return next((key for key in self._all() if key.id == key_id and key.works(now)), None)

    def _all(self) -> tuple[ApiKey, ...]:
        self._look()
        return self._known if self._single is None else (*self._known, self._single)

    def _look(self) -> None:
        now = self._clock.now()
        if self._file is None or now - self._looked < _LOOK_AGAIN_S:
            return
        self._looked = now
        mark = _mark(self._file.path)
        if mark is None or mark == self._mark:
            return
        self._mark = mark
        try:
            self._known = self._file.read()
        except AccessValueError as error:
            logger.error("the keys stay as they were: %s", error)


def digest(key: str) -> str:
    """Return what is kept of a key: its SHA-256 in hexadecimal."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _single_key(text: str) -> ApiKey:
    if not _SHORTEST <= len(text) <= _LONGEST or not text.isascii() or not text.isprintable():
        raise AccessValueError(
            f"the key of the environment has {len(text)} letters; accepted: {_SHORTEST} to "
            f"{_LONGEST} ASCII letters that nobody can guess, as `vivant keys create` makes them"
        )
    return ApiKey(ENVIRONMENT, ENVIRONMENT, digest(text), SCOPES, Limits(), created=0.0)


def _mark(path: Path) -> object:
    """Return what changes whenever the file is replaced; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
