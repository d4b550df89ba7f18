"""Under a flood of questions the rundown goes on, answers come in time, and all are thanked."""

from itertools import pairwise

import pytest

from agents.clause import Language
from tests.agents.show.flood import flooded


@pytest.mark.parametrize("language", ["en", "zh"])
def test_two_questions_a_second_leave_a_quarter_of_the_air_to_the_rundown(
    language: Language,
) -> None:
    flood = flooded(2.0, 10.0, language).run(600.0)
    assert flood.share("script") >= 0.25
    assert flood.share("answer") >= 0.4
    assert flood.share("thanks", "greeting") <= 0.15
    assert len(set(flood.items)) >= 5
    # Spoken within 6 s, or at the end of the line that ran when it was asked.
    assert flood.late <= 0.06 * len(flood.waited)
    # A thought is brought to its end.
    assert sum(turn >= 2 for turn in flood.turns) > len(flood.turns) / 2


def test_thanks_come_at_least_every_other_minute_of_a_flood() -> None:
    flood = flooded(2.0, 10.0, "en").run(600.0)
    thanked = [at for at, line in flood.lines if line.kind == "thanks"]
    assert max(b - a for a, b in pairwise(thanked)) < 120.0
    assert any(line.kind == "greeting" for _, line in flood.lines)


def test_few_questions_leave_no_one_waiting() -> None:
    flood = flooded(0.05, 10.0, "en").run(600.0)
    assert flood.share("script") >= 0.35
    assert flood.written <= 2
