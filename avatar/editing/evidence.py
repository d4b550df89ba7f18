"""What pictures show of an edit: the change in its region, and what stayed outside."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.editing.atoms import FACE, Atom
from avatar.editing.measure import (
    box_of,
    colour_lab,
    contrast,
    distance,
    features,
    grown,
    likeness,
    roughness,
    smooth,
    structure,
)
from avatar.editing.studio import Shot
from avatar.editing.targets import TARGETS

Mask = NDArray[np.bool_]
# From a picture before, one after and the atom: how well the atom can be seen, 0 to 1.
Perception = Callable[[NDArray[np.uint8], NDArray[np.uint8], Atom], float]

# Below these shares of the picture a thing cannot be told from noise.
_VISIBLE: Final[Mapping[str, float]] = {
    "glasses": 2.0e-3, "ears": 1.0e-4, "wrist": 3.0e-4, "neck": 3.0e-4, "upper": 5e-3,
    "outer": 1e-2, "over": 1e-2, "lower": 5e-3, "feet": 1.5e-3, "overlay": 4e-3,
}  # fmt: skip
_MARGIN: Final = 4
# A colour difference that people notice, CIELAB (Mahy et al. 1994).
_NOTICED: Final = 2.3
# How much of what is left to black or white a step takes.
_SHARE_OF_ROOM: Final = 0.3


@dataclass(frozen=True, slots=True)
class Kept:
    """How much stayed outside the edit, each 0 to 1.

    Attributes:
        structure: structural similarity. colour: falls with the mean Delta E.
        identity: cosine of the face's features. preserved: of what was asked to stay.
    """

    structure: float
    colour: float
    identity: float
    preserved: float = 1.0

    @property
    def value(self) -> float:
        """Return all of it as one number, 0 to 1."""
        plain = 0.45 * self.structure + 0.2 * self.colour + 0.35 * self.identity
        return plain * self.preserved


def change_mask(atoms: tuple[Atom, ...], before: Shot, after: Shot) -> Mask:
    """Return where [h, w] the atoms may change the picture: their regions before and after."""
    names = tuple({name for atom in atoms for name in atom.region})
    return grown(before.mask(*names) | after.mask(*names), _MARGIN)


def kept(before: Shot, after: Shot, mask: Mask, preserve: Mapping[str, bool] | None = None) -> Kept:
    """Measure what stayed outside `mask`; a face's pixels weigh three times the others'.

    Args:
        preserve: the targets that were to stay, and whether each has all its values still.
    """
    outside = ~mask
    face = before.mask(*FACE)
    weight = np.where(face, 3.0, np.where(before.mask("background"), 0.6, 1.0)) * outside
    first, second = before.lab, after.lab
    similar, apart = 1.0, 0.0
    # With another light on another background nothing is left outside.
    if (total := float(weight.sum())) > 0.0:
        similar = float((structure(before.rgb, after.rgb) * weight).sum() / total)
        apart = float((np.linalg.norm(first - second, axis=-1) * weight).sum() / total)
    return Kept(
        structure=min(max(similar, 0.0), 1.0),
        colour=float(np.exp(-apart / 6.0)),
        identity=identity(before, after, mask),
        preserved=min(
            (_preserved(before, after, *item) for item in (preserve or {}).items()), default=1.0
        ),
    )


def identity(before: Shot, after: Shot, mask: Mask) -> float:
    """Return the cosine, 0 to 1, of the faces' features with `mask` blanked in both."""
    box = box_of(before.mask(*FACE))
    if box is None:
        return 1.0
    inside = mask[..., None]
    blank = np.asarray(before.rgb[before.mask(*FACE)].mean(0), np.uint8)
    one, two = (features(np.where(inside, blank, s.rgb), box) for s in (before, after))
    if not one.any() and not two.any():
        return 1.0
    return float(np.clip(one @ two, 0.0, 1.0))


def _preserved(before: Shot, after: Shot, target: str, untouched: bool) -> float:
    """Return whether what was to stay can still be seen, and looks alike.

    On what is untouched another shade is the light's, or the shadow of longer hair.
    """
    region = TARGETS[target].region
    old, new = before.mask(*region), after.mask(*region)
    if not old.any():
        return 1.0
    seen = min(1.0, float(new.sum()) / (0.75 * float(old.sum())))
    alike = 1.0 if untouched else np.exp(-distance(before.lab, after.lab, old & new) / 12.0)
    return float(seen * alike) if new.any() else 0.0


def change(atom: Atom, before: Shot, after: Shot, bare: Shot | None = None) -> float:
    """Return how far the picture changed in the atom's region the way it asks, 0 to 1.

    Args:
        bare: for overlays, `after` without any: what differs from it is the overlay.
    """
    if atom.op == "text" or (atom.op == "remove" and atom.attribute == "text"):
        return _text(atom, before, after, bare)
    if atom.op == "pose":
        return _posed(atom, before, after)
    if atom.op == "remove" and TARGETS[atom.target].kind in ("garment", "ornament"):
        old, new = before.mask(*atom.region).sum(), after.mask(*atom.region).sum()
        return 1.0 - min(1.0, float(new) / max(float(old), 1.0)) if new else 1.0
    if atom.attribute == "length" or atom.attribute == "style":
        return _hair(atom, before, after)
    if atom.attribute == "kind":
        return _worn(atom, before, after)
    return _looks(atom, before, after)


def _looks(atom: Atom, before: Shot, after: Shot) -> float:
    """Colours, patterns, fabrics, amounts: the pixels of the region, before and after."""
    new = after.mask(*atom.region)
    old = before.mask(*atom.region)
    first, second = before.lab, after.lab
    both = old & new
    if both.sum() < 12:
        return 0.0
    moved = distance(first, second, both)
    if atom.attribute == "amount":
        return smooth(0.02, 0.15, _noticed(atom, before, after))
    if atom.attribute == "fabric":
        return smooth(0.3, 1.5, moved)
    if atom.attribute == "pattern":
        rough = roughness(second, both)
        if atom.value == "plain":
            return smooth(0.4, 1.5, moved) * (
                1.0 - smooth(0.9, 1.3, rough / max(roughness(first, both), 0.1))
            )
        return smooth(1.0, 4.0, moved) * smooth(1.2, 3.0, rough)
    if atom.attribute == "place":
        return smooth(3.0, 12.0, moved)
    if atom.value.startswith("#"):
        # Judged where it changed: around lips or an iris the region holds other things too.
        where = both & (np.linalg.norm(first - second, axis=-1) > 2.0)
        kind = TARGETS[atom.target].kind
        small = (kind == "paint" and atom.target != "skin") or atom.target == "tips"
        shown = where if small and where.any() else both
        goal = colour_lab(atom.value)
        like = likeness(second[shown], goal) * _nearer(first[shown], second[shown], goal)
        share = float(where.sum() / both.sum())
        # An iris takes a third of an eye, lips and brows less of their boxes.
        least = (0.05, 0.3) if atom.target == "eyes" else (0.004, 0.03)
        return smooth(0.05, 0.55, like) * (
            smooth(*least, share) if small else smooth(0.3, 4.0, moved)
        )
    return _toned(atom, first[both], second[both])


def _nearer(first: NDArray[np.float32], second: NDArray[np.float32], goal: Any) -> float:
    """Return whether pixels came noticeably nearer a colour, 0 to 1.

    What has the colour already is not changed by another shade of it.
    """
    step = np.linalg.norm(first - goal, axis=-1) - np.linalg.norm(second - goal, axis=-1)
    return smooth(0.3 * _NOTICED, 1.2 * _NOTICED, float(step.mean()))


def _noticed(atom: Atom, before: Shot, after: Shot) -> float:
    """Return the share of pixels that look different, in the part where most do."""
    apart = np.linalg.norm(before.lab - after.lab, axis=-1) > _NOTICED
    inside = [before.mask(name) & after.mask(name) for name in atom.region]
    return max(float(apart[part].mean()) for part in inside if part.any())


def _toned(atom: Atom, first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Darker, lighter, richer, warmer, ...: the mean step in the wanted direction."""
    step = (second - first).mean(0)
    chroma = float((np.hypot(*second[:, 1:].T) - np.hypot(*first[:, 1:].T)).mean())
    amount = {
        "darker": -step[0], "lighter": step[0], "brighter": step[0], "richer": chroma,
        "duller": -chroma, "warmer": step[2], "cooler": -step[2],
    }[atom.value]  # fmt: skip
    goal = {"little": 5.0, "": 9.0, "much": 18.0}[atom.degree]
    if atom.value in ("richer", "duller", "warmer", "cooler") or atom.target in (
        "background",
        "light",
        "lips",
    ):
        goal *= 0.6
    # What is nearly black can only get a little darker, but must do so noticeably.
    room = {"darker": first[:, 0].mean(), "lighter": 100.0 - first[:, 0].mean()}
    goal = min(goal, max(_SHARE_OF_ROOM * float(room.get(atom.value, 100.0)), 2.0 * _NOTICED))
    return smooth(0.2 * goal, 0.8 * goal, float(amount)) * (
        1.0 - smooth(3.0 * goal, 6.0 * goal, float(amount))
    )


def _hair(atom: Atom, before: Shot, after: Shot) -> float:
    """Length and style: where the hair ends, and its outline."""
    old, new = before.mask("hair"), after.mask("hair")
    if not new.any() or not old.any():
        return 1.0 if new.any() else 0.0
    if atom.attribute == "style":
        overlap = float((old & new).sum() / (old | new).sum())
        return smooth(0.03, 0.22, 1.0 - overlap)
    head = box_of(before.mask(*FACE))
    tall = max(head[0].stop - head[0].start, 1) if head else 1
    ends = [float(np.quantile(np.nonzero(mask)[0], 0.98)) for mask in (old, new)]
    lower = (ends[1] - ends[0]) / tall
    fuller = float(new.sum() / old.sum()) - 1.0
    sign = 1.0 if atom.value in ("longer", "long") else -1.0
    moved = max(smooth(0.03, 0.16, sign * lower), 0.7 * smooth(0.05, 0.3, sign * fuller))
    most = {"little": 0.5, "": 1.5, "much": 4.0}[atom.degree]
    return moved * (1.0 - smooth(most, 2.0 * most, sign * lower))


def _worn(atom: Atom, before: Shot, after: Shot) -> float:
    """A thing put on: it can be seen, it differs from what was there, in the colour asked."""
    parts = TARGETS[atom.value].region
    new = after.mask(*parts)
    need = _VISIBLE.get(parts[0], 1e-3) * new.size
    first, second = before.lab, after.lab
    seen = smooth(0.25 * need, need, float(new.sum()))
    # White can take the place of white: it is enough that some of it is noticeably another thing.
    apart = np.linalg.norm(first - second, axis=-1)[new] > _NOTICED
    differs = smooth(0.02, 0.15, float(apart.mean())) if apart.size else 0.0
    like = 1.0
    if wanted := atom.extra("colour"):
        like = smooth(0.05, 0.5, likeness(second[new], colour_lab(wanted)))
        if TARGETS[atom.value].kind == "ornament":
            like = 0.6 + 0.4 * like
    return seen * differs * like


def _posed(atom: Atom, before: Shot, after: Shot) -> float:
    first, second = before.lab, after.lab
    if atom.target == "smile":
        both = before.mask(*atom.region) & after.mask(*atom.region)
        apart = np.linalg.norm(first - second, axis=-1)[both]
        return smooth(1.0, 5.0, float(np.quantile(apart, 0.95))) if apart.size else 0.0
    sizes = [float(shot.mask(*FACE).mean()) for shot in (before, after)]
    ratio = sizes[1] / max(sizes[0], 1e-6)
    return smooth(0.1, 0.4, abs(float(np.log(max(ratio, 1e-6)))))


def _text(atom: Atom, before: Shot, after: Shot, bare: Shot | None) -> float:
    """An overlay: it is there, can be read, and does not lie on the face."""
    if bare is None:
        return 0.0
    shown = np.abs(after.rgb.astype(int) - bare.rgb).max(-1) > 12
    if atom.op == "remove":
        gone = np.abs(before.rgb.astype(int) - after.rgb).max(-1) > 12
        return smooth(0.002, 0.006, float(gone.mean()))
    changed = (np.abs(before.rgb.astype(int) - after.rgb).max(-1) > 12) & shown
    there = smooth(0.25 * _VISIBLE["overlay"], _VISIBLE["overlay"], float(changed.mean()))
    covered = float((shown & after.mask(*FACE)).sum() / max(after.mask(*FACE).sum(), 1))
    read = smooth(1.5, 4.5, contrast(after.rgb, changed))
    return there * read * (1.0 - smooth(0.02, 0.2, covered))
