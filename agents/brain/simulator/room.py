"""`SimulatedRoom`: a room whose viewers react to what is shown and said; its clock is virtual."""

import copy
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import Action
from agents.brain.figures import CHANGE_S, RATE_S, Figures, Good, Pace, Situation
from agents.brain.outcome import REWARD_S, Outcome, stay_worth
from agents.brain.simulator.crowd import ROWS, Crowd
from agents.brain.simulator.tally import COUNTED, Tally
from agents.brain.simulator.world import World
from agents.brain.watching import PRODUCT_S

TICK_S: Final = 10.0
# The rundown goes on to its next product after this long.
ITEM_S: Final = 180.0
# The host thanks of its own accord when it has not for this long.
_THANKS_S: Final = 180.0
# An announced offer stands for this long.
OFFER_S: Final = 180.0
# Seconds after which a viewer of usual patience has heard enough of a product, and is tired of it.
_ENOUGH_S, _TIRED_S = 90.0, 120.0
# Orders a second of a viewer who is sure to want what it has heard all about.
_BUYING: Final = 0.0025
# Clicks a second of one who likes what is on air; of what is not on air, of each product.
_CLICKING, _LOOKING = 0.006, 0.0004
_CHECKOUT_TICKS: Final = 24
# Seconds of the host's speech that a thing takes.
_SPOKEN: Final = {"thank": 8.0, "offer": 8.0, "repeat": 6.0}
_ANSWER_S: Final = 12.0


class SimulatedRoom:
    """One room on air.

    Args:
        world: what is hidden.
        seed: of who comes, and of what they do: apart, so that two policies in rooms of one seed
            meet the same viewers.
        start_s: second of the day at which the room opens.
        offers: whether the rundown announces each product's offer in the middle of its item, as
            often as `may_offer` lets it; a room that a policy runs leaves offers to the policy.
    """

    def __init__(
        self,
        world: World,
        seed: int,
        *,
        start_s: float = 64_800.0,
        offers: bool = False,
        may_offer: Callable[[Action, Figures, Situation], bool] | None = None,
    ) -> None:
        self.world, self._start_s, self.tick = world, start_s, 0
        self._coming, self._doing = (
            np.random.default_rng([seed, 2]),
            np.random.default_rng([seed, 3]),
        )
        self._crowd = Crowd(world)
        count = world.products
        self._tally = Tally(count)
        self._due = np.zeros((_CHECKOUT_TICKS, 2, count))
        self._stock = world.stocks.astype(np.float64)
        self._live = np.full(count, -1.0)
        self._aired = np.zeros((3, count))
        self._left_at: list[float | None] = [None] * count
        self._offered_at: list[float | None] = [None] * count
        self._offers: list[float] = []
        self._since: dict[str, float | None] = {
            "offer": None,
            "thank": None,
            "repeat": None,
            "pace": None,
        }
        self._wave: tuple[int, float] = (0, -1.0)
        self._plays_offers, self._may_offer = offers, may_offer
        self.pace: Pace = "usual"
        self.on_air, self._item_at = 0, self.now
        self._waiting, self._busy, self._thanks_due, self._gone = 0.0, 0.0, 0, 0

    def branch(self, seed: int) -> "SimulatedRoom":
        """Return a room that stands as this one does, and in which chance goes another way."""
        other = copy.deepcopy(self, {id(self.world): self.world})
        other._coming = np.random.default_rng([seed, 2])
        other._doing = np.random.default_rng([seed, 3])
        return other

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return self._start_s + self.tick * TICK_S

    @property
    def totals(self) -> dict[str, float]:
        """What happened since the room opened."""
        return dict(zip(COUNTED, self._tally.totals.tolist(), strict=True))

    # What is seen

    def figures(self) -> Figures:
        """Return what a policy sees of the room."""
        now, seen = self.now, self._tally.window(round(RATE_S / TICK_S))
        minutes = RATE_S / 60.0
        clicks, _ = self._tally.products(round(RATE_S / TICK_S))
        crowd = self._crowd
        people = len(crowd)
        dwell = float((now - crowd.joined) @ crowd.inside) / people if people else 0.0
        return Figures(
            at=now,
            viewers=people,
            viewers_before=self._tally.viewers(round(CHANGE_S / TICK_S)),
            dwell_s=dwell,
            joins=seen["joins"] / minutes,
            questions=seen["questions"] / minutes,
            clicks=float(clicks.sum()) / minutes,
            orders=seen["orders"] / minutes,
            gifts=seen["gifts"] / minutes,
            waiting=int(self._waiting),
            item_s=now - self._item_at,
            since_offer_s=self._ago("offer"),
            since_thank_s=self._ago("thank"),
            since_repeat_s=self._ago("repeat"),
            since_pace_s=self._ago("pace"),
            pace=self.pace,
        )

    def situation(self) -> Situation:
        """Return what a policy could do in the room."""
        clicks, orders = self._tally.products(round(PRODUCT_S / TICK_S))
        minutes = PRODUCT_S / 60.0
        since = self.now - 3600.0
        return Situation(
            product=_id(self.on_air),
            item=f"item-{self.on_air}",
            goods=tuple(
                self._good(place, float(clicks[place]) / minutes, float(orders[place]) / minutes)
                for place in range(self.world.products)
            ),
            offers_in_hour=sum(at > since for at in self._offers),
            thanks_due=self._thanks_due,
        )

    def outcome(self) -> Outcome:
        """Return what happened within the last `REWARD_S`."""
        ticks = round(REWARD_S / TICK_S)
        seen = self._tally.window(ticks)
        return Outcome(
            seen["orders"],
            seen["discounts"],
            seen["left"],
            max(self._tally.viewers(ticks), 1),
            stay_worth(self.totals["orders"], self.totals["left"]),
        )

    # What is done

    def act(self, action: Action) -> None:
        """Do what was decided. What is forbidden is done as well: limits are kept by the brain."""
        now = self.now
        if action.kind == "switch" and action.product is not None:
            self._show(int(action.product.removeprefix("p")))
        elif action.kind == "offer" and action.product is not None:
            self._announce(int(action.product.removeprefix("p")))
        elif action.kind == "pace" and action.pace is not None:
            self.pace = action.pace
            self._since["pace"] = now
        elif action.kind == "repeat":
            self._repeat()
        elif action.kind == "thank":
            self._thank()

    def step(self) -> None:
        """Let `TICK_S` seconds pass."""
        self._play()
        joins = self._come()
        clicks, talk = self._watch(), self._talk()
        crowd, place = self._crowd, self.on_air
        quickness = self._take_in(talk)
        informed = 1.0 - np.exp(crowd.heard[:, place] / -self.world.learning_s[place])
        chance = self._doing.random((2, ROWS))
        self._buy(informed, chance[0])
        questions, gifts = self._ask(informed)
        orders, discounts = self._checkout()
        left = self._leave(informed, quickness, chance[1])
        self._thanks_due += int(gifts + orders.sum())
        self._aired[:, place] += (TICK_S, clicks[place], orders[place])
        self.tick += 1
        counts = np.array([joins, left, questions, gifts, orders.sum(), discounts])
        self._tally.add(counts, clicks, orders, len(crowd))

    def _play(self) -> None:
        """Let the rundown go on by itself: the next product, thanks, and its own offers."""
        item_s = self.now - self._item_at
        if item_s >= ITEM_S:
            places = [
                (self.on_air + step) % self.world.products
                for step in range(1, 1 + self.world.products)
            ]
            self._show(next((place for place in places if self._stock[place] != 0), places[0]))
        elif self._plays_offers and item_s == ITEM_S / 2.0:
            action = Action("offer", _id(self.on_air))
            if self._may_offer is None or self._may_offer(action, self.figures(), self.situation()):
                self._announce(self.on_air)
        since = self._ago("thank")
        if self._thanks_due and (since is None or since >= _THANKS_S):
            self._thank()

    def _come(self) -> int:
        now, random = self.now, self._coming
        mix = self.world.mix(now)
        rate = self.world.arrivals(now) * TICK_S
        if random.random() < self.world.waves * TICK_S / 3600.0:
            self._wave = (int(random.integers(len(mix))), now + 240.0)
        kind, until = self._wave
        if now < until:
            mix = 0.5 * mix
            mix[kind] += 0.5
            rate *= 1.6
        count = int(random.poisson(rate))
        kinds = np.searchsorted(np.cumsum(mix), random.random(count) * mix.sum())
        scatter = random.normal(size=(count, self.world.products))
        return self._crowd.come(np.minimum(kinds, len(mix) - 1), scatter, now)

    def _talk(self) -> float:
        """Return how many of the tick's seconds the host speaks of what is on air."""
        spent = min(self._busy, TICK_S)
        self._busy -= spent
        left = TICK_S - spent
        speed = {"calm": 0.85, "usual": 1.0, "quick": 1.2}[self.pace]
        # Questions are answered in half of the time there is, while any wait.
        answered = min(self._waiting, 0.5 * left * speed / _ANSWER_S)
        self._waiting -= answered
        # What is asked is mostly about what is on air, so half of an answer tells of it.
        return left - 0.5 * answered * _ANSWER_S / speed

    def _take_in(self, talk: float) -> NDArray[np.float64]:
        """Let viewers hear of what is on air; return how well the pace suits each [n]."""
        crowd = self._crowd
        suits = np.ones(ROWS) if self.pace == "usual" else crowd.own(self.pace)
        crowd.heard[:, self.on_air] += talk * suits
        crowd.thanked -= TICK_S
        return suits

    def _watch(self) -> NDArray[np.float64]:
        """Return clicks [p]: on what is on air, and on what people would rather see."""
        crowd, place = self._crowd, self.on_air
        liked = crowd.inside @ crowd.liking
        rates = _LOOKING * liked
        fresh = self._fresh(place)
        rates *= self.world.allure
        rates[place] = (
            _CLICKING
            * float(self.world.allure[place])
            * float((crowd.inside * fresh) @ crowd.liking[:, place] ** 2)
        )
        return self._doing.poisson(rates * TICK_S).astype(np.float64)

    def _buy(self, informed: NDArray[np.float64], chance: NDArray[np.float64]) -> None:
        """Let viewers decide to buy what is on air; and, seldom, what is reduced just now."""
        now = self.now
        self._decide(self.on_air, informed, chance, 1.0)
        for place in np.flatnonzero(self._live > now).tolist():
            if place != self.on_air:
                heard = 1.0 - np.exp(self._crowd.heard[:, place] / -self.world.learning_s[place])
                self._decide(place, np.maximum(heard, 0.2), self._doing.random(ROWS), 0.25)

    def _fresh(self, place: int) -> NDArray[np.float64]:
        """Return how far each viewer is from having heard enough of a product [n], 0 to 1."""
        over = np.maximum(self._crowd.heard[:, place] / self.world.patience - _ENOUGH_S, 0.0)
        return np.asarray(np.exp(-over / 120.0))

    def _decide(
        self, place: int, informed: NDArray[np.float64], chance: NDArray[np.float64], heed: float
    ) -> None:
        crowd, world = self._crowd, self.world
        if self._stock[place] == 0:
            return
        thrift, live = crowd.own("thrift"), self._live[place] > self.now
        worth = crowd.taste[:, place] - 0.6 * thrift * (world.prices[place] - 0.5)
        if live:
            worth = worth + thrift * (3.0 * world.discounts[place]) + world.urgency
        else:
            worth = worth - world.spoils * thrift * np.minimum(crowd.offers, 4.0)
        want = 1.0 / (1.0 + np.exp(1.8 - 1.5 * worth))
        fresh = self._fresh(place)
        rate = _BUYING * heed * TICK_S * crowd.own("buys") * want * informed * fresh
        buyers = np.flatnonzero((chance < rate) & crowd.inside & ~crowd.bought[:, place])
        crowd.bought[buyers, place] = True
        delays = self._doing.geometric(TICK_S / world.checkout_s, len(buyers))
        for delay in np.minimum(delays, _CHECKOUT_TICKS - 1).tolist():
            row = self._due[(self.tick + delay) % _CHECKOUT_TICKS]
            row[0, place] += 1.0
            row[1, place] += world.discounts[place] if live else 0.0

    def _checkout(self) -> tuple[NDArray[np.float64], float]:
        """Return orders placed [p], and the sum of their discounts."""
        row = self._due[self.tick % _CHECKOUT_TICKS]
        orders = np.where(self._stock >= 0.0, np.minimum(row[0], self._stock), row[0])
        discounts = float(
            (row[1] * np.divide(orders, row[0], out=np.zeros_like(orders), where=row[0] > 0)).sum()
        )
        self._stock = np.where(self._stock >= 0.0, self._stock - orders, self._stock)
        row[:] = 0.0
        return orders, discounts

    def _ask(self, informed: NDArray[np.float64]) -> tuple[int, int]:
        crowd = self._crowd
        curious = float((crowd.inside * (1.3 - informed)) @ crowd.own("asks"))
        giving = float(crowd.inside @ crowd.own("gives"))
        questions, gifts = self._doing.poisson(
            np.array([curious, giving]) * TICK_S / 3600.0
        ).tolist()
        self._waiting = min(self._waiting + questions, 60.0)
        return questions, gifts

    def _leave(
        self, informed: NDArray[np.float64], suits: NDArray[np.float64], chance: NDArray[np.float64]
    ) -> int:
        crowd, place = self._crowd, self.on_air
        liking, heard = crowd.liking[:, place], crowd.heard[:, place]
        tired = 1.0 + np.clip((heard / self.world.patience - _TIRED_S) / 120.0, 0.0, 3.0)
        drawn = np.exp(-1.6 * (liking - 0.5) * (0.5 + 0.5 * informed))
        pleased = 1.0 - 0.5 * crowd.own("moved") * (crowd.thanked > 0.0)
        unheard = 1.0 + 0.03 * max(self._waiting - 4.0, 0.0)
        rate = TICK_S / crowd.own("stay_s") * tired * drawn * pleased * unheard / suits
        gone = crowd.inside & (chance < rate)
        crowd.inside &= ~gone
        bored, self._gone = self._gone, 0
        return int(gone.sum()) + bored

    def _show(self, place: int) -> None:
        self._left_at[self.on_air] = self.now
        self.on_air, self._item_at = place, self.now

    def _announce(self, place: int) -> None:
        self._live[place] = self.now + OFFER_S
        self._offers.append(self.now)
        self._offered_at[place] = self._since["offer"] = self.now
        self._crowd.offers += self._crowd.inside
        # What is said of the offer of what is on air tells of it too.
        self._busy += _SPOKEN["offer"] * (0.3 if place == self.on_air else 1.0)

    def _repeat(self) -> None:
        heard = self._crowd.heard[:, self.on_air]
        tired = 8.0 * self._crowd.own("tired")
        heard += self._crowd.inside * np.where(
            heard < self.world.learning_s[self.on_air], 18.0, tired
        )
        self._busy += _SPOKEN["repeat"]
        self._since["repeat"] = self.now

    def _thank(self) -> None:
        crowd = self._crowd
        crowd.thanked[:] = 180.0
        bored = self._doing.random(ROWS) < self.world.bored * (
            1.0 - crowd.own("moved").clip(0.0, 1.0)
        )
        self._gone += int((crowd.inside & bored).sum())
        crowd.inside &= ~bored
        self._thanks_due = 0
        self._busy += _SPOKEN["thank"]
        self._since["thank"] = self.now

    def _ago(self, what: str) -> float | None:
        moment = self._since[what]
        return None if moment is None else self.now - moment

    def _good(self, place: int, clicks: float, orders: float) -> Good:
        seconds, drawn, sold = self._aired[:, place].tolist()
        left, offered, stock = self._left_at[place], self._offered_at[place], self._stock[place]
        return Good(
            product=_id(place),
            name={"en": f"product {place + 1}", "zh": f"商品{place + 1}"},
            item=f"item-{place}",
            clicks=clicks,
            orders=orders,
            draws=60.0 * drawn / seconds if seconds >= 60.0 else None,
            sells=60.0 * sold / seconds if seconds >= 60.0 else None,
            off_air_s=0.0 if place == self.on_air else None if left is None else self.now - left,
            price=10.0 + 90.0 * float(self.world.prices[place]),
            discount_percent=100.0 * float(self.world.discounts[place]),
            since_offer_s=None if offered is None else self.now - offered,
            stock=None if stock < 0 else int(stock),
        )


def _id(place: int) -> str:
    return f"p{place}"
