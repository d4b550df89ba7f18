"""Identities and scenes made and changed while the server serves, as `vivant avatar` does it."""

from collections.abc import Mapping
from hashlib import blake2s
from typing import Any, Final

from avatar.spec import SceneSpec
from pipeline.aside import Aside, AsideError
from pipeline.configuration import Configuration
from pipeline.errors import AssetError, ConfigurationError
from pipeline.identities import create, edit
from pipeline.library import avatars, scenes
from pipeline.looks import Looks
from pipeline.options import SessionOptions, VideoFormat
from pipeline.rooms.pictures import Pictures

CANDIDATES: Final = 3  # of an edit; each takes some seconds beside those who are on air
LONGEST_SENTENCE: Final = 500
# Stands for a scene's own picture: where its file lies is nobody's concern.
OWN_PICTURE: Final = "own"


class Atelier:
    """Makes and changes what rooms show. What is made is kept, and can be named at once.

    Args:
        configuration: of the server; its cache folder holds the libraries.
        looks: prepares figures that are new.
    """

    def __init__(self, configuration: Configuration, looks: Looks) -> None:
        self._configuration = configuration
        self._looks = looks
        self._aside = Aside()
        self._backgrounds = Pictures(configuration.cache / "backgrounds")

    async def create(self, name: str, sentence: str, base: str = "mia") -> dict[str, Any]:
        """Make an identity from a sentence in English or Mandarin; return what was understood.

        Raises:
            ConfigurationError: the name is taken or none, or the sentence says nothing.
            AssetError: a model is missing.
        """
        avatars(self._configuration.cache).free(name)
        return await self._run(make_identity, self._configuration, name, sentence, base)

    async def edit(self, name: str, instruction: str, save_as: str | None) -> dict[str, Any]:
        """Change an identity as an instruction says; see `pipeline.identities.edit`. It is kept as
        `save_as`: another name, or its own, which changes it itself.

        Raises:
            ConfigurationError: there is no such identity, or a name is not accepted.
            AssetError: nothing can be drawn here.
        """
        library = avatars(self._configuration.cache)
        library.get(name)
        if save_as is not None:
            library.free(save_as, replace=save_as == name)
        return await self._run(change_identity, self._configuration, name, instruction, save_as)

    async def prepare(self, name: str) -> None:
        """Build an identity's figure and still picture where they are missing.

        Raises:
            AvatarPreparingError: it takes longer than a caller should wait, and goes on.
            AssetError: it cannot be built.
        """
        await self._looks.prepare(SessionOptions(avatar=name, video=VideoFormat()))

    def remove(self, name: str) -> None:
        """Forget an own identity.

        Raises:
            ConfigurationError: it comes ready, or there is none.
        """
        avatars(self._configuration.cache).remove(name)

    def scene(self, name: str) -> SceneSpec:
        """Return a scene.

        Raises:
            ConfigurationError: there is none.
        """
        return scenes(self._configuration.cache).get(name)

    def keep_scene(self, name: str, fields: Mapping[str, object], *, new: bool) -> SceneSpec:
        """Keep a scene; files it names must be stored ones ("asset:..."), since who asks is not on
        this machine.

        Args:
            fields: of `SceneSpec` as JSON has them; "base" is the scene they are laid over.
            new: whether there must be none of that name yet.

        Raises:
            ConfigurationError: the name is taken or comes ready, or a field is not accepted.
        """
        library = scenes(self._configuration.cache)
        library.free(name, replace=not new)
        changes = dict(fields)
        base = changes.pop("base", "studio" if new else name)
        if not isinstance(base, str):
            raise ConfigurationError(f"base is {base!r:.60}; accepted: {', '.join(library.names)}")
        made = self._looks.scene(
            SessionOptions(scene=base, scene_changes=_with_own(changes, library.get(base)))
        )
        made = made.changed(name=name)
        library.keep(made)
        return made

    def keep_background(self, name: str, picture: bytes) -> SceneSpec:
        """Put a picture behind the host of an own scene. Blocks.

        Args:
            picture: JPEG, PNG or WebP.

        Raises:
            ConfigurationError: it is no such picture, or the scene comes ready, or there is none.
            StoreError: the disk does not take it.
        """
        library = scenes(self._configuration.cache)
        library.free(name, replace=True)
        scene = library.get(name)
        stem = blake2s(picture, digest_size=10).hexdigest()
        kept = self._backgrounds.write(name, stem, picture)
        source = str(self._backgrounds.path(name, kept))
        made = self._looks.shown(scene, {"background": {"type": "picture", "source": source}})
        library.keep(made)
        return made

    def remove_scene(self, name: str) -> None:
        """Forget an own scene. Its picture stays while another scene shows it.

        Raises:
            ConfigurationError: it comes ready, or there is none.
        """
        library = scenes(self._configuration.cache)
        library.remove(name)
        folder = str(self._backgrounds.path(name, "x").parent)
        others = (library.get(other) for other in library.names)
        if not any(_source(scene).startswith(folder) for scene in others):
            self._backgrounds.remove_shop(name)

    def close(self) -> None:
        """Leave what is under way. Idempotent."""
        self._aside.close()

    async def _run(self, work: Any, *arguments: object) -> dict[str, Any]:
        try:
            done: dict[str, Any] = await self._aside.run("atelier", work, *arguments)
        except AsideError as error:
            if error.kind == ConfigurationError.__name__:
                raise ConfigurationError(str(error)) from None
            raise AssetError(str(error)) from None
        return done


def _source(scene: SceneSpec) -> str:
    """Return what the background of a scene names; empty for nothing."""
    return getattr(scene.background, "source", "") or ""


def _with_own(changes: Mapping[str, object], scene: SceneSpec) -> dict[str, object]:
    """Return changes in which a scene's own picture is named as it is kept."""
    background = changes.get("background")
    if not isinstance(background, Mapping) or background.get("source") != OWN_PICTURE:
        return dict(changes)
    return {**changes, "background": {**background, "source": _source(scene) or OWN_PICTURE}}


def make_identity(
    configuration: Configuration, name: str, sentence: str, base: str
) -> dict[str, Any]:
    """Make an identity from a sentence; `pipeline.identities.create` tells the errors."""
    made = create(configuration, name=name, base=base, sentence=sentence)
    return {"avatar": made.spec.name, **made.notes}


def change_identity(
    configuration: Configuration, name: str, instruction: str, save_as: str | None
) -> dict[str, Any]:
    """Change an identity; `pipeline.identities.edit` tells the errors."""
    report = edit(
        configuration,
        name=name,
        instruction=instruction,
        save_as=save_as,
        candidates=CANDIDATES,
        replace=save_as == name,
    )
    saved = report.pop("saved", None)
    scene = report.pop("scene_saved", None)
    return {**report, "saved": _stem(saved), "scene_saved": _stem(scene)}


def _stem(path: object) -> str | None:
    """Return the name a document was saved under; where its file lies is nobody's concern."""
    return None if path is None else str(path).replace("\\", "/").rpartition("/")[2][:-5]
