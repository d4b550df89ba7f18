"""Tries an avatar's clothes: what lies under cloth at rest must lie under it in every pose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.asset import AvatarAsset, Part
from avatar.body.mesh import boundary_edges, unit
from avatar.body.skinning import joint_moves, skinned
from avatar.wardrobe.trial_poses import trial_poses
from motion.pose import Pose

Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.intp]

# How far over a surface cloth is looked for, metres, and how deep under it a fault may begin.
_OVER: Final = (0.0, 0.004, 0.010, 0.02, 0.030)
_UNDER: Final = 0.012
# What may show before it counts, metres: a picture of 720x1280 shows 0.7 mm a pixel.
TOLERANCE: Final = 0.0010
# How many points of one surface may be on the wrong side of another in one pose: a few at the rim
# of a collar show a pixel or two for a moment.
ACCEPTED: Final = 12
_CANDIDATES: Final = 10
# How near to an open edge cloth covers nothing for sure, metres.
_EDGE: Final = 0.010
_DEEP: Final = 0.004


@dataclass(frozen=True, slots=True)
class Finding:
    """What one surface does to another in one pose.

    Attributes:
        pose: its name.
        kind: "skin" outside cloth, inner "cloth" outside outer cloth, or "hair" inside cloth.
        inner, outer: names of the parts.
        count: points of `inner` that are on the wrong side of `outer`.
        of: points of `inner` that `outer` covers.
        depth: of the worst, metres.
    """

    pose: str
    kind: str
    inner: str
    outer: str
    count: int
    of: int
    depth: float

    def __str__(self) -> str:
        depth = f"{1e3 * self.depth:.1f} mm"
        where = f"{self.pose:16} {self.kind:6} {self.inner} / {self.outer}"
        return f"{where}: {self.count} of {self.of}, {depth}"


@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found.

    Attributes:
        poses: names of the poses that were tried.
        covered: points under cloth that were watched, skin and cloth.
        findings: everything beyond `TOLERANCE`, the deepest first.
    """

    poses: tuple[str, ...]
    covered: int
    findings: tuple[Finding, ...]

    def worst(self, kind: str) -> float:
        """Return the greatest depth of a kind, metres; 0 when there is none."""
        return max((f.depth for f in self.findings if f.kind == kind), default=0.0)

    def count(self, kind: str) -> int:
        """Return how many points of a kind were found, over all poses."""
        return sum(f.count for f in self.findings if f.kind == kind)

    @property
    def refused(self) -> tuple[Finding, ...]:
        """Findings of more than `ACCEPTED` points, those of the most points first."""
        beyond = (found for found in self.findings if found.count > ACCEPTED)
        return tuple(sorted(beyond, key=lambda found: -found.count))

    def lines(self, most: int = 40) -> list[str]:
        """Return the report as text: totals, then the `most` deepest findings."""
        out = [f"{len(self.poses)} poses, {self.covered} points under cloth"]
        out += [
            f"{kind}: {self.count(kind)} points, {1e3 * self.worst(kind):.1f} mm"
            for kind in ("skin", "cloth", "hair")
        ]
        return out + [str(found) for found in self.findings[:most]]


@dataclass(frozen=True, slots=True)
class _Mesh:
    """A part with its points to watch: vertices, and of skin the middles of triangles."""

    part: Part
    kind: str

    def points(self, posed: Floats) -> Floats:
        if self.kind != "skin":
            return posed
        return np.concatenate([posed, posed[self.part.triangles].mean(1)])


@dataclass(frozen=True, slots=True)
class _Cover:
    """Which points [k] of `inner` the triangles of `outer` cover at rest, and which [k] do."""

    inner: _Mesh
    outer: _Mesh
    points: Indices
    triangles: NDArray[np.intp]


def check(asset: AvatarAsset, poses: Mapping[str, Pose] | None = None) -> Report:
    """Pose an avatar and report where skin or inner cloth comes out, or hair goes in.

    A point is covered when, at rest, a triangle of cloth lies over it along its normal within
    30 mm, or up to 12 mm under it (a fault at rest). In a pose it is measured against that
    triangle and the ones around it. Only surfaces that are drawn are looked at.

    Args:
        asset: a prepared avatar.
        poses: by name, without leading axes; `trial_poses` when omitted.
    """
    chosen = trial_poses(asset.joints) if poses is None else poses
    meshes = [_Mesh(part, _KINDS[part.material]) for part in asset.parts if part.material in _KINDS]
    covers = _covers([mesh for mesh in meshes if mesh.kind != "hair"])
    findings: list[Finding] = []
    for name, pose in chosen.items():
        moves = joint_moves(asset, pose)
        placed = {mesh.part.name: skinned(mesh.part, moves) for mesh in meshes}
        for cover in covers:
            inner = cover.inner.points(placed[cover.inner.part.name])[cover.points]
            above = _height(inner, placed[cover.outer.part.name], cover)
            findings += _found(name, cover.inner.kind, cover.inner, cover.outer, above)
        findings += _hair(name, meshes, placed)
    watched = sum(len(cover.points) for cover in covers)
    ordered = tuple(sorted(findings, key=lambda found: -found.depth))
    return Report(tuple(chosen), watched, ordered)


_KINDS: Final[Mapping[str, str]] = {"skin": "skin", "cloth": "cloth", "hair": "hair"}


def covered_skin(asset: AvatarAsset) -> dict[str, NDArray[np.bool_]]:
    """Return which triangles [t] of each skin part lie under cloth at rest with all corners."""
    meshes = [_Mesh(part, _KINDS[part.material]) for part in asset.parts if part.material in _KINDS]
    out = {}
    covers = _covers([mesh for mesh in meshes if mesh.kind != "hair"])
    for part in (mesh.part for mesh in meshes if mesh.kind == "skin"):
        under = np.zeros(len(part.positions) + len(part.triangles), bool)
        for cover in covers:
            if cover.inner.part is part:
                under[cover.points] = True
        corners = under[: len(part.positions)][part.triangles].all(1)
        out[part.name] = corners & under[len(part.positions) :]
    return out


def _covers(meshes: Sequence[_Mesh]) -> list[_Cover]:
    cloths = [mesh for mesh in meshes if mesh.kind == "cloth"]
    covers = []
    for inner in meshes:
        points = inner.points(inner.part.positions)
        normals = unit(inner.points(inner.part.normals))
        drawn = np.ones(len(points), bool)
        drawn[: len(inner.part.positions)] = False
        drawn[inner.part.triangles] = True
        for outer in cloths:
            if outer is not inner:
                chosen, triangles, through = _under(points, normals, outer.part, inner.kind)
                seen = drawn[chosen]
                if seen.any():
                    cover = _Cover(inner, outer, chosen[seen], triangles[seen])
                    covers.append(_settled(cover, through[seen]))
    return covers


def _settled(cover: _Cover, through: NDArray[np.bool_]) -> _Cover:
    """Drop points that are beside their cover or pass it at rest by design, as buttons do.

    `through` [k]: points that come out of it at rest, which is a fault.
    """
    points = cover.inner.points(cover.inner.part.positions)[cover.points]
    kept = through | (_height(points, cover.outer.part.positions, cover) < 0.5 * TOLERANCE)
    return _Cover(cover.inner, cover.outer, cover.points[kept], cover.triangles[kept])


def _under(
    points: Floats, normals: Floats, outer: Part, kind: str
) -> tuple[Indices, Indices, NDArray[np.bool_]]:
    """Return points that `outer` covers [k], triangles there [k, _CANDIDATES], nearest first, and
    whether the points [k] come out of them.
    """
    corners = outer.positions[outer.triangles]
    centres = corners.mean(1)
    tree = cKDTree(centres)
    reach = float(np.linalg.norm(corners - centres[:, None], axis=2).max()) + _OVER[-1]
    near = np.flatnonzero(tree.query(points, distance_upper_bound=reach)[0] < np.inf)
    if not len(near):
        return near, near, np.zeros(0, bool)
    steps = np.array(_OVER if kind == "cloth" else (-_UNDER / 2.0, *_OVER))
    rays = points[near, None] + steps[:, None] * normals[near, None]
    count = min(6, len(centres))
    _, found = tree.query(rays, k=[*range(1, count + 1)])
    found = found.reshape(len(near), -1)
    least = 0.0 if kind == "cloth" else -_UNDER
    hit = _along_ray(points[near], normals[near], corners[found], least)
    # Where cloth ends it may lie in the skin: that is how an edge closes.
    hit[_near_edge(outer)[found]] = np.inf
    covered = np.isfinite(hit).any(1)
    # Of several layers of one part the nearest is the one that must stay outside.
    best = np.abs(hit[covered]).argmin(1)[:, None]
    first = np.take_along_axis(found[covered], best, 1)[:, 0]
    through = np.take_along_axis(hit[covered], best, 1)[:, 0] < 0.0
    _, around = tree.query(centres[first], k=[*range(1, min(_CANDIDATES, len(centres)) + 1)])
    return near[covered], around, through


def _near_edge(part: Part) -> NDArray[np.bool_]:
    """Return which triangles [t] lie within `_EDGE` of an open edge of `part`."""
    _, welded = np.unique(np.round(part.positions, 5), axis=0, return_inverse=True)
    joined = welded.reshape(-1)[part.triangles].astype(np.int32)
    edges = boundary_edges(joined)
    if not len(edges):
        return np.zeros(len(part.triangles), bool)
    first = np.zeros(int(joined.max()) + 1, np.intp)
    first[welded.reshape(-1)] = np.arange(len(part.positions))
    ends = part.positions[first[edges]]
    line = np.concatenate([ends[:, 0], ends.mean(1)])
    distance, _ = cKDTree(line).query(part.positions[part.triangles].mean(1))
    return np.asarray(distance < _EDGE)


def _along_ray(points: Floats, normals: Floats, corners: Floats, least: float) -> Floats:
    """Return where lines from points [n] along normals meet triangles [n, k], inf for nowhere.

    Moeller and Trumbore (1997). Triangles that face away from the normal do not cover.
    """
    a, b, c = (corners[:, :, i] for i in range(3))
    ab, ac, way = b - a, c - a, normals[:, None]
    cross = np.cross(way, ac)
    det = (ab * cross).sum(2)
    safe = np.where(np.abs(det) < 1e-14, 1.0, det)
    away = points[:, None] - a
    u = (away * cross).sum(2) / safe
    turned = np.cross(away, ab)
    v = (way * turned).sum(2) / safe
    distance = (ac * turned).sum(2) / safe
    facing = unit(np.cross(ab, ac))
    same = (facing * way).sum(2) > 0.35
    inside = (u >= -0.01) & (v >= -0.01) & (u + v <= 1.01) & (np.abs(det) > 1e-14) & same
    return np.where(inside & (distance > least) & (distance < _OVER[-1]), distance, np.inf)


def _height(points: Floats, outer: Floats, cover: _Cover) -> Floats:
    """Return how far points [k] stand out of the nearest of their triangles, metres."""
    out = np.full(len(points), -_DEEP)
    faces = cover.outer.part.triangles[cover.triangles]
    a, b, c = (outer[faces[:, 0, i]] for i in range(3))
    level = ((points - a) * unit(np.cross(b - a, c - a))).sum(1)
    # What lies deep under the triangle over it need not be measured against those around.
    near = np.flatnonzero(level > -_DEEP)
    out[near] = _out_of(points[near], outer[faces[near]])
    return out


def _out_of(points: Floats, corners: Floats) -> Floats:
    """Return how far points [k] stand out of the nearest of triangles [k, m, 3, 3], metres."""
    nearest, square = _closest(points[:, None], corners)
    away = points[:, None] - nearest
    normals = unit(
        np.cross(corners[..., 1, :] - corners[..., 0, :], corners[..., 2, :] - corners[..., 0, :])
    )
    level = (away * normals).sum(2)
    # Where triangles meet in the nearest point, the one that faces most tells which side it is.
    tied = square < square.min(1, keepdims=True) + 1e-10
    best = np.where(tied, np.abs(level), -1.0).argmax(1)[:, None]
    above = np.take_along_axis(level, best, 1)[:, 0]
    away = np.take_along_axis(away, best[..., None], 1)[:, 0]
    # Beside an open edge of the cloth is not through it.
    return np.where(above > 0.7 * np.linalg.norm(away, axis=1), above, 0.0)


def _closest(points: Floats, corners: Floats) -> tuple[Floats, Floats]:
    """Return the points of triangles [..., 3, 3] nearest to points [..., 3], and squared distances.

    After Ericson (2005, "Real-Time Collision Detection"): the foot on the plane where it falls
    inside, else the nearest point of the three edges.
    """
    a, b, c = (corners[..., i, :] for i in range(3))
    normal = unit(np.cross(b - a, c - a))
    foot = points - ((points - a) * normal).sum(-1, keepdims=True) * normal
    inside = np.ones(foot.shape[:-1], bool)
    best = np.full(foot.shape[:-1], np.inf)
    edge = np.zeros_like(foot)
    for start, end in ((a, b), (b, c), (c, a)):
        along = end - start
        share = ((points - start) * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-18)
        place = start + np.clip(share, 0.0, 1.0)[..., None] * along
        square = ((points - place) ** 2).sum(-1)
        edge = np.where((square < best)[..., None], place, edge)
        best = np.minimum(best, square)
        inside &= (np.cross(along, foot - start) * normal).sum(-1) >= 0.0
    nearest = np.where(inside[..., None], foot, edge)
    return nearest, ((points - nearest) ** 2).sum(-1)


def _found(pose: str, kind: str, inner: _Mesh, outer: _Mesh, above: Floats) -> list[Finding]:
    wrong = above > TOLERANCE
    if not wrong.any():
        return []
    worst = float(above.max())
    names = inner.part.name, outer.part.name
    return [Finding(pose, kind, *names, int(wrong.sum()), len(above), worst)]


def _hair(pose: str, meshes: Sequence[_Mesh], placed: Mapping[str, Floats]) -> list[Finding]:
    """Return where hair is inside cloth, by up to 4 cm."""
    out: list[Finding] = []
    cloths = [mesh for mesh in meshes if mesh.kind == "cloth"]
    for hair in (mesh for mesh in meshes if mesh.kind == "hair"):
        strands = placed[hair.part.name]
        for cloth in cloths:
            points = placed[cloth.part.name]
            low = strands[strands[:, 2] < points[:, 2].max() + 0.01]
            corners = points[cloth.part.triangles]
            tree = cKDTree(corners.mean(1))
            distance, near = tree.query(low, k=1, distance_upper_bound=0.04)
            close = np.isfinite(distance)
            a, b, c = (corners[near[close], i] for i in range(3))
            normal = unit(np.cross(b - a, c - a))
            beside = np.linalg.norm(np.cross(low[close] - a, normal), axis=1)
            under = np.where(beside < 0.02, -((low[close] - a) * normal).sum(1), -1.0)
            out += _found(pose, "hair", hair, cloth, under) if len(under) else []
    return out
