"""`Gate`: a learnt policy decides only where it is known to be better than what decides now."""

from dataclasses import dataclass
from typing import Final

from agents.brain.estimate import Estimate
from agents.brain.ledger import Ledger
from agents.brain.policy import Reason
from agents.errors import AgentValueError

# A version is judged after as many decisions as it was learnt from, twice and four times as many.
# Judging again and again would let chance through some time, so it is done no more often, and each
# time has its share of the chance to err.
LOOKS: Final = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a policy may decide, and why in words.

    Attributes:
        estimate: of its gain over what decides now, in orders of a hundred viewers a decision.
    """

    passed: bool
    estimate: Estimate
    reason: Reason


@dataclass(frozen=True, slots=True)
class Gate:
    """What is asked of a policy before it decides.

    Attributes:
        margin: what the lower bound of its gain must be above, in reward a decision.
        least_effective: effective samples that there must be.
        error: chance of letting a policy through that is no better, over all looks together.

    Raises:
        AgentValueError: a number is outside its range.
    """

    margin: float = 0.0
    least_effective: float = 50.0
    error: float = 0.05

    def __post_init__(self) -> None:
        if not (self.margin >= 0.0 and self.least_effective >= 1.0 and 0.0 < self.error < 1.0):
            raise AgentValueError(
                f"margin {self.margin} is from 0, least_effective {self.least_effective} from 1, "
                f"error {self.error} between 0 and 1"
            )

    def judge(self, ledger: Ledger) -> Verdict:
        """Return whether the policy whose ledger this is may decide.

        Raises:
            AgentValueError: there are no decisions in it.
        """
        # A one-sided test at error / looks is the lower edge of an interval of twice that.
        found = ledger.gain(1.0 - 2.0 * self.error / len(LOOKS))
        if found.effective < self.least_effective:
            return Verdict(False, found, _thin(found, self.least_effective))
        return Verdict(found.low > self.margin, found, _bounds(found, self.margin))


def _thin(found: Estimate, least: float) -> Reason:
    return {
        "en": f"Only {found.effective:.0f} of {found.count} decisions tell about it; "
        f"{least:.0f} are needed.",
        "zh": f"{found.count}个决策中只有{found.effective:.0f}个有参考价值；需要{least:.0f}个。",
    }


def _bounds(found: Estimate, margin: float) -> Reason:
    low, high = f"{found.low:+.2f}", f"{found.high:+.2f}"
    passed = found.low > margin
    verdict = "it may decide" if passed else "that is not enough to decide"
    allowed = "可以上线" if passed else "还不足以上线"
    return {
        "en": f"Its gain a decision, of a hundred viewers, is {found.value:+.2f} orders "
        f"({low} to {high}); it has to be above {margin:.2f} for sure: {verdict}.",
        "zh": f"每百名观众每次决策的增益为{found.value:+.2f}单（{low}至{high}）；"
        f"须确定高于{margin:.2f}：{allowed}。",
    }
