"""SREdit on pictures: a painter makes the candidates, the same critic judges them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from avatar.editing.atoms import PART_INDEX, Atom
from avatar.editing.critic import ALPHA, Score
from avatar.editing.edit import short_of
from avatar.editing.evidence import Perception, change, kept
from avatar.editing.grammar import read
from avatar.editing.measure import grown
from avatar.editing.painters import Painter
from avatar.editing.studio import Shot
from avatar.editing.targets import TARGETS
from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec

RGB = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# Where a thing that is not in the picture yet would be put.
_WHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "glasses": ("eyes", "brows", "lids"), "ears": ("head", "hair"), "wrist": ("limbs",),
    "neck": ("limbs", "upper"), "over": ("upper", "outer", "lower"), "outer": ("upper",),
    "overlay": ("lower", "background"),
}  # fmt: skip
# Of the shorter side: how far a region is grown, and how wide its seam is.
_GROWTH: Final = 0.012


@dataclass(frozen=True, slots=True)
class PictureResult:
    """What came of an instruction on a picture.

    Attributes:
        rgb: uint8 [h, w, 3]; outside `mask` the pixels are those of the picture given.
        mask: bool [h, w], what the edit was allowed to change.
        reward, why, refused, atoms, scores: as in `avatar.editing.edit.EditResult`; one score a
            candidate, in the order of their seeds.
    """

    rgb: RGB
    mask: Mask
    atoms: tuple[Atom, ...]
    reward: float
    why: str
    refused: bool
    scores: tuple[Score, ...] = field(default=())


def edit_picture(
    rgb: RGB,
    parts: NDArray[np.uint8],
    instruction: str,
    painter: Painter,
    *,
    candidates: int = 4,
    seed: int = 0,
    who: AvatarSpec | None = None,
    perceive: Perception | None = None,
) -> PictureResult:
    """Carry out an instruction on a picture.

    Args:
        rgb: uint8 [h, w, 3]. parts: uint8 [h, w], what each pixel shows (`PARTS`).
        painter: makes candidates from `candidates` seeds, beginning at `seed`.
        who: what is worn, for reading the instruction.
        perceive: a model that looks at the pictures as well.

    Raises:
        AvatarValueError: the arrays do not fit, or `candidates` is below 1.
        AvatarError: the painter failed.
    """
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.shape[:2] != parts.shape:
        raise AvatarValueError(
            f"picture {list(rgb.shape)} with parts {list(parts.shape)}; "
            "accepted: [h, w, 3] with [h, w]"
        )
    if candidates < 1:
        raise AvatarValueError(f"candidates {candidates}; accepted: 1 or more")
    nothing = np.zeros(parts.shape, bool)
    reading = read(instruction, who or AvatarSpec())
    if reading.refusal:
        return PictureResult(rgb, nothing, (), 0.0, reading.refusal, True)
    before = Shot(rgb, parts)
    mask = region(reading.atoms, before)
    if not mask.any():
        why = "the picture does not show what should be changed"
        return PictureResult(rgb, nothing, reading.atoms, 0.0, why, True)
    scores, made = [], []
    for number in range(candidates):
        painted = painter.paint(rgb, mask, instruction.strip(), seed + number)
        made.append(composite(rgb, painted, mask))
        scores.append(_score(reading.atoms, before, painted, made[-1], mask, perceive))
    best = max(range(candidates), key=lambda i: (scores[i].reward, -i))
    reason = short_of(scores[best], reading.atoms)
    why = reason or f"candidate {best + 1} of {candidates}, reward {scores[best].reward:.2f}"
    result = rgb if reason else made[best]
    return PictureResult(
        result, mask, reading.atoms, scores[best].reward, why, bool(reason), tuple(scores)
    )


def region(atoms: Sequence[Atom], before: Shot) -> Mask:
    """Return what the atoms may change, bool [h, w]: what they name, or where it would be put;
    never what must be kept.
    """
    mask = np.zeros(before.parts.shape, bool)
    for atom in atoms:
        if TARGETS[atom.target].kind in ("pose", "part"):
            continue
        found = before.mask(*atom.region)
        if not found.any() or atom.op == "add":
            places = [part for name in atom.region for part in _WHERE.get(name, (name,))]
            found = found | before.mask(*places)
        mask |= found
    mask = grown(mask, max(round(_GROWTH * min(mask.shape)), 1))
    for name in {name for atom in atoms for name in atom.preserve}:
        mask &= ~before.mask(*TARGETS[name].region)
    return mask


def composite(rgb: RGB, painted: RGB, mask: Mask) -> RGB:
    """Return `painted` inside the mask and `rgb`, bit by bit, outside it; the seam lies inside."""
    width = max(_GROWTH * min(mask.shape), 1.0)
    depth = ndimage.distance_transform_edt(mask)
    share = np.clip(depth / width, 0.0, 1.0)[..., None]
    mixed = np.round(rgb + share * (painted.astype(np.float32) - rgb))
    return np.where(mask[..., None], mixed, rgb).astype(np.uint8)


def _score(
    atoms: tuple[Atom, ...],
    before: Shot,
    painted: RGB,
    made: RGB,
    mask: Mask,
    perceive: Perception | None,
) -> Score:
    """Judge a candidate: the change on the picture as it would be handed out, what stayed on the
    picture as it was painted, so that a painter that keeps to the region is preferred.
    """
    found = []
    for atom in atoms:
        after = Shot(made, _parts_after(atom, before, made, mask))
        shown = change(atom, before, after, before if TARGETS[atom.target].kind == "text" else None)
        if perceive is not None:
            shown = 0.5 * shown + 0.5 * perceive(before.rgb, made, atom)
        found.append(shown)
    # A painter may change whatever it likes: nothing is known to be as it was.
    preserve = {name: False for atom in atoms for name in atom.preserve}
    stayed = kept(before, Shot(painted, before.parts), mask, preserve)
    reward = ALPHA * float(np.mean(found)) + (1.0 - ALPHA) * stayed.value
    return Score(reward, tuple(found), stayed)


def _parts_after(atom: Atom, before: Shot, made: RGB, mask: Mask) -> NDArray[np.uint8]:
    """Guess what pixels show afterwards: what changed in the region is what was asked for."""
    parts = before.parts.copy()
    apart = np.linalg.norm(before.lab - Shot(made, parts).lab, axis=-1)
    changed = mask & (apart > 6.0)
    if atom.attribute == "kind" and atom.op != "remove":
        parts[changed] = PART_INDEX[TARGETS[atom.value].region[0]]
    elif atom.op == "remove" and atom.attribute == "kind":
        parts[changed & before.mask(*atom.region)] = PART_INDEX["background"]
    elif atom.attribute in ("style", "length"):
        # Grown hair covers what changed around it; cut hair uncovers it.
        hair = before.mask("hair")
        parts[changed & hair] = PART_INDEX["background"]
        parts[changed & ~hair] = PART_INDEX["hair"]
    return parts
