"""A simulated live room with hidden kinds of viewers, for tests and for comparing policies.

Nothing here was fitted to data of real rooms. The numbers are assumptions, of the size that public
descriptions of live selling suggest, and stand beside what they are of:

- Viewers come by the hour of the day and in waves of one kind; each is of one of five hidden kinds
  (`kinds`), with a taste of its own for every product (`world`).
- Who hears of a product takes it in over some time, buys once at most, has heard enough after a
  while, and is then tired of it; who likes what is on air stays longer.
- An offer stands for three minutes, costs its discount on every order, and those who hear many wait
  for the next. Thanks keep those they are meant for and bore others. A selling point said again
  helps those who have just come and tires the others. A pace suits some and not others.
- Orders come some time after the decision to buy. Clicks are no orders: some goods are clicked for
  nothing.
- Rooms differ in all of this: how patient people are, what thanks, offers and paces do, how soon a
  product is understood. Rules are one set for all rooms, and sit at the middle of what rooms are
  drawn from; `draw_world(plain=True)` takes these differences away, `uniform=True` the kinds.
- Arrivals do not depend on what is sold: a platform that sends more viewers to a room that sells
  would multiply every gain.

Gains measured here say that a policy can learn what a room hides; not how much it would sell
elsewhere.
"""

from agents.brain.simulator.room import SimulatedRoom
from agents.brain.simulator.world import World, draw_world

__all__ = ["SimulatedRoom", "World", "draw_world"]
