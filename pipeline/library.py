"""Identities, scenes and motion styles by name: those that come ready, and those one keeps."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Final, Generic, Protocol, Self, TypeVar

from avatar.errors import AvatarValueError
from avatar.spec import HOSTS, SCENES, AvatarSpec, SceneSpec, ready, ready_scene
from motion.errors import MotionValueError
from motion.style import STYLES, StyleSpec, ready_style
from pipeline.errors import ConfigurationError


class Document(Protocol):
    """What can be kept: JSON with a kind, and a name."""

    KIND: ClassVar[str]

    @property
    def name(self) -> str: ...

    def to_json(self) -> str: ...

    @classmethod
    def from_json(cls, text: str | bytes) -> Self: ...

    def changed(self, **values: object) -> Self: ...


S = TypeVar("S", bound=Document)

# What a document raises that is not accepted.
REFUSED: Final = (AvatarValueError, MotionValueError)

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


class Library(Generic[S]):
    """Documents of one kind, a JSON file each.

    Args:
        folder: where own documents are kept; made with the first.
        kind: the class of the documents.
        ready_names: names of those that come with us; they cannot be written over.
        ready: returns one of those.
    """

    def __init__(
        self,
        folder: Path,
        kind: type[S],
        ready_names: Sequence[str],
        ready: Callable[[str], S],
    ) -> None:
        self._folder = folder
        self._kind = kind
        self._ready_names = tuple(ready_names)
        self._ready = ready

    @property
    def names(self) -> tuple[str, ...]:
        """Return all names: the ready ones first, then own ones in order."""
        own = sorted(p.stem for p in self._folder.glob("*.json") if _NAME.fullmatch(p.stem))
        return (*self._ready_names, *(name for name in own if name not in self._ready_names))

    def get(self, name: str) -> S:
        """Return the document `name`.

        Raises:
            ConfigurationError: there is none, or its file is not accepted.
        """
        if name in self._ready_names:
            return self._ready(name)
        if not _NAME.fullmatch(name) or not self._path(name).is_file():
            raise ConfigurationError(
                f"{self._kind.KIND} is {name[:80]!r}; accepted: {', '.join(self.names)}"
            )
        try:
            return self._kind.from_json(self._path(name).read_bytes())
        except (*REFUSED, OSError) as error:
            raise ConfigurationError(f"{self._path(name)}: {error}") from error

    def keep(self, document: S) -> Path:
        """Store `document` under its own name, over an older one; return the file.

        Raises:
            ConfigurationError: the name is that of a ready one, or the file cannot be written.
        """
        path = self._path(self.free(document.name, replace=True))
        unfinished = path.with_suffix(".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(document.to_json(), "utf-8")
            unfinished.replace(path)
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from error
        return path

    def free(self, name: str, *, replace: bool = False) -> str:
        """Return `name` when a new document may have it; an own one only where it is to go.

        Raises:
            ConfigurationError: it is no name, the name of a ready one, or taken.
        """
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                f"{self._kind.KIND}.name: {name[:60]!r}; "
                "accepted: 1 to 40 of a-z, 0-9, _ and -, the first a letter or digit"
            )
        if name in self._ready_names:
            raise ConfigurationError(
                f"{self._kind.KIND}.name: {name!r} comes ready; accepted: another name"
            )
        if self._path(name).exists() and not replace:
            raise ConfigurationError(
                f"{self._kind.KIND}.name: {name!r} is taken; accepted: another name, or --replace"
            )
        return name

    def unused(self, name: str) -> str:
        """Return `name`, or with a number behind it when documents have that already."""
        tries = (name, *(f"{name[:36]}-{number}" for number in range(2, 1000)))
        return next((each for each in tries if each not in self.names), name)

    def copy(self, name: str, new: str) -> S:
        """Store a copy of `name` as `new` and return it.

        Raises:
            ConfigurationError: as `get` and `keep`, or `new` is no name.
        """
        try:
            document = self.get(name).changed(name=new)
        except REFUSED as error:
            raise ConfigurationError(str(error)) from error
        self.keep(document)
        return document

    def remove(self, name: str) -> None:
        """Forget an own document.

        Raises:
            ConfigurationError: it comes ready, or there is none.
        """
        self.get(name)
        if name in self._ready_names:
            raise ConfigurationError(f"{self._kind.KIND} {name!r} comes ready and stays")
        self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def avatars(cache: Path) -> Library[AvatarSpec]:
    """Return the identities kept under `cache`."""
    return Library(cache / "library" / "avatars", AvatarSpec, HOSTS, ready)


def scenes(cache: Path) -> Library[SceneSpec]:
    """Return the scenes kept under `cache`."""
    return Library(cache / "library" / "scenes", SceneSpec, SCENES, ready_scene)


def styles(cache: Path) -> Library[StyleSpec]:
    """Return the motion styles kept under `cache`."""
    return Library(cache / "library" / "styles", StyleSpec, STYLES, ready_style)
