"""The library: all actions by id, in an order that stays, and how one is played."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.actions.beats import BEATS
from motion.actions.compiling import Course, compiled
from motion.actions.deictic import DEICTIC
from motion.actions.emblems import EMBLEMS
from motion.actions.gesture import Gesture
from motion.actions.iconic import ICONIC
from motion.actions.metaphoric import METAPHORIC
from motion.actions.phases import LEAD
from motion.actions.schema import Action
from motion.actions.score import Hand
from motion.bodies import BASE, Body
from motion.speech import SpokenAction

_LATEST: Final = 1.2  # seconds an action may come late, where its words were scheduled too late

ACTIONS: Final[Mapping[str, Action]] = MappingProxyType(
    {action.id: action for action in (*EMBLEMS, *DEICTIC, *METAPHORIC, *ICONIC, *BEATS)}
)
ACTION_IDS: Final[tuple[str, ...]] = tuple(ACTIONS)


def gesture(
    action: SpokenAction, earliest: float, hand: Hand = "right", body: Body = BASE
) -> Gesture | None:
    """Return the gesture of an action, none before `earliest` (seconds).

    `hand` makes it where neither the action nor what it points at says which. Parameters the
    action has not are passed over; numbers out of range are brought into it, and what is no number
    gives the default: speech goes on, whatever a model has written. `Action.check` is strict.
    `body`: whose arms `Gesture.fit` is about.

    None where the library has no such action, or where it would come too late to be understood.
    """
    known = ACTIONS.get(action.action)
    if known is None:
        return None
    if earliest > action.at - LEAD - known.phases.prepare + _LATEST:
        return None
    own = None if body is BASE else course(action, hand, body)
    made = course(action, hand)
    return Gesture(made, known.phases, action.at, earliest, own, exact=known.exact)


def course(action: SpokenAction, hand: Hand = "right", body: Body = BASE) -> Course:
    """Return what a body does in a known action; kept for the next time it is asked for."""
    known, given = ACTIONS[action.action], dict(action.parameters)
    values = known.values(given)
    return _course(action.action, known.hand(given, hand), tuple(sorted(values.items())), body)


@lru_cache(maxsize=1024)
def _course(name: str, hand: Hand, values: tuple[tuple[str, float], ...], body: Body) -> Course:
    side = 1.0 if hand == "left" else -1.0
    made = compiled(ACTIONS[name].write({**dict(values), "side": side}), hand, body)
    for array in (made.poses, made.shares, made.mask, made.face):
        array.setflags(write=False)
    return made


# What a network is told of an action: a number for its id, and this vector of its parameters.
VECTOR: Final = ("azimuth", "elevation", "size", "number", "level", "left", "right")
_SCALES: Final = {"azimuth": 1 / 90.0, "elevation": 1 / 90.0, "size": 2.0, "number": 0.2}

# New actions are added at the end, so that trained embeddings keep their meaning.
ACTION_INDEX: Final[Mapping[str, int]] = MappingProxyType(
    {"": 0} | {name: number for number, name in enumerate(ACTION_IDS, 1)}
)


def action_vector(action: SpokenAction | None, hand: Hand = "right") -> NDArray[np.float32]:
    """Return an action's parameters as float32 [len(VECTOR)], each about -1 to 1.

    Degrees over 90 (azimuth to the host's left), metres times 2, a number over 5, the level as it
    is; 0 for what the action has not. The last two say which hands it uses, 1 or 0. All zero for
    no action (None, or one the library has not). `hand` and ranges are as in `gesture`.
    """
    out = np.zeros(len(VECTOR), np.float32)
    known = None if action is None else ACTIONS.get(action.action)
    if action is None or known is None:
        return out
    given = dict(action.parameters)
    for name, value in known.values(given).items():
        out[VECTOR.index(name)] = _SCALES.get(name, 1.0) * value
    main = known.hand(given, hand)
    both = known.hands != "one"
    out[-2:] = both or main == "left", both or main == "right"
    return out
