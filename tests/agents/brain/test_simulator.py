"""The simulated room: the same from the same seed, and nothing hidden shows."""

from dataclasses import fields

import numpy as np
import pytest

from agents.brain import Action, Figures, Good, Situation
from agents.brain.experiment import Hours, Player, compare, open_room, relative
from agents.brain.rules import Rules
from agents.brain.simulator import SimulatedRoom, draw_world
from agents.brain.simulator.room import TICK_S


def played(seed: int, minutes: int, *actions: Action) -> SimulatedRoom:
    room = SimulatedRoom(draw_world(seed), seed)
    for tick in range(round(minutes * 60 / TICK_S)):
        if tick < len(actions):
            room.act(actions[tick])
        room.step()
    return room


def test_a_seed_is_a_room() -> None:
    first, second = played(3, 30), played(3, 30)
    assert first.totals == second.totals
    assert (first.figures(), first.situation()) == (second.figures(), second.situation())
    assert played(4, 30).totals != first.totals


def test_the_same_viewers_come_whatever_is_done() -> None:
    quiet, busy = played(3, 60), played(3, 60, Action("switch", "p5", "item-5"))
    assert quiet.totals["joins"] == busy.totals["joins"]
    assert quiet.totals["left"] != busy.totals["left"]


def test_what_is_counted_adds_up() -> None:
    room = played(5, 60)
    assert room.totals["joins"] - room.totals["left"] == room.figures().viewers
    assert room.totals["orders"] > 0


def test_an_offer_costs_its_discount() -> None:
    world = draw_world(0)
    place = int(np.argmax(world.discounts))
    show, offer = Action("switch", f"p{place}", f"item-{place}"), Action("offer", f"p{place}")
    plain, reduced = played(0, 10, show), played(0, 10, show, offer)
    assert plain.totals["discounts"] == 0.0
    assert reduced.totals["discounts"] > 0.0
    assert reduced.situation().offers_in_hour == 1


def test_what_is_hidden_does_not_show() -> None:
    known = {entry.name for kind in (Figures, Situation, Good) for entry in fields(kind)}
    assert not known & {"kind", "taste", "tastes", "mix", "patience", "allure", "learning_s"}


def test_viewers_that_are_alike_have_one_taste() -> None:
    world = draw_world(2, uniform=True)
    assert np.ptp(world.tastes, axis=0).max() == 0.0
    assert len({kind.stay_s for kind in world.kinds}) == 1


def test_a_sold_out_product_sells_no_more() -> None:
    world = draw_world(0)
    world.stocks[:] = 2
    room = SimulatedRoom(world, 0)
    for _ in range(720):
        room.step()
    assert room.totals["orders"] <= 2 * world.products
    assert all(good.stock is not None and good.stock >= 0 for good in room.situation().goods)


def test_rules_break_no_limits_and_sell_more_than_a_fixed_order() -> None:
    orders = []
    for seed in range(4):
        row = []
        for policy in (None, Rules()):
            room = open_room(draw_world(seed), seed, start_s=64_800.0, fixed=policy is None)
            run = Player(room, policy, np.random.default_rng(seed)).play(1.0)
            assert run.broken == 0
            row.append(run.orders)
        orders.append(row)
    fixed, rules = np.array(orders).T
    assert rules.sum() > fixed.sum()


def test_an_experiment_tells_how_far_it_is() -> None:
    told: list[float] = []
    found = compare(range(2), Hours(0.1, 1, 0.1, 0.1), tell=told.append)
    assert found.broken == 0
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
    assert found.actions["learnt"].total() == 2 * 12


def test_gains_are_relative_and_paired() -> None:
    before = np.array([100.0, 200.0, 50.0])
    gained, low, high = relative(1.1 * before, before)
    assert (gained, low, high) == pytest.approx((0.1, 0.1, 0.1))
