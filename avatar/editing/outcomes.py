"""What must have come of an instruction, checked on specifications and on pictures.

The rules are others than the critic's: which value a field has, how many pixels a thing shows,
whether most of a region's pixels have the colour asked for.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from avatar.editing.critic import Critic
from avatar.editing.draft import Draft
from avatar.editing.edit import EditResult
from avatar.editing.measure import colour_lab, distance, likeness, roughness
from avatar.editing.studio import Shot, Studio
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

_FRAMINGS: Final = {
    "outer": "half", "upper": "half", "over": "half", "hair": "half", "lower": "full",
    "feet": "full", "background": "half", "wrist": "half",
}  # fmt: skip
# Shares of the picture that a thing worn must show at least.
_SEEN: Final = {"glasses": 1e-3, "ears": 6e-5, "neck": 1.5e-4, "over": 0.01, "upper": 0.003}


@dataclass(frozen=True, slots=True)
class Item:
    """An instruction, from where it starts, and what must come of it."""

    say: str
    who: AvatarSpec
    scene: SceneSpec
    expect: Mapping[str, Any]


class Outcome:
    """An item and what came of it, drawn as far as its checks need."""

    def __init__(self, studio: Studio, item: Item, result: EditResult, size: Size) -> None:
        self._item = item
        self._result = result
        self.critic = Critic(studio, Draft(item.who, item.scene), result.atoms, Pose.rest(), size)

    def fault(self) -> str:
        """Return what is not as it should be, "" for nothing."""
        expect = self._item.expect
        if self._result.refused or expect.get("refused"):
            if self._result.refused and expect.get("refused"):
                return ""
            return self._result.why if self._result.refused else "should have been refused"
        for kind, wanted in expect.items():
            check = _CHECKS[kind]
            if kind == "hair":
                wanted = {"hair": wanted}
            for name, value in (
                wanted.items() if isinstance(wanted, dict) else [(n, "") for n in wanted]
            ):
                if not check(self, name, value):
                    return f"{kind} {name} {value}".strip()
        return ""

    def value(self, path: str, *, before: bool = False) -> Any:
        """Return the value at a path: "hair.style", "outfit.PLACE.colour", "scene.framing"."""
        source = self._item if before else self._result
        who = self._item.who if before else self._result.spec
        at: Any = source.scene if path.startswith("scene.") else who
        for step in path.removeprefix("scene.").split("."):
            if step == "outfit" and path != "outfit":
                at = {p.place: p for p in who.outfit} | {p.garment: p for p in who.outfit}
            elif step == "ornaments" and path != "ornaments":
                at = {("glasses" if o.place == "eyes" else o.place): o for o in who.ornaments}
            else:
                at = at.get(step, "absent") if isinstance(at, dict) else getattr(at, step, "absent")
        return at

    def shots(self, part: str) -> tuple[Shot, Shot]:
        """Return the pictures before and after at the framing that shows a part."""
        framing = _FRAMINGS.get(part, "head")
        after = Draft(self._result.spec, self._result.scene)
        return (
            self.critic.shot(Draft(self._item.who, self._item.scene), framing),
            self.critic.shot(after, framing),
        )


def _equal(view: Outcome, path: str, wanted: Any) -> bool:
    return bool(view.value(path) == wanted)


def _same(view: Outcome, path: str, _: Any) -> bool:
    return bool(view.value(path) == view.value(path, before=True))


def _near(view: Outcome, path: str, wanted: str) -> bool:
    return likeness(colour_lab(view.value(path))[None], colour_lab(wanted)) > 0.5


def _light(view: Outcome, path: str, sign: float) -> bool:
    now, then = (colour_lab(view.value(path, before=b))[0] for b in (False, True))
    return bool(sign * (now - then) > 1.0)


def _number(view: Outcome, path: str, compare: Callable[[Any, Any], bool]) -> bool:
    return compare(view.value(path), view.value(path, before=True))


def _looks(view: Outcome, part: str, wanted: str) -> bool:
    """Most pixels of the part have become nearer the colour, in hue above all."""
    after = view.shots(part)[1]
    mask, goal = after.mask(part), colour_lab(wanted)
    if mask.sum() < 20:
        return False
    now = after.lab[mask]
    turn = np.abs(
        np.angle(np.exp(1j * (np.arctan2(now[:, 2], now[:, 1]) - np.arctan2(goal[2], goal[1]))))
    )
    grey = float(np.hypot(goal[1], goal[2])) < 9.0
    fits = (
        np.hypot(now[:, 1], now[:, 2]) < 16
        if grey
        else (turn < 0.6) & (np.hypot(now[:, 1], now[:, 2]) > 8)
    )
    fits &= np.abs(now[:, 0] - goal[0]) < 42
    return bool(fits.mean() > 0.6)


def _visible(view: Outcome, part: str, _: Any) -> bool:
    return bool(view.shots(part)[1].mask(part).mean() >= _SEEN[part])


def _changed(view: Outcome, part: str, _: Any) -> bool:
    before, after = view.shots(part)
    both = before.mask(part) | after.mask(part)
    apart = np.linalg.norm(before.lab - after.lab, axis=-1)[both]
    return bool(apart.size and np.quantile(apart, 0.9) > 2.3)


def _rough(view: Outcome, part: str, _: Any) -> bool:
    """A pattern can be seen: more varies within a few pixels than before."""
    before, after = view.shots(part)
    rough = [roughness(shot.lab, shot.mask(part)) for shot in (before, after)]
    return rough[1] > rough[0] + 1.0


def _ends(view: Outcome, _: str, way: str) -> bool:
    before, after = view.shots("hair")
    ends = [np.quantile(np.nonzero(shot.mask("hair"))[0], 0.98) for shot in (before, after)]
    least = 0.012 * before.parts.shape[0]
    return bool(ends[1] - ends[0] > least if way == "down" else ends[0] - ends[1] > least)


def _darker(view: Outcome, part: str, _: Any) -> bool:
    before, after = view.shots(part)
    both = before.mask(part) & after.mask(part)
    fell = before.lab[both][:, 0] - after.lab[both][:, 0]
    return bool(fell.mean() > 2.0) and distance(before.lab, after.lab, both) > 2.0


_CHECKS: Final[Mapping[str, Callable[[Outcome, str, Any], bool]]] = {
    "spec": _equal,
    "same": _same,
    "colour": _near,
    "looks": _looks,
    "visible": _visible,
    "changed": _changed,
    "rough": _rough,
    "hair": _ends,
    "darker_picture": _darker,
    "lighter": lambda view, path, _: _light(view, path, 1.0),
    "more": lambda view, path, _: _number(view, path, operator.gt),
    "less": lambda view, path, _: _number(view, path, operator.lt),
}
