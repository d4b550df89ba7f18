"""How well edits work: sets of instructions with outcomes that can be checked.

The base line, `one_shot`, carries the same reading out literally.
"""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from avatar.editing.draft import Draft
from avatar.editing.edit import SMALL, EditResult, edit, one_shot
from avatar.editing.outcomes import Item, Outcome
from avatar.editing.studio import Studio
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, SceneSpec, ready

# Known: what the grammar and the critic were made with. Open: written later, and mended by. Held:
# written with them, for measuring; what it found unread has since widened the vocabulary. Fresh:
# written before that was widened: 11 of 40 were right then, 35 at the first try afterwards, and the
# other five have been mended by.
SETS: Final = ("known", "open", "held", "fresh")


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one instruction.

    Attributes:
        refusal: whether it had to be refused.
        fault, one_shot_fault: what is not as it should be, "" for nothing.
        identity, one_shot_identity: cosine of the face's features outside the mask; None where it
            was refused. kept, one_shot_kept: all that stayed outside it.
        seconds: for the edit with the critic.
    """

    say: str
    refusal: bool
    fault: str
    one_shot_fault: str
    identity: float | None
    one_shot_identity: float | None
    kept: float | None
    one_shot_kept: float | None
    seconds: float

    @classmethod
    def read(cls, line: str) -> "Row":
        """Return a row from a line that `written` gave."""
        content = json.loads(line)
        return cls(**{field.name: content[field.name] for field in fields(cls)})

    def written(self) -> str:
        """Return it as a line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)


@cache
def items(name: str = "known") -> tuple[Item, ...]:
    """Return one of `SETS`, in English and Chinese; those that start alike lie together."""
    folder = resources.files("avatar.editing").joinpath("sets")
    starts = json.loads(folder.joinpath("starts.json").read_text("utf-8"))
    content = json.loads(folder.joinpath(f"{name}.json").read_text("utf-8"))
    base = ready("mia").model_dump(mode="json")
    out = []
    for item in sorted(content["items"], key=lambda item: list(starts).index(item["start"])):
        start = starts[item["start"]]
        who = AvatarSpec.from_mapping(base | start.get("identity", {}))
        scene = SceneSpec.from_mapping(start.get("scene", {}))
        out.append(Item(item["say"], who, scene, item["expect"]))
    return tuple(out)


def evaluate(
    studio: Studio,
    *,
    candidates: int = 4,
    seed: int = 0,
    chosen: Sequence[Item] | None = None,
    size: Size = SMALL,
    done: Iterable[Row] = (),
    tell: Callable[[Row], None] | None = None,
) -> dict[str, Any]:
    """Carry a set out with the critic and literally, and check both.

    Args:
        chosen: the set; None for the known one.
        done: rows of instructions that need not be carried out again.
        tell: told each row as it is made.

    Returns: see `summary`.
    """
    rows = {row.say: row for row in done}
    chosen = items() if chosen is None else chosen
    for item in chosen:
        if item.say not in rows:
            rows[item.say] = _row(studio, item, candidates, seed, size)
            if tell is not None:
                tell(rows[item.say])
    return summary([rows[item.say] for item in chosen])


def _row(studio: Studio, item: Item, candidates: int, seed: int, size: Size) -> Row:
    begun = time.perf_counter()
    best = edit(item.who, item.scene, item.say, studio, candidates=candidates, seed=seed, size=size)
    seconds = time.perf_counter() - begun
    fault, identity, kept = _checked(studio, item, best, size)
    plain = one_shot(item.who, item.scene, item.say)
    plain_fault, plain_identity, plain_kept = _checked(studio, item, plain, size)
    return Row(
        say=item.say,
        refusal=bool(item.expect.get("refused")),
        fault=fault,
        one_shot_fault=plain_fault,
        identity=identity,
        one_shot_identity=plain_identity,
        kept=kept,
        one_shot_kept=plain_kept,
        seconds=round(seconds, 3),
    )


def _checked(
    studio: Studio, item: Item, result: EditResult, size: Size
) -> tuple[str, float | None, float | None]:
    """Return the fault, and how much of the face and of everything stayed outside the mask."""
    outcome = Outcome(studio, item, result, size)
    fault = outcome.fault()
    if result.refused:
        return fault, None, None
    stayed = outcome.critic.score(Draft(result.spec, result.scene)).kept
    return fault, round(stayed.identity, 4), round(stayed.value, 4)


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Return what rows come to.

    Returns:
        count; correct and one_shot_correct, shares; identity, one_shot_identity, kept and
        one_shot_kept, means; refusals, the share of those that had to be refused that were;
        seconds, the mean of an edit; wrong and one_shot_wrong, what failed with the reason.
    """
    out: dict[str, Any] = {"count": len(rows)}
    for prefix in ("", "one_shot_"):
        faults = {row.say: getattr(row, f"{prefix}fault") for row in rows}
        out[f"{prefix}correct"] = _mean([float(not fault) for fault in faults.values()])
        for name in ("identity", "kept"):
            out[prefix + name] = _mean([getattr(row, prefix + name) for row in rows])
        out[f"{prefix}wrong"] = [f"{say}: {fault}" for say, fault in faults.items() if fault]
    out["refusals"] = _mean([float(not row.fault) for row in rows if row.refusal])
    out["seconds"] = _mean([row.seconds for row in rows])
    return out


def _mean(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return round(float(np.mean(found)), 4) if found else None
