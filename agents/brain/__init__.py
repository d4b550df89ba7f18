"""The operations brain: watches a room's figures and decides what to do about them."""

from agents.brain.actions import Action, ActionKind
from agents.brain.brain import DECISION_S, Brain, Decision
from agents.brain.figures import Figures, Good, Pace, Situation
from agents.brain.limits import Limits
from agents.brain.outcome import REWARD_S, Outcome
from agents.brain.watching import Watch

__all__ = [
    "DECISION_S",
    "REWARD_S",
    "Action",
    "ActionKind",
    "Brain",
    "Decision",
    "Figures",
    "Good",
    "Limits",
    "Outcome",
    "Pace",
    "Situation",
    "Watch",
]
