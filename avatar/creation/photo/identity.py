"""An identity from one photo: `from_photo`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from avatar.body.ears import flatten_ears
from avatar.body.photo_skin import save_face
from avatar.body.source import load_body
from avatar.creation.photo.colours import Colours, take_colours
from avatar.creation.photo.face import FaceFinder, FaceLandmarks
from avatar.creation.photo.fit import ANYONE, STEPS, Fit, fit_head, one_thread
from avatar.creation.photo.hairstyle import HairOutline, choose_style, outline
from avatar.creation.photo.person import Portrait, cut_portrait, hair_mask
from avatar.creation.photo.picture import load_photo
from avatar.creation.photo.shape import HeadShape, load_shape
from avatar.creation.photo.texture import project_texture
from avatar.errors import AvatarValueError
from avatar.renderer.context import create_context
from avatar.spec import AvatarSpec
from avatar.spec.identity import ProvenanceSpec

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class PhotoIdentity:
    """What a photo gave.

    Attributes:
        spec: the identity. face, fit, colours, hair: what was measured on the way.
        notes: what could not be told from the photo, for the person who made it.
    """

    spec: AvatarSpec
    face: FaceLandmarks
    fit: Fit
    colours: Colours
    hair: HairOutline
    notes: tuple[str, ...]


class PhotoReader:
    """Makes identities from photos.

    Args:
        models: folder of the registry's asset "face-landmarks".
        anny_cache: folder of the body package's prebuilt tensors.

    Raises:
        AvatarError: a model cannot be read.
    """

    def __init__(self, models: Path, anny_cache: Path) -> None:
        self._finder = FaceFinder(models)
        self._segmentation = models / "selfie_segmentation.tflite"
        self._anny_cache = anny_cache
        self._shape: HeadShape | None = None

    def from_photo(
        self,
        source: Path | bytes,
        faces: Path,
        *,
        consent: bool,
        made: str,
        base: AvatarSpec | None = None,
        steps: int = STEPS,
        progress: Progress | None = None,
    ) -> PhotoIdentity:
        """Make an identity of the person in a photo.

        Shape and proportions of the face, colours, hair and the face's skin come from the photo.
        Age, gender and build can hardly be told from landmarks: they stay near those of `base`.

        Args:
            source: a file or its bytes: JPEG, PNG or WebP.
            faces: folder the face picture is stored in, named by its SHA-256.
            consent: the person shown agreed to the use of the photo.
            made: ISO 8601 date, kept in the provenance.
            base: what is known beforehand: gender, age, build, clothes, voice.
            steps: of the fit; fewer are quicker and coarser.
            progress: told what is being done and the share done, 0 to 1.

        Raises:
            AvatarValueError: no consent, or the photo is not accepted; the message says why.
        """
        if not consent:
            raise AvatarValueError(
                "consent: False; accepted: True, when the person in the photo agreed to its use"
            )
        tell = progress or (lambda _step, _share: None)
        tell("photo", 0.0)
        photo = load_photo(source)
        tell("face", 0.05)
        with one_thread():
            face = self._finder.find_face(photo.pixels)
            portrait = cut_portrait(photo.pixels, face, self._segmentation)
        colours = take_colours(portrait)
        hair = outline(portrait, hair_mask(portrait, colours.skin_seen, colours.hair_seen))
        tell("shape", 0.15)
        start = base or AvatarSpec(body=ANYONE)
        fit = fit_head(
            face,
            self._shapes(),
            start.body,
            steps,
            lambda share: tell("shape", 0.15 + 0.6 * share),
        )
        tell("skin", 0.75)
        texture = self._texture(photo.pixels, face, fit, portrait, colours)
        spec = _specified(start, fit, colours, hair, save_face(texture, faces), photo.digest, made)
        tell("done", 1.0)
        return PhotoIdentity(spec, face, fit, colours, hair, _notes(colours, base))

    def _shapes(self) -> HeadShape:
        if self._shape is None:
            self._shape = load_shape(self._anny_cache)
        return self._shape

    def _texture(
        self,
        picture: NDArray[np.uint8],
        face: FaceLandmarks,
        fit: Fit,
        portrait: Portrait,
        colours: Colours,
    ) -> NDArray[np.uint8]:
        body = load_body(
            fit.body.phenotypes, dict(fit.body.changes), dict(fit.body.face), self._anny_cache
        )
        context = create_context()
        try:
            return project_texture(
                context,
                picture,
                face,
                fit,
                flatten_ears(body),
                portrait,
                colours.skin,
                (colours.skin_seen, colours.hair_seen),
            )
        finally:
            context.release()


def _specified(
    start: AvatarSpec,
    fit: Fit,
    colours: Colours,
    hair: HairOutline,
    texture: str,
    digest: str,
    made: str,
) -> AvatarSpec:
    clothes = tuple(
        piece.changed(colour=colours.cloth, second="", pattern="plain")
        if colours.cloth and piece.place == "upper"
        else piece
        for piece in start.outfit
    )
    return start.changed(
        body=fit.body,
        skin=start.skin.changed(colour=colours.skin, texture=texture, makeup=0.2),
        eyes=start.eyes.changed(outer=colours.iris_outer, inner=colours.iris_inner),
        brows=start.brows.changed(colour=colours.brows),
        lips=start.lips.changed(colour=colours.lips),
        hair=start.hair.changed(
            style=choose_style(hair, colours.hair_share), colour=colours.hair, tip=""
        ),
        outfit=clothes,
        provenance=ProvenanceSpec(source="photo", consent=True, digest=digest, made=made),
    )


def _notes(colours: Colours, base: AvatarSpec | None) -> tuple[str, ...]:
    notes = []
    if base is None:
        notes.append("age, gender and build cannot be told from the photo and are average")
    if not colours.cloth:
        notes.append("no clothes are seen; their colour is the usual one")
    if colours.hair_share < 0.25:
        notes.append("little hair is seen; it is cropped")
    return tuple(notes)
