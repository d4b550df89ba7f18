"""Identities that were made from photos of a person, as their provenance says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from avatar.body.prepare import FACES, asset_path
from avatar.spec import AvatarSpec
from pipeline.errors import ConfigurationError
from pipeline.folders import avatar_folder
from pipeline.library import Library
from pipeline.prepared import still_path


class PhotoAvatars:
    """The identities of a library that show one person. Blocks.

    Args:
        library: where identities are kept.
        cache: the folder with their faces, built figures and still pictures.
    """

    def __init__(self, library: Library[AvatarSpec], cache: Path) -> None:
        self._library = library
        self._cache = cache

    def export(self, person: str) -> list[dict[str, Any]]:
        """Return the documents of the identities that show a person."""
        return [json.loads(spec.to_json()) for spec in self._of(person)]

    def delete(self, person: str) -> int:
        """Delete the identities that show a person, with all that was made from the photo; return
        how many there were.

        Raises:
            OSError: a file cannot be deleted.
        """
        found = list(self._of(person))
        for spec in found:
            self._library.remove(spec.name)
            for path in (*self._face(spec), self._figure(spec), still_path(spec, self._cache)):
                path.unlink(missing_ok=True)
        return len(found)

    def _of(self, person: str) -> Iterator[AvatarSpec]:
        for name in self._library.names:
            try:
                spec = self._library.get(name)
            except ConfigurationError:  # a file somebody has spoilt shows nobody
                continue
            if spec.provenance.person == person:
                yield spec

    def _face(self, spec: AvatarSpec) -> Iterator[Path]:
        if spec.skin.texture:
            yield from (avatar_folder(self._cache) / FACES).glob(f"{spec.skin.texture}*")

    def _figure(self, spec: AvatarSpec) -> Path:
        return asset_path(spec, avatar_folder(self._cache))
