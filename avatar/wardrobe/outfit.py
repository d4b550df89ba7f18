"""The outfit: a blazer over a plain top, and trousers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.noise import smoothstep
from avatar.body.source import Body
from avatar.body.surface import Surface
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear
from avatar.wardrobe.buttons import button
from avatar.wardrobe.mannequin import Mannequin
from avatar.wardrobe.tailor import Cloth, cut, offset, rim, select

Floats = NDArray[np.floating[Any]]
Rule = Callable[[Floats], Floats]


class Pattern:
    """The rules of the outfit: each maps points [n, 3] to metres, positive where cloth stays."""

    def __init__(self, form: Mannequin, marks: Landmarks) -> None:
        self._form = form
        self._marks = marks
        self.button = float(marks.waist[2]) + 0.060
        self.collar = float(marks.neck[2]) + 0.012

    def top_neck(self, points: Floats) -> Floats:
        """Scoop neck of the top."""
        x, y, z = points.T
        front = smoothstep(0.01, 0.09, self._marks.neck[1] - y)
        dip = 0.082 * front * np.exp(-((x / 0.052) ** 2))
        edge = self._marks.neck[2] - 0.004 - dip
        return np.where(np.abs(x) < 0.13, edge - z, 1.0)

    def opening(self, points: Floats) -> Floats:
        """Front of the jacket: open above the button and, rounded, below it."""
        x, y, z = points.T
        return np.where(y < self._marks.neck[1] + 0.01, np.abs(x) - self.half_opening(z), 1.0)

    def half_opening(self, z: Floats) -> Floats:
        """Half the width of the opening at height `z`."""
        above = np.clip((z - self.button) / (self.collar + 0.014 - self.button), 0.0, 1.2)
        below = np.clip(self.button - 0.11 - z, 0.0, 0.3)
        return np.asarray(np.where(z > self.button, 0.066 * above**0.80, 1.4 * below**2) - 0.002)

    def behind_opening(self, points: Floats) -> Floats:
        """What of the top can be seen: behind the opening and around the neck."""
        x, y, z = points.T
        front = np.where(y < self._marks.neck[1] + 0.02, 1.0, -1.0)
        return np.asarray(np.minimum(self.half_opening(z) + 0.035 - np.abs(x), front))

    def neck(self, points: Floats) -> Floats:
        """Edge of the jacket around the neck."""
        x, y, z = points.T
        lower = 0.012 * np.clip((self._marks.neck[1] - y) / 0.05, 0.0, 1.0)
        return np.where(np.abs(x) < 0.14, self.collar - lower - z, 1.0)

    def cuff(self, points: Floats) -> Floats:
        """End of the sleeves, in shares of the forearm."""
        arm = np.abs(points[:, 0]) > 0.9 * self._form.elbow[0]
        return np.where(arm, 0.93 - self._form.along_forearm(points), 1.0)

    def lapel(self, points: Floats) -> Floats:
        """Outer edge of lapel and collar, with a notch between them."""
        x, y, z = points.T
        t = np.clip((z - self.button) / (self.collar - 0.016 - self.button), -0.2, 1.3)
        width = np.interp(
            t,
            [-0.05, 0.0, 0.30, 0.64, 0.68, 0.73, 0.80, 1.05],
            [0.0, 0.003, 0.034, 0.060, 0.061, 0.030, 0.036, 0.024],
        )
        front = self.half_opening(z) + width - np.abs(x)
        behind = smoothstep(-0.02, 0.02, y - self._marks.neck[1])
        back = np.minimum(z - self.collar + 0.036, 0.088 - np.abs(x))
        return np.asarray(front * (1.0 - behind) + back * behind)

    def placket(self, points: Floats) -> Floats:
        """The strip of the right front that lies over the left one."""
        x, y, z = points.T
        strip = np.minimum(0.024 - x, x + 0.004)
        front = np.minimum(strip, self.button + 0.004 - z)
        return np.where(y < self._marks.neck[1], front, -1.0)

    def pockets(self, points: Floats) -> Floats:
        """Two pocket flaps, a little aslant."""
        x, y, z = points.T
        height = z - float(self._marks.hip[2]) - 0.085 + 0.12 * (np.abs(x) - 0.10)
        flap = np.minimum(0.0065 - np.abs(height), 0.050 - np.abs(np.abs(x) - 0.105))
        return np.where(y < self._marks.neck[1], flap, -1.0)

    def above(self, height: float) -> Rule:
        """Everything higher than `height`."""
        return lambda points: points[:, 2] - height

    def covered(self, points: Floats) -> NDArray[np.bool_]:
        """Return which skin points [v, 3] lie well under the outfit."""
        margin = np.minimum(self.top_neck(points) - 0.022, self.cuff(points) - 0.14)
        low = points[:, 2] < float(self._marks.hip[2]) - 0.02
        return np.asarray((margin > 0.0) | (low & (np.abs(points[:, 0]) < 0.25)))


def dress(body: Body, marks: Landmarks, who: AvatarSpec) -> tuple[list[Surface], NDArray[np.bool_]]:
    """Return the outfit's surfaces, and which body vertices [v] it covers."""
    jacket_colour, top_colour, trouser_colour = (
        _colour(who, place) for place in ("outer", "upper", "lower")
    )
    form, coarse = (Mannequin.of(body, marks, fine=fine) for fine in (True, False))
    pattern = Pattern(form, marks)
    waist, hip = float(marks.waist[2]), float(marks.hip[2])
    hem = pattern.above(hip - 0.030)
    folds = form.folds(who.seed)
    jacket = offset(coarse.cloth, _ease(coarse) + 0.0020 * coarse.folds(who.seed))
    raised = offset(form.cloth, _ease(form) + 0.0030 + 0.0022 * folds)
    lapels = offset(form.cloth, _ease(form) + 0.0062 + 0.0008 * folds)
    top = offset(form.cloth, 0.0035 + 0.0012 * form.folds(who.seed + 4))
    trousers = offset(coarse.cloth, 0.0022)
    jacket_rules = (pattern.opening, pattern.neck, pattern.cuff, hem)
    lapel_rules = (pattern.opening, pattern.lapel, pattern.neck, pattern.above(pattern.button))
    front_rules = (pattern.opening, pattern.placket, hem)
    top_rules = (pattern.top_neck, pattern.behind_opening, pattern.above(waist - 0.08))
    trouser_rules = (lambda p: hip + 0.10 - p[:, 2], _narrow(0.24))
    welt = tuple(0.72 * value for value in jacket_colour)
    lapel_colour = tuple(1.22 * value for value in jacket_colour)
    pieces = [
        _piece("lapels", lapels, lapel_rules, 0.0055, "twill", lapel_colour),
        _piece("jacket", jacket, jacket_rules, 0.0060, "twill", jacket_colour),
        _piece("front", raised, front_rules, 0.0024, "twill", jacket_colour, edge=0.85),
        _piece("pockets", raised, (pattern.pockets,), 0.0024, "twill", welt, edge=0.85),
        _piece("top", top, top_rules, 0.0030, "plain", top_colour, floor=0.45),
        _piece("trousers", trousers, trouser_rules, 0.0, "twill", trouser_colour),
    ]
    pieces.append(button(pieces[2], 0.010, pattern.button - 0.012))
    return pieces, pattern.covered(body.vertices)


def _colour(who: AvatarSpec, place: str) -> tuple[float, ...]:
    piece = who.piece(place)
    return linear(piece.colour if piece else "#414754")


def _narrow(half: float) -> Rule:
    return lambda points: half - np.abs(points[:, 0])


def _ease(form: Mannequin) -> Floats:
    """Return how far [n] the jacket stands off: loose on the torso, close on the upper arm."""
    points = form.cloth.base
    arm = smoothstep(0.0, 0.25, form.along_upper_arm(points))
    arm = arm * (np.abs(points[:, 0]) > abs(form.shoulder[0]) - 0.01)
    cuff = smoothstep(0.5, 1.0, form.along_forearm(points)) * arm
    return np.asarray(0.0080 - 0.0040 * arm + 0.0030 * cuff, np.float32)


def _piece(
    name: str,
    cloth: Cloth,
    rules: tuple[Rule, ...],
    thickness: float,
    texture: str,
    colour: tuple[float, ...],
    floor: float = 0.22,
    edge: float = 0.35,
) -> Surface:
    for rule in rules:
        cloth = cut(cloth, np.asarray(rule(cloth.base), np.float32))
    if thickness:
        cloth = rim(cloth, thickness)
    cloth = select(cloth, ~_behind(cloth))
    sheen = 0.10 if name != "top" else 0.22
    return Surface(
        name=name,
        material="cloth",
        texture=texture,
        positions=cloth.positions,
        normals=cloth.normals,
        uv=cloth.uv,
        weights=cloth.weights,
        triangles=cloth.triangles,
        shade=np.stack([edge * cloth.edge, np.zeros_like(cloth.edge)], 1),
        floor=floor,
        values={"colour": list(colour), "sheen": [sheen] * 3, "repeat": [22.0]},
    )


def _behind(cloth: Cloth) -> NDArray[np.bool_]:
    """Return triangles of the back that no camera in front can see; arms keep theirs."""
    facing = cloth.normals[cloth.triangles][..., 1].mean(1)
    beside = np.abs(cloth.positions[cloth.triangles][..., 0]).mean(1)
    return np.asarray(
        (facing > 0.80) & (beside < 0.15) & (cloth.edge[cloth.triangles].max(1) < 0.5)
    )
