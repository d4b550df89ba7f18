"""Fewer triangles for a surface, by collapsing edges where little changes.

Quadric errors over positions and what goes with them (Garland and Heckbert 1998, "Simplifying
surfaces with color and texture using quadric error metrics"). An edge is collapsed into one of its
ends, so that the vertices which are kept stay as they are, with all that belongs to them. Edges are
collapsed many at a time: no two vertices that go are neighbours (Luby 1986, "A simple parallel
algorithm for the maximal independent set problem").
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]

# Rounds of a tolerance end when fewer than this share of the vertices goes.
_WORTH: Final = 0.03
_MOST_ROUNDS: Final = 12
# A triangle may turn by 60 degrees, and get no thinner than this: twice its area by the
# square of its longest edge.
_TURN: Final = 0.5
_THIN: Final = 0.02
# Vertices nearer than this are on one spot, metres.
_NEAR: Final = 1e-5
_CHUNK: Final = 16384


def simplified(
    features: Floats, triangles: Ints, locked: Flags, tolerances: Sequence[float]
) -> list[Ints]:
    """Return triangles over fewer of the same vertices, int32 [t, 3], for each tolerance.

    Open edges keep their line, and get fewer vertices along it where they are not locked. Vertices
    on one spot, as on both sides of a seam, stay together.

    Args:
        features: [n, d], positions in metres (3) and what else must not change, each scaled so
            that a change of one is as bad as a metre.
        triangles: [t, 3].
        locked: [n], vertices that must stay.
        tolerances: metres, rising: how far the surface may move, root of the mean square.
    """
    mesh = _Mesh(np.asarray(features, np.float64), triangles, locked)
    found = []
    for tolerance in tolerances:
        mesh.reduce(tolerance)
        found.append(mesh.triangles.astype(np.int32))
    return found


class _Mesh:
    def __init__(self, features: Floats, triangles: Ints, locked: Flags) -> None:
        features = features - features.mean(0)
        self.triangles: Indices = triangles.astype(np.intp)
        self._features = features
        self._places = features[:, :3]
        _, spot = np.unique(np.round(self._places / _NEAR), axis=0, return_inverse=True)
        self._spot: Indices = spot.reshape(-1)
        self._locked = np.isin(self._spot, self._spot[locked])
        self._rows, self._columns = np.triu_indices(features.shape[1])
        self._terms = np.concatenate(
            [
                features[:, self._rows] * features[:, self._columns],
                features,
                np.ones((len(features), 1)),
            ],
            1,
        )
        self._quadrics = np.zeros_like(self._terms)
        self._area = np.full(len(features), 1e-12)
        self._rank = np.random.default_rng(1).permutation(len(features))
        self._add_faces()
        self._add_borders()

    def reduce(self, tolerance: float) -> None:
        """Collapse edges until none is left that changes less than `tolerance`."""
        for step in (0.5, 1.0):
            for _ in range(_MOST_ROUNDS):
                before = len(np.unique(self.triangles))
                if self._round((step * tolerance) ** 2) < max(_WORTH * before, 1.0):
                    break

    def _add_faces(self) -> None:
        a, b, c = (self._features[corner] for corner in self.triangles.T)
        first = _unit(b - a)
        second = c - a
        second = _unit(second - (second * first).sum(1, keepdims=True) * first)
        area = 0.5 * np.linalg.norm(np.cross((b - a)[:, :3], (c - a)[:, :3]), axis=1)
        along, across = (a * first).sum(1), (a * second).sum(1)
        matrix = np.eye(a.shape[1])[self._rows, self._columns] - (
            first[:, self._rows] * first[:, self._columns]
            + second[:, self._rows] * second[:, self._columns]
        )
        line = along[:, None] * first + across[:, None] * second - a
        rest = (a * a).sum(1) - along**2 - across**2
        self._add(self.triangles, matrix, line, rest, area)

    def _add_borders(self) -> None:
        """Keep open edges in place: each has a plane through it, square to its triangle."""
        sides = self._sides()
        _, place, uses = np.unique(
            _keys(sides, len(self._places)), return_inverse=True, return_counts=True
        )
        open_ = uses[place] == 1
        sides, faces = sides[open_], np.repeat(self.triangles, 3, axis=0)[open_]
        a, b, c = (self._places[corner] for corner in faces.T)
        start, end = self._places[sides[:, 0]], self._places[sides[:, 1]]
        away = np.zeros((len(sides), self._features.shape[1]))
        away[:, :3] = _unit(np.cross(end - start, np.cross(b - a, c - a)))
        depth = -(away[:, :3] * start).sum(1)
        matrix = away[:, self._rows] * away[:, self._columns]
        weight = ((end - start) ** 2).sum(1)
        self._add(sides, matrix, depth[:, None] * away, depth**2, weight)

    def _sides(self) -> Indices:
        """Return the triangles' sides [3 t, 2], each as often as it is one."""
        return self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)

    def _add(
        self, corners: Indices, matrix: Floats, line: Floats, rest: Floats, weight: Floats
    ) -> None:
        twice = np.where(self._rows == self._columns, 1.0, 2.0)
        quadric = np.concatenate([matrix * twice, 2.0 * line, rest[:, None]], 1) * weight[:, None]
        for corner in corners.T:
            np.add.at(self._quadrics, corner, quadric)
            np.add.at(self._area, corner, weight)

    def _round(self, most: float) -> int:
        """Collapse an independent set of edges whose error is at most `most`; return how many."""
        start, end = self._cheapest(most)
        if len(start) == 0:
            return 0
        chosen = self._apart(start)
        into = np.arange(len(self._places))
        into[start[chosen]] = end[chosen]
        spoilt = np.isin(self._spot, self._spot[self._spoilt(into)])
        into[spoilt] = np.flatnonzero(spoilt)
        gone = np.flatnonzero(into != np.arange(len(into)))
        np.add.at(self._quadrics, into[gone], self._quadrics[gone])
        np.add.at(self._area, into[gone], self._area[gone])
        a, b, c = into[self.triangles].T
        self.triangles = into[self.triangles][(a != b) & (b != c) & (c != a)]
        return len(gone)

    def _cheapest(self, most: float) -> tuple[Indices, Indices]:
        """Return the vertices that may go, and for each the neighbour it best becomes.

        Vertices on one spot, as at a seam, go together, to vertices on one spot.
        """
        start, end = self._ways()
        cost = self._cost(start, end)
        cheap = cost <= most
        start, end, cost = start[cheap], end[cheap], cost[cheap]
        if len(start) == 0:
            return start, end
        count, spot = len(self._places), self._spot
        # Of the ways of a vertex to one spot the best; of a spot's ways there the worst counts, and
        # all must be cheap enough.
        order = np.lexsort((cost, spot[end], start))
        first = np.unique(start[order] * count + spot[end[order]], return_index=True)[1]
        chosen = order[first]
        chosen = chosen[np.lexsort((spot[end[chosen]], spot[start[chosen]]))]
        start, end, cost = start[chosen], end[chosen], cost[chosen]
        _, first, way, members = np.unique(
            spot[start] * count + spot[end],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        worst = np.maximum.reduceat(cost, first)
        size = np.bincount(spot[np.unique(self.triangles)], minlength=count)
        worst[members != size[spot[start[first]]]] = np.inf
        best = np.lexsort((worst, spot[start[first]]))
        best = best[np.unique(spot[start[first]][best], return_index=True)[1]]
        taken = np.zeros(len(first), bool)
        taken[best[np.isfinite(worst[best])]] = True
        return start[taken[way]], end[taken[way]]

    def _ways(self) -> tuple[Indices, Indices]:
        """Return the edges, from each vertex that may go; borders only go along themselves."""
        count = len(self._places)
        keys, copies = np.unique(_keys(self._sides(), count), return_counts=True)
        edges = np.stack(np.divmod(keys, count), 1)
        spots = self._spot[edges]
        _, place = np.unique(_keys(spots, count), return_inverse=True)
        uses = np.bincount(place, copies)[place]
        border = np.zeros(count, bool)
        border[spots[uses != 2]] = True
        start, end = np.concatenate([edges, edges[:, ::-1]]).T
        uses = np.concatenate([uses, uses])
        free = ~self._locked[start] & (self._spot[start] != self._spot[end])
        free &= (uses == 1) | ((uses == 2) & ~border[self._spot[start]])
        return start[free], end[free]

    def _cost(self, start: Indices, end: Indices) -> Floats:
        out = np.empty(len(start))
        for at in range(0, len(start), _CHUNK):
            chunk = slice(at, at + _CHUNK)
            quadrics, terms = self._quadrics[start[chunk]], self._terms[end[chunk]]
            out[chunk] = np.einsum("ek,ek->e", quadrics, terms) / self._area[start[chunk]]
        return out

    def _apart(self, start: Indices) -> Flags:
        """Choose spots of which no two are neighbours; return whether each of `start` is on one."""
        count = len(self._places)
        chosen = np.zeros(count, bool)
        undecided = np.zeros(count, bool)
        undecided[self._spot[start]] = True
        corners = self._spot[self.triangles]
        one, other = corners[:, [0, 1, 1, 2, 2, 0, 1, 0, 2, 1, 0, 2]].reshape(-1, 2).T
        different = one != other
        one, other = one[different], other[different]
        while undecided.any():
            live = undecided[one] & undecided[other]
            one, other = one[live], other[live]
            lowest = np.full(count, count)
            np.minimum.at(lowest, one, self._rank[other])
            fresh = undecided & (self._rank < lowest)
            chosen |= fresh
            undecided &= ~fresh
            undecided[other[fresh[one]]] = False
        return chosen[self._spot[start]]

    def _spoilt(self, into: Indices) -> Indices:
        """Return vertices whose going would turn or thin a triangle, or fold two together."""
        moved = into[self.triangles]
        touched = (moved != self.triangles).any(1)
        before, after = self.triangles[touched], moved[touched]
        a, b, c = after.T
        stays = (a != b) & (b != c) & (c != a)
        before, after = before[stays], after[stays]
        was, now = (_facing(self._places, faces) for faces in (before, after))
        size = np.linalg.norm(now, axis=1)
        turned = (was * now).sum(1) < _TURN * np.linalg.norm(was, axis=1) * size
        turned |= size < _THIN * _longest(self._places, after) ** 2
        a, b, c = moved.T
        whole = moved[(a != b) & (b != c) & (c != a)]
        kinds, copies = np.unique(np.sort(whole, 1), axis=0, return_counts=True)
        doubled = _among(np.sort(after, 1), kinds[copies > 1])
        faulty = before[turned | doubled]
        return np.unique(faulty[into[faulty] != faulty])


def _keys(pairs: Indices, count: int) -> Indices:
    """Return a number for each pair [n, 2] of numbers below `count`, whichever is first."""
    return np.asarray(pairs.min(1) * count + pairs.max(1))


def _among(rows: Indices, wanted: Indices) -> Flags:
    if len(wanted) == 0:
        return np.zeros(len(rows), bool)
    both = np.concatenate([wanted, rows])
    _, number = np.unique(both, axis=0, return_inverse=True)
    number = number.reshape(-1)
    return np.isin(number[len(wanted) :], number[: len(wanted)])


def _facing(places: Floats, triangles: Indices) -> Floats:
    a, b, c = (places[corner] for corner in triangles.T)
    return np.cross(b - a, c - a)


def _longest(places: Floats, triangles: Indices) -> Floats:
    corners = places[triangles]
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, 1), axis=2).max(1))


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12))
