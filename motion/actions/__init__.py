"""Actions: gestures with a meaning, in five classes, by id.

An action is anchored to a word: its stroke starts `LEAD` before it (gestures run ahead of the
words they go with), its preparation before that.
"""

from motion.actions.deictic import direction_to
from motion.actions.gesture import Gesture
from motion.actions.library import (
    ACTION_IDS,
    ACTION_INDEX,
    ACTIONS,
    VECTOR,
    action_vector,
    gesture,
)
from motion.actions.phases import LEAD, Phases
from motion.actions.schema import CLASSES, Action, ActionClass, Parameter
from motion.actions.score import Hand

__all__ = [
    "ACTIONS",
    "ACTION_IDS",
    "ACTION_INDEX",
    "CLASSES",
    "LEAD",
    "VECTOR",
    "Action",
    "ActionClass",
    "Gesture",
    "Hand",
    "Parameter",
    "Phases",
    "action_vector",
    "direction_to",
    "gesture",
]
