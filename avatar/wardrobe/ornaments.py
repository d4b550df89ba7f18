"""Ornaments: glasses, ear-rings, watch and necklace."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import vertex_normals
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface, rigid
from avatar.hair import covers_ears
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear
from avatar.spec.identity import OrnamentSpec
from avatar.wardrobe.ornaments_glasses import RECTANGULAR, ROUND, Shape, glasses
from avatar.wardrobe.ornaments_jewellery import hoops, necklace, studs
from avatar.wardrobe.ornaments_solids import Solid
from avatar.wardrobe.ornaments_watch import watch
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_HEAD: Final = JOINT_NAMES.index("head")
_STEEL: Final = (0.42, 0.42, 0.44)
_LEATHER: Final = (0.030, 0.019, 0.013)


@dataclass(frozen=True, slots=True)
class _Wearer:
    """What an ornament is fitted to."""

    body: Body
    marks: Landmarks
    clothes: Sequence[Surface]


def ornament_surfaces(
    body: Body, marks: Landmarks, who: AvatarSpec, clothes: Sequence[Surface]
) -> list[Surface]:
    """Return the surfaces of all ornaments of `who`, opaque ones first.

    Materials are "metal" (`values`: "colour", linear RGB; "metal", 0 lacquer to 1 bare metal) and
    "glass" for lenses, which are blended and so are drawn after everything else.

    Args:
        clothes: what is worn: a necklace lies on it, a watch sits below the sleeve.
    """
    wearer = _Wearer(body, marks, clothes)
    surfaces = [
        surface
        for ornament in who.ornaments
        # Studs lie under hair that covers the ears; hoops hang out below it.
        if not (ornament.kind == "studs" and covers_ears(who.hair.style))
        for surface in _MAKERS[ornament.kind](wearer, ornament)
    ]
    return sorted(surfaces, key=lambda surface: surface.material == "glass")


def _eyewear(shape: Shape) -> Callable[[_Wearer, OrnamentSpec], list[Surface]]:
    def make(wearer: _Wearer, ornament: OrnamentSpec) -> list[Surface]:
        frame, lenses = glasses(wearer.body, wearer.marks, shape)
        wire = 1.0 if shape is ROUND else 0.0
        colour = linear(ornament.colour)
        return [
            _surface("glasses", frame, _on_head(frame), colour, wire),
            _surface("lenses", lenses, _on_head(lenses), colour, 0.0, material="glass"),
        ]

    return make


def _studs(wearer: _Wearer, ornament: OrnamentSpec) -> list[Surface]:
    solid = studs(wearer.body, wearer.marks)
    return [_surface("studs", solid, _on_head(solid), linear(ornament.colour), 1.0)]


def _hoops(wearer: _Wearer, ornament: OrnamentSpec) -> list[Surface]:
    solid = hoops(wearer.body, wearer.marks)
    return [_surface("hoops", solid, _on_head(solid), linear(ornament.colour), 1.0)]


def _watch(wearer: _Wearer, ornament: OrnamentSpec) -> list[Surface]:
    strap, case, dial, weights = watch(wearer.body, wearer.clothes)
    colour = linear(ornament.colour)
    pale = (0.72, 0.71, 0.68) if sum(colour) < 0.6 else (0.012, 0.013, 0.018)
    return [
        _surface(name, solid, np.repeat(weights[None], len(solid.positions), 0), tone, bare)
        for name, solid, tone, bare in (
            ("strap", strap, _LEATHER, 0.0),
            ("watch", case, colour if sum(colour) > 0.3 else _STEEL, 1.0),
            ("dial", dial, pale, 0.0),
        )
    ]


def _necklace(wearer: _Wearer, ornament: OrnamentSpec) -> list[Surface]:
    points, normals, weights = _bust(wearer)
    solid, follows = necklace(points, normals, weights, wearer.marks)
    return [_surface("necklace", solid, follows, linear(ornament.colour), 1.0)]


# Garments a necklace goes under, by the first word of their surfaces' names.
_OVER_NECKLACE: Final = ("jacket", "lapel", "front", "collar", "hood", "apron", "button", "pocket")


def _bust(wearer: _Wearer) -> tuple[Floats, Floats, Floats]:
    """Return points, normals and weights of what a necklace lies on."""
    body, height = wearer.body, float(wearer.marks.neck[2])
    skin = body.vertices[:SKIN_VERTICES]
    normals = vertex_normals(body.vertices, body.groups["body"].triangles)[:SKIN_VERTICES]
    near = (np.abs(skin[:, 2] - height) < 0.24) & (np.abs(skin[:, 0]) < 0.2)
    near &= body.weight_of("head", "eye")[:SKIN_VERTICES] < 0.6
    found = [(skin[near], normals[near], body.weights[:SKIN_VERTICES][near])]
    for cloth in wearer.clothes:
        if not cloth.name.startswith(_OVER_NECKLACE):
            high = np.abs(cloth.positions[:, 2] - height) < 0.24
            found.append((cloth.positions[high], cloth.normals[high], cloth.weights[high]))
    points, directions, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return points, directions, weights


_MAKERS: Final[Mapping[str, Callable[[_Wearer, OrnamentSpec], list[Surface]]]] = {
    "glasses": _eyewear(RECTANGULAR),
    "round_glasses": _eyewear(ROUND),
    "studs": _studs,
    "hoops": _hoops,
    "watch": _watch,
    "necklace": _necklace,
}


def _on_head(solid: Solid) -> Floats:
    return rigid(len(solid.positions), _HEAD)


def _surface(
    name: str,
    solid: Solid,
    weights: Floats,
    colour: tuple[float, ...],
    metal: float,
    material: str = "metal",
) -> Surface:
    return Surface(
        name=name,
        material=material,
        texture="",
        positions=solid.positions,
        normals=solid.normals,
        uv=np.zeros((len(solid.positions), 2), np.float32),
        weights=weights,
        triangles=solid.triangles,
        occludes=False,
        floor=0.45,
        values={"colour": list(colour), "metal": [metal]},
    )
