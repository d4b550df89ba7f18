"""Off-policy estimates against cases that can be worked out by hand, and against the truth."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from agents.brain.estimate import (
    Estimate,
    Sample,
    bernstein,
    doubly_robust,
    gain,
    ips,
    snips,
)
from agents.brain.gate import Gate
from agents.brain.ledger import Ledger
from agents.errors import AgentValueError

# Two decisions of a policy that tosses a coin; the other would always have taken the first.
TOSSED = [Sample(1.0, 0.5, 3.0), Sample(0.0, 0.5, 1.0)]


def test_small_cases() -> None:
    assert ips(TOSSED).value == pytest.approx((2.0 * 3.0 + 0.0) / 2)
    assert snips(TOSSED).value == pytest.approx(3.0)
    assert ips(TOSSED).effective == pytest.approx(1.0)
    # Four equal weights are four samples.
    assert ips([Sample(0.5, 0.5, 1.0)] * 4).effective == pytest.approx(4.0)


def test_a_model_that_is_right_leaves_no_noise() -> None:
    samples = [Sample(1.0, 0.5, 3.0, predicted=3.0, value=3.0)] * 5
    samples += [Sample(0.0, 0.5, 1.0, predicted=1.0, value=3.0)] * 5
    found = doubly_robust(samples)
    assert found.value == pytest.approx(3.0)
    assert found.high - found.low == pytest.approx(0.0)


def test_a_wrong_model_is_put_right_by_the_propensities() -> None:
    wrong = [Sample(s.target, s.propensity, s.reward, predicted=9.0, value=9.0) for s in TOSSED]
    assert doubly_robust(wrong).value == pytest.approx(((9.0 + 2.0 * (3.0 - 9.0)) + 9.0) / 2)


def test_a_policy_has_no_gain_over_itself() -> None:
    same = [Sample(0.3, 0.3, reward, 1.0, 1.0) for reward in (0.0, 2.0, 5.0)]
    found = gain(same)
    assert (found.value, found.low, found.high) == pytest.approx((0.0, 0.0, 0.0))


def logged(random: np.random.Generator, count: int) -> list[Sample]:
    """Return decisions between two actions worth 1 and 2, the better of which is the rarer."""
    first = random.random(count) < 0.8
    rewards = np.where(first, 1.0, 2.0) + random.normal(size=count)
    return [
        Sample(0.1 if is_first else 0.9, 0.8 if is_first else 0.2, float(reward), 1.4, 1.4)
        for is_first, reward in zip(first, rewards, strict=True)
    ]


@pytest.mark.parametrize("estimator", [ips, snips, doubly_robust])
def test_intervals_cover_the_truth(
    estimator: Callable[[Sequence[Sample], float, int], Estimate],
) -> None:
    truth, covered, values = 0.1 * 1.0 + 0.9 * 2.0, 0, []
    for seed in range(60):
        found = estimator(logged(np.random.default_rng(seed), 500), 0.95, seed)
        covered += found.low <= truth <= found.high
        values.append(found.value)
    assert covered >= 52
    assert np.mean(values) == pytest.approx(truth, abs=0.05)


def test_bernstein_bounds_are_wide_and_hold() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        terms = random.random(200)
        low, high = bernstein(terms, 1.0)
        assert low < 0.5 < high
    with pytest.raises(AgentValueError, match="at least 2"):
        bernstein(np.array([1.0]), 1.0)


def test_what_cannot_be_a_logged_decision_is_refused() -> None:
    with pytest.raises(AgentValueError, match="propensity 0"):
        Sample(0.5, 0.0, 1.0)
    with pytest.raises(AgentValueError, match="finite"):
        Sample(0.5, 0.5, float("nan"))
    with pytest.raises(AgentValueError, match="no logged decisions"):
        ips([])
    with pytest.raises(AgentValueError, match="would be taken"):
        snips([Sample(0.0, 0.5, 1.0)])


def test_the_gate_lets_a_better_policy_through_and_no_worse_one() -> None:
    random = np.random.default_rng(1)
    better = logged(random, 800)
    passed = Gate().judge(Ledger(better))
    assert passed.passed
    assert "it may decide" in passed.reason["en"]
    worse = [
        Sample(0.95 if s.target < 0.5 else 0.05, s.propensity, s.reward, 1.0, 1.0) for s in better
    ]
    refused = Gate().judge(Ledger(worse))
    assert not refused.passed
    assert refused.estimate.value < 0.0
    assert "not enough" in refused.reason["en"]


def test_the_gate_wants_decisions_that_tell() -> None:
    few = Gate().judge(Ledger(logged(np.random.default_rng(1), 60)))
    assert not few.passed
    assert "are needed" in few.reason["en"]


def test_the_gate_rarely_lets_through_what_is_no_better() -> None:
    passed = 0
    for seed in range(100):
        random = np.random.default_rng(seed)
        first = random.random(400) < 0.8
        samples = [
            Sample(0.1 if f else 0.9, 0.8 if f else 0.2, float(r), 1.0, 1.0)
            for f, r in zip(first, 1.0 + random.normal(size=400), strict=True)
        ]
        passed += Gate().judge(Ledger(samples)).passed
    assert passed <= 5


def test_a_ledger_says_what_its_decisions_say() -> None:
    samples = logged(np.random.default_rng(4), 397)
    ledger, exact = Ledger(samples), doubly_robust(samples)
    found = ledger.value()
    assert (found.value, found.effective) == pytest.approx((exact.value, exact.effective))
    assert found.count == ledger.count == 397
    assert found.high - found.low == pytest.approx(exact.high - exact.low, rel=0.25)
    assert ledger.gain().value == pytest.approx(gain(samples).value)
    assert ledger.reward == pytest.approx(np.mean([sample.reward for sample in samples]))
    assert ledger.lately(80).count == 77
    again = Ledger.restored(ledger.snapshot())
    assert again.gain().value == pytest.approx(ledger.gain().value, abs=1e-4)
    assert again.count == 397


@pytest.mark.parametrize("broken", [{}, {"count": 1, "blocks": [[1.0]]}, {"count": 1, "blocks": 3}])
def test_what_is_no_ledger_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(AgentValueError):
        Ledger.restored(broken)
    with pytest.raises(AgentValueError, match="no logged decisions"):
        Ledger().gain()
