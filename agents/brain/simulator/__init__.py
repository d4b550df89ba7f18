"""A simulated live room with hidden kinds of viewers, for tests and for comparing policies.

Nothing here was fitted to data of real rooms: the numbers are assumptions, written down beside
each, of the size that public descriptions of live selling suggest. Gains measured here say that a
policy can learn what a room hides; not how much it would sell elsewhere.
"""

from agents.brain.simulator.room import SimulatedRoom
from agents.brain.simulator.world import World, draw_world

__all__ = ["SimulatedRoom", "World", "draw_world"]
