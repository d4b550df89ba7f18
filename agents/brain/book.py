"""`Book`: a room's learnt policies by version, what each is expected to bring, which decides."""

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from agents.brain.bandit import Learnt
from agents.brain.estimate import Estimate, Sample
from agents.brain.gate import LOOKS, Gate, Verdict
from agents.brain.ledger import Ledger
from agents.brain.outcome import Outcome
from agents.brain.policy import FLOOR, TRYING, Policy, Reason, View
from agents.brain.rules import Rules
from agents.errors import AgentValueError

# Outcomes after which the policy, as it is then, becomes a version to be estimated.
LEARNT_FROM: Final = 400
# An estimate that is only shown is made anew after so many decisions.
_TOLD_EVERY: Final = 20
# Decisions of a version that decides by which it is compared with the rules, how often, and how
# sure it has to be that they are better.
_WATCHED, _WATCH_EVERY, _WATCH_LEAST, _WATCH_SURE = 1000, 50, 100, 0.98
# A collapse is seen in fewer: so many orders of a hundred viewers a minute fewer than under the
# rules before.
_COLLAPSED, _COLLAPSE = 200, 1.0
_LISTED: Final = 20

Stage = Literal["estimated", "live", "refused", "withdrawn", "fell back", "replaced"]


@dataclass(frozen=True, slots=True)
class Report:
    """A policy as operators are told of it.

    Attributes:
        kind: "rules" or "learnt".
        stage: what became of it; empty for the rules.
        live: whether it decides where the autopilot is "learnt".
        passed: whether its estimate was good enough to decide.
        decisions: how many outcomes it was learnt from.
        estimate, low, high: doubly robust estimate of its reward a decision, and of the bounds of
            its 95 % interval; None before there are decisions to estimate from.
        rules: mean reward of the decisions that were made instead.
        at: when it was made, seconds since the epoch; None for the rules.
        reason: how its estimate stands, in words.
    """

    name: str
    kind: Literal["rules", "learnt"]
    stage: str = ""
    live: bool = False
    passed: bool = False
    decisions: int = 0
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    rules: float | None = None
    at: float | None = None
    reason: Reason = field(default_factory=dict)


@dataclass(slots=True)
class _Version:
    """A policy as it was at one moment. `ledger`: of it while another decides, or of the rules
    while it does.
    """

    policy: Learnt
    at: float
    decisions: int
    stage: Stage = "estimated"
    passed: bool = False
    ledger: Ledger = field(default_factory=Ledger)
    judged: int = 0
    report: Report | None = None
    told: tuple[int, Report] | None = None
    kept: dict[str, Any] | None = None

    @property
    def count(self) -> int:
        """Decisions that tell about it."""
        return self.ledger.count

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many of them it is judged."""
        return tuple(look * self.decisions for look in LOOKS)


@dataclass(frozen=True, slots=True)
class Noted:
    """What must be remembered of a decision until its outcome is known.

    Attributes:
        row: features of the action taken [size].
        mean: of those of all actions, weighed by their propensities [size].
        by: name of the policy that decided.
        others: by version, what is needed for its estimate but the reward: target, propensity,
            predicted, value.
    """

    row: NDArray[np.float64]
    mean: NDArray[np.float64]
    by: str
    others: dict[str, tuple[float, float, float, float]]


class Book:
    """Learns from every outcome, and lets a version decide once it has passed the gate.

    While the rules decide, tried out now and then, a version is frozen and estimated on what comes
    after it was made. While a version decides, the rules are estimated on its decisions, and take
    over again as soon as they are known to be better.

    Args:
        scope: what names of versions begin with, such as "learnt/room-1".
        gate: what is asked of a version.
        seed: of draws.
        policy: what to begin with, such as what was learnt elsewhere.
    """

    def __init__(
        self,
        scope: str = "learnt",
        *,
        gate: Gate | None = None,
        seed: int = 0,
        policy: Learnt | None = None,
    ) -> None:
        self.scope, self.gate = scope, gate or Gate()
        self.learner = policy or Learnt(f"{scope}/0", seed=seed)
        self._number = 0
        self._candidate: _Version | None = None
        self._live: _Version | None = None
        self._past: deque[_Version] = deque(maxlen=_LISTED)
        self._since = 0
        self._rules = Rules(TRYING)
        self._kept: tuple[int, dict[str, Any]] | None = None

    def deciding(self) -> Policy:
        """Return who decides where the autopilot is "learnt"."""
        return self._live.policy if self._live else self._rules

    def note(self, view: View, index: int, shares: NDArray[np.float64], policy: Policy) -> Noted:
        """Return what must be remembered of a decision.

        Args:
            index: of the action taken.
            shares: propensities of the policy that decided [n].
            policy: which one did.
        """
        rows = self.learner.rows(view)
        others: dict[str, tuple[float, float, float, float]] = {}
        # Without the chance of every action nothing can be said of a policy that takes others.
        if float(shares.min()) >= 0.5 * FLOOR and len(view.actions) > 1:
            for version, target in self._compared(view, rows):
                expected = version.policy.expected(rows, shares)
                others[version.policy.name] = (
                    float(target[index]),
                    float(shares[index]),
                    float(expected[index]),
                    float(target @ expected),
                )
        return Noted(rows[index], shares @ rows, policy.name, others)

    def learn(self, noted: Noted, outcome: Outcome, now: float) -> float:
        """Learn what came of a decision; return its reward."""
        reward = outcome.reward
        for version in (self._candidate, self._live):
            if version is None or version.policy.name not in noted.others:
                continue
            if noted.by == self.deciding().name:
                target, propensity, predicted, value = noted.others[version.policy.name]
                version.ledger.add(Sample(target, propensity, reward, predicted, value))
        self.learner.learn(noted.row, noted.mean, reward, outcome.viewers)
        self._since += 1
        self._review(now)
        return reward

    def reports(self) -> list[Report]:
        """Return the rules and the newest versions, these first."""
        versions = [version for version in (self._live, self._candidate) if version]
        found = [_reported(version, version is self._live) for version in versions]
        found += [_reported(version, False) for version in reversed(self._past)]
        return [*found, Report("rules", "rules", live=self._live is None, passed=True)]

    def let(self, name: str, live: bool, now: float) -> None:
        """Let a version that has passed decide, or a version that does no longer.

        Raises:
            AgentValueError: there is no such version here, or it has not passed; the message says
                why.
        """
        every = [v for v in (self._live, self._candidate, *self._past) if v is not None]
        version = next((version for version in every if version.policy.name == name), None)
        if version is None:
            known = ", ".join(each.policy.name for each in every) or "none"
            raise AgentValueError(f"no policy {name[:80]!r}; known are {known}")
        if live and not version.passed:
            raise AgentValueError(
                f"{name} has not passed: {_reported(version, False).reason['en']}"
            )
        if live:
            self._go_live(version, now)
        elif version is self._live:
            self._retire("withdrawn")

    def snapshot(self) -> dict[str, Any]:
        """Return all of it, as JSON has it."""
        return {
            "number": self._number,
            "since": self._since,
            "learner": self._learner(),
            "live": _kept(self._live) if self._live else None,
            "candidate": _kept(self._candidate) if self._candidate else None,
        }

    def _learner(self) -> dict[str, Any]:
        """Return what was learnt; made anew only when something was, since rooms are kept often."""
        seen = self.learner.effect.seen
        if self._kept is None or self._kept[0] != seen:
            self._kept = (seen, self.learner.snapshot())
        return self._kept[1]

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from a snapshot. Versions that no longer decide are forgotten.

        Raises:
            AgentValueError: it is none.
        """
        try:
            number, since = int(kept["number"]), int(kept["since"])
            self.learner.restore(kept["learner"])
            live, candidate = self._version(kept["live"]), self._version(kept["candidate"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise AgentValueError(f"what was learnt cannot be read: {error}") from error
        self._number, self._since, self._live, self._candidate = number, since, live, candidate
        self._kept = None

    def _compared(
        self, view: View, rows: NDArray[np.float64]
    ) -> list[tuple[_Version, NDArray[np.float64]]]:
        """Return what is estimated, each with the propensities of the policy in question."""
        found = []
        if self._candidate:
            found.append((self._candidate, self._candidate.policy.shares(rows)))
        if self._live:
            found.append((self._live, self._rules.propensities(view)))
        return found

    def _review(self, now: float) -> None:
        """Make a version, judge it, or take the one that decides back."""
        live, candidate = self._live, self._candidate
        if live and live.count >= live.judged + _WATCH_EVERY and live.count >= _WATCH_LEAST:
            live.judged = live.count
            if _is_worse(live):
                self._retire("fell back")
        if candidate is None:
            if self._since >= LEARNT_FROM:
                self._number += 1
                policy = self.learner.frozen(f"{self.scope}/{self._number}")
                self._candidate = _Version(policy, now, self.learner.effect.seen)
                self._since = 0
        elif candidate.count in candidate.looks and candidate.judged != candidate.count:
            self._judge(candidate, self.gate.judge(candidate.ledger), now)

    def _judge(self, version: _Version, verdict: Verdict, now: float) -> None:
        version.report, version.judged = _report(version, verdict), version.count
        if verdict.passed:
            version.passed = True
            self._go_live(version, now)
        elif version.count >= version.looks[-1]:
            version.stage = "refused"
            self._past.append(version)
            self._candidate, self._since = None, LEARNT_FROM

    def _go_live(self, version: _Version, now: float) -> None:
        version.report = version.report or _report(version, None)
        if self._live and self._live is not version:
            self._retire("replaced")
        if version is self._candidate:
            self._candidate, self._since = None, 0
        elif self._candidate:
            # What decides has changed, so what it was compared with is another.
            self._candidate = _Version(self._candidate.policy, now, self._candidate.decisions)
        if version in self._past:
            self._past.remove(version)
        version.stage, version.ledger, version.judged = "live", Ledger(), 0
        self._live = version

    def _retire(self, stage: Stage) -> None:
        if self._live:
            self._live.stage = stage
            # Another chance needs another estimate, unless an operator took it off.
            self._live.passed = self._live.passed and stage != "fell back"
            self._past.append(self._live)
        self._live, self._candidate, self._since = None, None, 0

    def _version(self, kept: Mapping[str, Any] | None) -> _Version | None:
        if kept is None:
            return None
        policy = self.learner.frozen(str(kept["name"]))
        policy.restore({**kept["policy"], "products": list(self.learner.features.products)})
        policy.features = self.learner.features
        version = _Version(policy, float(kept["at"]), int(kept["decisions"]))
        version.stage = kept["stage"]
        version.passed, version.judged = bool(kept["passed"]), int(kept["judged"])
        version.ledger = Ledger.restored(kept["ledger"])
        version.report = Report(**kept["report"]) if kept["report"] else None
        return version


def _is_worse(live: _Version) -> bool:
    """Return whether the rules would do better than the version that decides: by what is estimated
    of them on its decisions, or since results have collapsed against theirs before it.
    """
    before = live.report.rules if live.report else None
    lately = live.ledger.lately(_COLLAPSED).made(_WATCH_SURE)
    if before is not None and lately.high < before - _COLLAPSE:
        return True
    return live.ledger.lately(_WATCHED).gain(_WATCH_SURE).low > 0.0


def _kept(version: _Version) -> dict[str, Any]:
    if version.kept is None:
        # A version does not change.
        version.kept = version.policy.snapshot()
    return {
        "name": version.policy.name,
        "at": version.at,
        "decisions": version.decisions,
        "stage": version.stage,
        "passed": version.passed,
        "judged": version.judged,
        "policy": version.kept,
        "ledger": version.ledger.snapshot(),
        "report": asdict(version.report) if version.report else None,
    }


def _reported(version: _Version, live: bool) -> Report:
    """Return how a version stands: as it was judged last, or as its samples tell so far."""
    report = version.report or _told(version)
    changes = {"live": live, "stage": version.stage, "passed": version.passed}
    return Report(**{**asdict(report), **changes})


def _told(version: _Version) -> Report:
    """Return a report that is at most `_TOLD_EVERY` decisions old."""
    if version.told is None or version.count >= version.told[0] + _TOLD_EVERY:
        version.told = (version.count, _report(version, None))
    return version.told[1]


def _report(version: _Version, verdict: Verdict | None) -> Report:
    found: Estimate | None = version.ledger.value() if version.count else None
    return Report(
        name=version.policy.name,
        kind="learnt",
        decisions=version.decisions,
        estimate=found.value if found else None,
        low=found.low if found else None,
        high=found.high if found else None,
        rules=version.ledger.reward if version.count else None,
        at=version.at,
        reason=verdict.reason if verdict else _waiting(version),
    )


def _waiting(version: _Version) -> Reason:
    count, looks = version.count, version.looks
    due = next((look for look in looks if look > count), looks[-1])
    return {
        "en": f"{count} decisions tell about it so far; it is judged at {due}.",
        "zh": f"目前有{count}个决策可供评估；达到{due}个时评判。",
    }
