"""SREdit: an instruction is read, candidates are drawn, the one with the best reward is kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

import numpy as np

from avatar.editing.atoms import Atom
from avatar.editing.choices import choices
from avatar.editing.critic import Critic, Score
from avatar.editing.draft import Draft
from avatar.editing.evidence import Perception
from avatar.editing.grammar import read
from avatar.editing.refusals import RefusalError
from avatar.editing.standing import stands
from avatar.editing.studio import Studio
from avatar.errors import AvatarValueError
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

SMALL: Final = Size(270, 480)
Ways = tuple[int, ...]

# An atom that can hardly be seen is not made good by all that stayed, nor the other way round: the
# reward ranks candidates, these say whether the best is good enough.
LEAST_CHANGE: Final = 0.3
LEAST_STAYED: Final = 0.6
LEAST_KEPT: Final = 0.5
INDIFFERENT: Final = 0.02
_MOST_CANDIDATES: Final = 16


@dataclass(frozen=True, slots=True)
class EditResult:
    """What came of an instruction.

    Attributes:
        spec, scene: after the edit; as they were where it was refused.
        atoms: what was understood.
        reward: of the candidate that was kept (or of the best, where that was not enough).
        why: a sentence for people. refused: whether nothing was changed.
        scores: of every candidate drawn, in the order they were drawn.
        nearest: what cannot be shown as it was said, and as what it is shown.
    """

    spec: AvatarSpec
    scene: SceneSpec
    atoms: tuple[Atom, ...]
    reward: float
    why: str
    refused: bool
    scores: tuple[Score, ...] = field(default=())
    nearest: tuple[str, ...] = ()


def edit(
    spec: AvatarSpec,
    scene: SceneSpec,
    instruction: str,
    studio: Studio,
    *,
    candidates: int = 4,
    seed: int = 0,
    pose: Pose | None = None,
    size: Size = SMALL,
    perceive: Perception | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> EditResult:
    """Carry out an instruction in English or Chinese.

    Every atom has several ways of being carried out, the literal one first. `candidates` of their
    combinations are drawn, the literal one always among them, and judged: R = alpha x (mean change
    in each atom's region) + (1 - alpha) x (what stayed outside). If the best way of each atom was
    not drawn together, that combination is drawn too. The best candidate is kept.

    Args:
        studio: draws candidates. seed: chooses among combinations when there are many.
        pose: in which candidates are judged; None is the rest pose. size: of their pictures.
        perceive: a model that looks at the pictures as well; its verdict counts half of a change.
        progress: is called with what is drawn and the share done, 0 to 1.

    Raises:
        AvatarValueError: `candidates` or the instruction's length is out of range.
    """
    if not 1 <= candidates <= _MOST_CANDIDATES:
        raise AvatarValueError(f"candidates {candidates}; accepted: 1 to {_MOST_CANDIDATES}")
    reading = read(instruction, spec)
    if reading.refusal:
        return EditResult(spec, scene, (), 0.0, reading.refusal, True)
    start = Draft(spec, scene)
    # What is so already cannot be seen to change, and needs not be.
    wanted = tuple(atom for atom in reading.atoms if not stands(atom, start))
    if not wanted:
        names = " and ".join(dict.fromkeys(atom.target for atom in reading.atoms))
        why = f"{names.replace('_', ' ')}: it is so already"
        return EditResult(spec, scene, reading.atoms, 0.0, why, True)
    try:
        counts = _counts(wanted, start)
    except (RefusalError, AvatarValueError) as error:
        return EditResult(spec, scene, reading.atoms, 0.0, str(error), True)
    tell = progress or (lambda _what, _share: None)
    tell("as it is", 0.0)
    critic = Critic(studio, start, wanted, pose or Pose.rest(), size, perceive)
    tried = _tried(critic, combinations(counts, candidates, seed), wanted, start, tell)
    together = _best_of_each(tried)
    if together not in tried:
        tried |= _tried(critic, [together], wanted, start, tell)
    tell("done", 1.0)
    # Of rewards that can hardly be told apart, the more literal edit is taken.
    enough = max(score.reward for _, score in tried.values()) - INDIFFERENT
    best = min((pick for pick in tried if tried[pick][1].reward >= enough), key=sum)
    draft, score = tried[best]
    scores = tuple(score for _, score in tried.values())
    if reason := short_of(score, wanted):
        return EditResult(spec, scene, reading.atoms, score.reward, reason, True, scores)
    why = f"candidate {list(tried).index(best) + 1} of {len(tried)}, reward {score.reward:.2f}"
    who = _signed(draft.who, spec, instruction)
    return EditResult(
        who, draft.scene, reading.atoms, score.reward, why, False, scores, reading.nearest
    )


def one_shot(spec: AvatarSpec, scene: SceneSpec, instruction: str) -> EditResult:
    """Carry out an instruction literally, without drawing it: the base line of `edit`."""
    reading = read(instruction, spec)
    if reading.refusal:
        return EditResult(spec, scene, (), 0.0, reading.refusal, True)
    draft = Draft(spec, scene)
    try:
        for atom in reading.atoms:
            draft = choices(atom, draft)[0]
    except (RefusalError, AvatarValueError) as error:
        return EditResult(spec, scene, reading.atoms, 0.0, str(error), True)
    who = _signed(draft.who, spec, instruction)
    return EditResult(who, draft.scene, reading.atoms, 0.0, "literal", False)


def carried_out(atoms: Sequence[Atom], ways: Sequence[int], start: Draft) -> Draft | None:
    """Return `start` with each atom carried out one of its ways; None where that cannot be."""
    draft = start
    try:
        for atom, way in zip(atoms, ways, strict=True):
            found = choices(atom, draft)
            draft = found[min(way, len(found) - 1)]
    except (RefusalError, AvatarValueError):
        return None
    return draft


def combinations(counts: Sequence[int], most: int, seed: int) -> list[Ways]:
    """Return up to `most` combinations of ways: the literal one, each way once, then mixed ones."""
    picks = [tuple(min(way, count - 1) for count in counts) for way in range(max(counts))]
    if len(picks) < most:
        rest = [pick for pick in islice(product(*map(range, counts)), 256) if pick not in picks]
        picks += [rest[i] for i in np.random.default_rng(seed).permutation(len(rest))]
    return picks[:most]


def _counts(atoms: Sequence[Atom], start: Draft) -> list[int]:
    """Return how many ways each atom has where those before it were carried out literally."""
    counts, draft = [], start
    for atom in atoms:
        found = choices(atom, draft)
        counts.append(len(found))
        draft = found[0]
    return counts


def _tried(
    critic: Critic,
    picks: Sequence[Ways],
    atoms: Sequence[Atom],
    start: Draft,
    tell: Callable[[str, float], None],
) -> dict[Ways, tuple[Draft, Score]]:
    out: dict[Ways, tuple[Draft, Score]] = {}
    for number, pick in enumerate(picks, 1):
        tell(f"candidate {number} of {len(picks)}", number / (len(picks) + 1))
        draft = carried_out(atoms, pick, start)
        if draft is not None:
            out[pick] = draft, critic.score(draft)
    return out


def _best_of_each(tried: Mapping[Ways, tuple[Draft, Score]]) -> Ways:
    """Return for each atom the way that showed it best, the more literal where equal."""
    picks = list(tried)
    return tuple(
        min(picks, key=lambda pick: (-round(tried[pick][1].changes[i], 2), pick[i]))[i]
        for i in range(len(picks[0]))
    )


def short_of(score: Score, atoms: Sequence[Atom]) -> str:
    """Return why a candidate is not good enough, "" where it is."""
    if score.kept.preserved < LEAST_KEPT:
        return "what should be kept would be hidden or changed"
    for atom, found in zip(atoms, score.changes, strict=True):
        if found < LEAST_CHANGE:
            what = atom.target.replace("_", " ")
            return f"{what}: the change cannot be seen (it may be so already, or be covered)"
    if score.kept.value < LEAST_STAYED:
        return f"the best candidate changes too much else ({score.kept.value:.2f} of it stayed)"
    return ""


def _signed(who: AvatarSpec, before: AvatarSpec, instruction: str) -> AvatarSpec:
    """Note that an identity was edited; consent and a photo's digest stay."""
    if who == before:
        return who
    origin = before.provenance
    digest = origin.digest or instruction.strip()
    return who.changed(provenance=origin.changed(source="edit", digest=digest))
