"""The learnt policy: propensities, learning, reasons, and how it is kept."""

import json

import numpy as np
import pytest
from hypothesis import given, settings

from agents.brain import Figures, Limits, Situation
from agents.brain.actions import conceivable, shortlist
from agents.brain.bandit import Learnt
from agents.brain.features import SHARED, SIZE
from agents.brain.linear import LinearModel
from agents.brain.policy import FLOOR, View, draw, floored
from agents.errors import AgentValueError
from tests.agents.brain.rooms import figures, situation, situations

NOW = Figures(1000.0, viewers=100, viewers_before=100, item_s=90.0, clicks=3.0, orders=0.5)
POLICY = Learnt()


def view(now: Figures = NOW, room: Situation | None = None) -> View:
    room = room or situation(thanks_due=3)
    allowed = Limits().allowed(conceivable(now, room), now, room)
    return View(now, room, tuple(shortlist(allowed, room)))


@given(now=figures(), room=situations())
@settings(max_examples=80, deadline=None)
def test_propensities_add_up_and_none_is_below_the_floor(now: Figures, room: Situation) -> None:
    seen = view(now, room)
    shares = POLICY.propensities(seen)
    assert shares.shape == (len(seen.actions),)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.min() >= min(FLOOR, 1.0 / len(seen.actions)) - 1e-12
    rows = POLICY.rows(seen)
    assert np.abs(rows).max() <= 1.0


def test_actions_are_taken_as_often_as_their_propensity_says() -> None:
    shares = Learnt(width=3.0).propensities(view())
    random = np.random.default_rng(5)
    counts = np.bincount(
        [draw(shares, random.random()) for _ in range(20_000)], minlength=len(shares)
    )
    assert counts / 20_000 == pytest.approx(shares, abs=0.01)


def test_the_same_knowledge_gives_the_same_propensities() -> None:
    assert Learnt(seed=7).propensities(view()) == pytest.approx(Learnt(seed=7).propensities(view()))


def test_it_begins_with_what_the_rules_advise() -> None:
    policy, seen = Learnt(width=0.0), view()
    assert seen.actions[int(policy.propensities(seen).argmax())].kind == "thank"


def test_it_learns_what_sells() -> None:
    policy, seen = Learnt(), view()
    rows, random = policy.rows(seen), np.random.default_rng(0)
    best = next(n for n, action in enumerate(seen.actions) if action.kind == "repeat")
    for _ in range(600):
        shares = policy.shares(rows)
        index = draw(shares, random.random())
        reward = (4.0 if index == best else 1.0) + 0.3 * random.normal()
        policy.learn(rows[index], shares @ rows, reward, 100)
    shares = policy.shares(rows)
    assert shares.argmax() == best
    assert shares[best] > 0.8
    reason = policy.reason(seen, best)
    assert reason["en"].startswith("Repeat a selling point: expected to bring")
    assert "What speaks for it most" in reason["en"]
    assert "重复一个卖点" in reason["zh"]
    assert "tried out" in policy.reason(seen, 0)["en"]


def test_what_the_room_does_for_all_actions_is_not_put_down_to_any() -> None:
    """The policy that logs takes one action mostly when the room sells anyway."""
    policy, seen = Learnt(), view()
    rows, random = policy.rows(seen), np.random.default_rng(0)
    for _ in range(800):
        boom = bool(random.random() < 0.5)
        shares = floored(np.eye(len(rows))[1 if boom else 2], 0.05)
        index = draw(shares, random.random())
        reward = (5.0 if boom else 0.0) + 0.3 * random.normal()
        policy.learn(rows[index], shares @ rows, reward, 100)
    worth = policy.effect.expected(rows)
    assert abs(worth[1] - worth[2]) < 0.7


def test_it_is_kept_and_goes_on() -> None:
    policy, seen = Learnt(), view()
    rows = policy.rows(seen)
    for number in range(60):
        policy.learn(rows[number % len(rows)], rows.mean(axis=0), float(number % 3), 80)
    kept = json.loads(json.dumps(policy.snapshot()))
    other = Learnt()
    other.restore(kept)
    assert other.propensities(seen) == pytest.approx(policy.propensities(seen))
    assert other.features.products == policy.features.products
    for each in (policy, other):
        each.learn(rows[0], rows.mean(axis=0), 2.0, 100)
    assert other.effect.weights == pytest.approx(policy.effect.weights)


@pytest.mark.parametrize(
    "broken",
    [{}, {"features": SIZE, "products": [], "effect": {}}, {"features": 3, "products": []}],
)
def test_what_is_no_snapshot_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(AgentValueError):
        Learnt().restore(broken)


def test_in_another_room_it_knows_no_product() -> None:
    policy, seen = Learnt(), view()
    rows = policy.rows(seen)
    for _ in range(30):
        policy.learn(rows[0], rows.mean(axis=0), 5.0, 100)
    moved = policy.elsewhere("learnt/there")
    assert moved.features.products == ()
    assert not moved.effect.weights[len(SHARED) :].any()
    shared = slice(0, len(SHARED))
    assert moved.effect.weights[shared] == pytest.approx(policy.effect.weights[shared])
    # It expects the same of what holds everywhere, and is less sure of it.
    before, after = (np.diag(each.effect.spread(np.eye(SIZE))) for each in (policy, moved))
    assert (after[shared] >= before[shared] - 1e-12).all()


def test_regression_finds_the_weights_and_forgets() -> None:
    random = np.random.default_rng(2)
    true = np.array([1.0, -2.0, 0.5])
    model = LinearModel(np.zeros(3), prior=1.0, memory=300.0)
    for _ in range(1000):
        row = random.normal(size=3)
        model.learn(row, float(row @ true) + 0.1 * random.normal())
    assert model.weights == pytest.approx(true, abs=0.05)
    assert model.noise == pytest.approx(0.01, abs=0.02)
    for _ in range(1500):
        row = random.normal(size=3)
        model.learn(row, float(row @ -true) + 0.1 * random.normal())
    assert model.weights == pytest.approx(-true, abs=0.1)


def test_its_inverse_stays_the_inverse() -> None:
    random = np.random.default_rng(2)
    model = LinearModel(np.zeros(4), prior=2.0, memory=1e9)
    rows = random.normal(size=(130, 4))
    for row in rows:
        model.learn(row, 1.0, 0.5)
    exact = np.linalg.inv(2.0 * np.eye(4) + 0.5 * rows.T @ rows)
    assert model.spread(np.eye(4)) / model.noise == pytest.approx(exact)


@pytest.mark.parametrize(
    ("reward", "weight"), [(float("nan"), 1.0), (1.0, 0.0), (1.0, float("inf"))]
)
def test_what_cannot_be_learnt_is_refused(reward: float, weight: float) -> None:
    with pytest.raises(AgentValueError, match="weight"):
        LinearModel(np.zeros(2)).learn(np.ones(2), reward, weight)


def test_a_floor_is_kept_and_wrong_shares_refused() -> None:
    assert floored(np.array([1.0, 0.0]), 0.1) == pytest.approx([0.9, 0.1])
    assert floored(np.array([1.0, 0.0]), 0.9) == pytest.approx([0.5, 0.5])
    with pytest.raises(AgentValueError, match="add up to 1"):
        floored(np.array([0.7, 0.7]), 0.1)
