"""What `vivant avatar` does: make an identity, change one, show one."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avatar.errors import AvatarError, AvatarValueError
from avatar.spec import AvatarSpec, SceneSpec
from pipeline.assets import Registry
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.folders import avatar_folder, body_folder
from pipeline.library import avatars, scenes
from pipeline.picture_file import check_picture, write_picture
from pipeline.privacy.person import check_person
from pipeline.studio import edit_studio, patient_renderer, workshop_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from avatar.wardrobe.poke import Report

Tell = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A new identity, and what a person should know of how it came about."""

    spec: AvatarSpec
    notes: Mapping[str, object]


def create(
    configuration: Configuration,
    *,
    name: str,
    base: str = "mia",
    sentence: str | None = None,
    photo: Path | None = None,
    consent: bool = False,
    person: str = "",
    sliders: Mapping[str, str] | None = None,
    replace: bool = False,
    progress: Tell | None = None,
) -> Made:
    """Make an identity from a sentence or a photo or `base`, then by sliders, and keep it.

    `person`: opaque id of the one in the photo, with whose data it is exported and deleted.
    `replace`: whether an own identity of that name goes.

    Raises:
        ConfigurationError: something asked for is not accepted; the message names it.
        AssetError: a model is missing.
    """
    if sentence is not None and photo is not None:
        raise ConfigurationError("an identity is made from a sentence or a photo; accepted: one")
    if person and photo is None:
        raise ConfigurationError(f"person is {person[:40]!r}; accepted: with a photo of them")
    if person:
        check_person(person)
    library = avatars(configuration.cache)
    library.free(name, replace=replace)
    try:
        made = _origin(configuration, library.get(base), sentence, photo, consent, progress)
        spec = made.spec
        if sliders:
            from avatar.creation.sliders import from_sliders

            spec = from_sliders(spec, sliders)
        if photo is not None:
            spec = spec.changed(provenance=spec.provenance.changed(person=person))
        spec = spec.changed(name=name, title=spec.title or name.title())
    except AvatarValueError as error:
        raise ConfigurationError(str(error)) from error
    library.keep(spec)
    return Made(spec, made.notes)


def _origin(
    configuration: Configuration,
    base: AvatarSpec,
    sentence: str | None,
    photo: Path | None,
    consent: bool,
    progress: Tell | None,
) -> Made:
    if sentence is not None:
        from avatar.creation.sentence import from_sentence
        from pipeline.embedding import open_embedder

        read = from_sentence(sentence, open_embedder())
        notes: dict[str, Any] = {"unused": read.unused, "conflicts": read.conflicts}
        notes |= {"guesses": read.guesses, "nearest": read.nearest}
        return Made(read.spec, notes)
    if photo is not None:
        return _from_photo(configuration, base, photo, consent, progress)
    return Made(base.changed(provenance={"source": "sliders"}, title=""), {})


def _from_photo(
    configuration: Configuration, base: AvatarSpec, photo: Path, consent: bool, tell: Tell | None
) -> Made:
    from avatar.body.prepare import FACES
    from avatar.creation.photo.identity import PhotoReader

    registry = Registry(configuration.cache)
    reader = PhotoReader(registry.folder("face-landmarks"), body_folder(configuration.cache))
    read = reader.from_photo(
        photo,
        avatar_folder(configuration.cache) / FACES,
        consent=consent,
        made=datetime.now(UTC).date().isoformat(),
        base=base,
        progress=tell,
    )
    return Made(read.spec, {"notes": read.notes})


def edit(
    configuration: Configuration,
    *,
    name: str,
    instruction: str,
    scene: str = "studio",
    save_as: str | None = None,
    candidates: int = 4,
    seed: int = 0,
    replace: bool = False,
    progress: Tell | None = None,
) -> dict[str, object]:
    """Change an identity as `instruction` says, judge the candidates, and keep the best.

    It is kept as `save_as`, over an own identity of that name where `replace` says so; without,
    as NAME-edit, or with a number behind that when there is one.

    Returns the report: what was read, the reward, and why where it was refused. A changed scene
    is kept too, under the name of the new identity, or with a number behind it where an own scene
    has that name and `replace` is not said.

    Raises:
        ConfigurationError: no such identity or scene, or a name that is not accepted.
    """
    from avatar.editing.edit import edit as edited

    who = avatars(configuration.cache).get(name)
    place = scenes(configuration.cache).get(scene)
    library = avatars(configuration.cache)
    kept = library.free(save_as or library.unused(f"{name[:35]}-edit"), replace=replace)
    with _refusing(), edit_studio(configuration) as studio:
        result = edited(
            who,
            place,
            instruction,
            studio,
            candidates=candidates,
            seed=seed,
            progress=progress,
        )
    report: dict[str, object] = {
        "avatar": name,
        "refused": result.refused,
        "why": result.why,
        "reward": round(result.reward, 4),
        "atoms": [str(atom) for atom in result.atoms],
        "nearest": list(result.nearest),
    }
    if not result.refused:
        changed = result.scene if result.scene != place else None
        report |= _keep(configuration, result.spec, changed, kept, replace=replace)
    return report


def _keep(
    configuration: Configuration,
    spec: AvatarSpec,
    scene: SceneSpec | None,
    name: str,
    *,
    replace: bool,
) -> dict[str, object]:
    """Store an edited identity under a free name, and its scene where that changed."""
    title = spec.title if name == spec.name else re.sub("[-_]", " ", name).title()
    kept = avatars(configuration.cache).keep(spec.changed(name=name, title=title))
    report: dict[str, object] = {"saved": str(kept)}
    if scene is not None:
        library = scenes(configuration.cache)
        place = scene.changed(name=name if replace else library.unused(name))
        report["scene_saved"] = str(library.keep(place))
    return report


def show(
    configuration: Configuration,
    *,
    name: str,
    output: Path,
    scene: str = "studio",
    size: tuple[int, int] = (360, 640),
    progress: Tell | None = None,
) -> dict[str, object]:
    """Write the contact sheet of an identity as a picture.

    Raises:
        ConfigurationError: no such identity or scene, or the file cannot be written.
    """
    from avatar.body.prepare import prepare
    from avatar.renderer.base import Size
    from avatar.sheet import contact_sheet

    who = avatars(configuration.cache).get(name)
    place = scenes(configuration.cache).get(scene)
    folders = avatar_folder(configuration.cache), body_folder(configuration.cache)
    check_picture(output)
    with _refusing(), patient_renderer(configuration) as renderer:
        asset = prepare(who, *folders, progress)
        sheet = contact_sheet(renderer, who, asset, place, Size(*size))
    write_picture(sheet, output)
    return _written(name, output, sheet)


def show_lookbook(
    configuration: Configuration,
    *,
    name: str,
    output: Path,
    scene: str = "studio",
    size: tuple[int, int] = (180, 320),
    progress: Tell,
) -> dict[str, object]:
    """Write a picture of an identity in every hair style and garment, each checked in all poses.

    Raises:
        ConfigurationError: no such identity or scene, or the file cannot be written.
    """
    from avatar.body.workshop import FULL
    from avatar.lookbook import lookbook, looks
    from avatar.renderer.base import Size

    tried = looks(avatars(configuration.cache).get(name))
    place = scenes(configuration.cache).get(scene)
    check_picture(output)
    with _refusing(), patient_renderer(configuration) as renderer:
        workshop = workshop_of(configuration, renderer, FULL)
        sheet, found = lookbook(renderer, workshop, tried, place, Size(*size), progress)
    write_picture(sheet, output)
    return _written(name, output, sheet) | {
        "looks": {
            look.title: {
                kind: {
                    "points": look.report.count(kind),
                    "millimetres": round(1e3 * look.report.worst(kind), 1),
                }
                for kind in ("skin", "cloth", "hair")
            }
            for look in found
        },
    }


def _written(name: str, output: Path, sheet: "Image") -> dict[str, object]:
    return {"avatar": name, "output": str(output), "size": f"{sheet.width}x{sheet.height}"}


@contextmanager
def _refusing() -> Iterator[None]:
    """Tell what avatar does not accept as what the caller asked for and cannot have."""
    try:
        yield
    except (AvatarError, AvatarValueError) as error:
        raise ConfigurationError(str(error)) from error


def check(configuration: Configuration, *, name: str) -> "Report":
    """Look for skin outside garments in all trial poses.

    Raises:
        ConfigurationError: no such identity, or it cannot be prepared.
    """
    from avatar.body.prepare import prepare
    from avatar.wardrobe import poke

    who = avatars(configuration.cache).get(name)
    with _refusing():
        asset = prepare(who, avatar_folder(configuration.cache), body_folder(configuration.cache))
    return poke.check(asset)
