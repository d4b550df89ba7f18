"""`Looks`: who a session shows, where, and how it moves, found by name before anything opens."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec, SceneSpec
from motion.bodies import Body
from motion.style import StyleSpec
from pipeline.configuration import PictureSettings
from pipeline.errors import ConfigurationError
from pipeline.library import avatars, scenes, styles
from pipeline.options import SessionOptions
from pipeline.prepared import body_of, is_prepared, still_path
from pipeline.preparing import Preparing

# Pictures that come with the program; every other source is a path on the server's disk.
_OURS = "asset:"


@dataclass(frozen=True, slots=True)
class Look:
    """An identity, a scene and a style: three independent things."""

    avatar: AvatarSpec
    scene: SceneSpec
    style: StyleSpec


class Looks:
    """The libraries of one cache folder, as sessions see them.

    Args:
        cache: the folder.
        defaults: what a session has when nobody wishes for others.
        drawn: whether figures are drawn, so that they must have been prepared.
    """

    def __init__(
        self, cache: Path, defaults: PictureSettings | None = None, *, drawn: bool = False
    ) -> None:
        self.avatars, self.scenes, self.styles = avatars(cache), scenes(cache), styles(cache)
        self.defaults = defaults or PictureSettings()
        self._cache = cache
        self._drawn = drawn
        self._preparing = Preparing(cache)

    def completed(self, options: SessionOptions) -> SessionOptions:
        """Return the options with every name filled in.

        Raises:
            ConfigurationError: as `look`.
        """
        options = replace(
            options,
            avatar=options.avatar or self.defaults.avatar,
            scene=options.scene or self.defaults.scene,
            style=options.style or self.defaults.style,
        )
        return replace(options, framing=self.look(options).scene.framing)

    def look(self, options: SessionOptions) -> Look:
        """Return what the options name.

        Raises:
            ConfigurationError: there is none of that name, it has not been prepared for drawing,
                or a change of the scene is not accepted; the message says what is.
        """
        who = self._who(options)
        if options.video is not None and not self.is_ready(who):
            raise ConfigurationError(
                f"avatar {who.name!r} has not been prepared; run: vivant models fetch"
            )
        style = self.styles.get(options.style or self.defaults.style)
        return Look(who, self.scene(options), style)

    def is_ready(self, who: AvatarSpec) -> bool:
        """Return whether a session that shows an identity can open at once."""
        return not self._drawn or is_prepared(who, self._cache)

    def body(self, who: AvatarSpec) -> Body:
        """Return the proportions an identity moves with.

        Raises:
            AssetError: its figure's file cannot be measured.
        """
        return body_of(who, self._cache)

    async def prepare(self, options: SessionOptions) -> None:
        """Return when the figure the options name can be drawn, having built it where it is new.

        Raises:
            ConfigurationError: there is no identity of that name.
            AvatarPreparingError: it takes longer than a caller should wait, and goes on.
            AssetError: it cannot be built.
        """
        who = self._who(options)
        if options.video is not None and not self.is_ready(who):
            await self._preparing.ready(who.name)

    async def close(self) -> None:
        """Leave what is being prepared. Idempotent."""
        await self._preparing.close()

    def still(self, name: str) -> Path | None:
        """Return the file of an identity's still picture (JPEG), None where there is none.

        Raises:
            ConfigurationError: there is no such identity.
        """
        path = still_path(self.avatars.get(name), self._cache)
        return path if path.is_file() else None

    def _who(self, options: SessionOptions) -> AvatarSpec:
        return self.avatars.get(options.avatar or self.defaults.avatar)

    @staticmethod
    def shown(scene: SceneSpec, changes: Mapping[str, object]) -> SceneSpec:
        """Return a scene with fields laid over it, None being a field's default; the server's own
        wish, so it may name any file.

        Raises:
            ConfigurationError: a field or a value is not accepted.
        """
        if not changes:
            return scene
        kept = {name: value for name, value in changes.items() if value is not None}
        whole = json.loads(scene.to_json())
        for name in changes:
            whole.pop(name, None)
        try:
            return SceneSpec.from_mapping(whole | kept)
        except AvatarValueError as error:
            raise ConfigurationError(str(error)) from error

    def scene(self, options: SessionOptions) -> SceneSpec:
        """Return the scene the options name, with their changes. A stranger may have asked for it,
        so it names no file that the stored scene does not.

        Raises:
            ConfigurationError: there is none, or a change is not accepted.
        """
        stored = self.scenes.get(options.scene or self.defaults.scene)
        changes = dict(options.scene_changes)
        if options.framing is not None:
            changes["framing"] = options.framing
        for kept in ("name", "kind", "version"):
            if kept in changes:
                raise ConfigurationError(f"scene.{kept}: cannot be changed in a session")
        try:
            changed = SceneSpec.from_mapping(json.loads(stored.to_json()) | changes)
        except AvatarValueError as error:
            raise ConfigurationError(str(error)) from error
        foreign = set(_sources(changed)) - set(_sources(stored))
        for source in sorted(foreign):
            if not source.startswith(_OURS):
                raise ConfigurationError(
                    f"scene: {source!r:.80}; accepted: pictures and videos of stored scenes, and "
                    f"those that come with the program ({_OURS}NAME)"
                )
        return changed


def _sources(scene: SceneSpec) -> Iterator[str]:
    """Yield every file a scene names."""
    card = None if scene.card is None else scene.card.picture
    for source in (scene.logo, card, getattr(scene.background, "source", None)):
        if source is not None:
            yield source
