"""The critic: whether a candidate shows what was asked, and leaves the rest as it was."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from avatar.editing.atoms import Atom
from avatar.editing.draft import Draft
from avatar.editing.evidence import Kept, Mask, Perception, change, change_mask, kept
from avatar.editing.standing import untouched
from avatar.editing.studio import Shot, Studio
from avatar.editing.targets import TARGETS
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

ALPHA: Final = 0.6


@dataclass(frozen=True, slots=True)
class Score:
    """What the critic found of one candidate.

    Attributes:
        reward: `ALPHA` times the mean change plus the rest times what was kept, 0 to 1.
        changes: of each atom, 0 to 1. kept: outside the edit.
    """

    reward: float
    changes: tuple[float, ...]
    kept: Kept


class Critic:
    """Draws drafts and scores them against the start; pictures of equal drafts are drawn once."""

    def __init__(
        self,
        studio: Studio,
        start: Draft,
        atoms: tuple[Atom, ...],
        pose: Pose,
        size: Size,
        perceive: Perception | None = None,
    ) -> None:
        self._studio = studio
        self._start = start
        self._atoms = atoms
        self._pose = pose
        self._size = size
        self._perceive = perceive
        self._shots: dict[tuple[AvatarSpec, SceneSpec], Shot] = {}
        self._framings = {atom: TARGETS[atom.target].framing for atom in atoms}

    def score(self, draft: Draft) -> Score:
        """Return the reward of a draft."""
        changes = tuple(self._change(atom, draft) for atom in self._atoms)
        stayed = self._kept(draft)
        reward = ALPHA * float(np.mean(changes)) + (1.0 - ALPHA) * stayed.value
        if stayed.preserved < 0.5:
            reward *= stayed.preserved
        return Score(reward, changes, stayed)

    def _change(self, atom: Atom, draft: Draft) -> float:
        framing = self._framings[atom] or self._start.scene.framing
        if atom.target == "framing":
            before, after = self.shot(self._start), self.shot(draft)
        else:
            start, end = self._apart(atom, draft)
            before, after = self.shot(start, framing), self.shot(end, framing)
        bare = None
        if TARGETS[atom.target].kind == "text":
            without = draft.with_scene(**{atom.target: "" if atom.target == "caption" else None})
            bare = self.shot(without, framing)
        found = change(atom, before, after, bare)
        if self._perceive is None:
            return found
        return 0.5 * found + 0.5 * self._perceive(before.rgb, after.rgb, atom)

    def _apart(self, atom: Atom, draft: Draft) -> tuple[Draft, Draft]:
        """Return what to compare so that other atoms neither hide nor feign this one.

        Hair of another shape lies in another light, so its colour is judged on the shape it gets;
        and tips that are dyed as well are no part of the hair's own colour.
        """
        shapes = ("length", "style")
        start, end = self._start, draft
        if "hair" not in atom.region or atom.attribute in shapes:
            return start, end
        if any(other.target == "hair" and other.attribute in shapes for other in self._atoms):
            hair = self._start.who.hair
            start = draft.with_part("hair", colour=hair.colour, tip=hair.tip, grey=hair.grey)
        if atom.target == "hair" and any(other.target == "tips" for other in self._atoms):
            start, end = (one.with_part("hair", tip="") for one in (start, end))
        return start, end

    def _kept(self, draft: Draft) -> Kept:
        """Measure at every framing that an atom is judged at and take the worst of each."""
        own = self._start.scene.framing
        preserve = tuple(dict.fromkeys(name for atom in self._atoms for name in atom.preserve))
        framings = {self._framings[atom] or own for atom in self._atoms}
        framings |= {TARGETS[name].framing or own for name in preserve}
        found = []
        for framing in sorted(framings):
            before, after = self.shot(self._start, framing), self.shot(draft, framing)
            mask = change_mask(self._atoms, before, after)
            mask |= self._overlays(draft, framing)
            seen = {
                name: untouched(name, self._start, draft)
                for name in preserve
                if (TARGETS[name].framing or own) == framing
            }
            found.append(kept(before, after, mask, seen))
        names = ("structure", "colour", "identity", "preserved")
        return Kept(*(min(getattr(one, name) for one in found) for name in names))

    def _overlays(self, draft: Draft, framing: str) -> Mask:
        """Return where texts that are edited lie, before and after."""
        mask = np.zeros((self._size.height, self._size.width), bool)
        for atom in self._atoms:
            if TARGETS[atom.target].kind != "text":
                continue
            empty = {atom.target: "" if atom.target == "caption" else None}
            for one in (self._start, draft):
                shown, bare = (self.shot(d, framing).rgb for d in (one, one.with_scene(**empty)))
                mask |= np.abs(shown.astype(int) - bare).max(-1) > 6
        return mask

    def shot(self, draft: Draft, framing: str = "") -> Shot:
        scene = draft.scene.changed(framing=framing) if framing else draft.scene
        key = draft.who, scene
        if key not in self._shots:
            drawn = self._studio.draw(draft.who, scene, self._pose, self._size)
            self._shots[key] = Shot(*drawn)
        return self._shots[key]
