"""Sentences said again in other words."""

from random import Random

import pytest

from agents.clause import Language
from agents.rundown.leads import telling_data
from agents.rundown.rewording import rewordings


def test_a_sentence_is_led_up_to() -> None:
    made = list(rewordings("The lid locks with a click.", "en", Random(1)))
    assert len(set(made)) == len(made) > 20
    assert "By the way, the lid locks with a click." in made


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Oh, and 180 are left.", "en"),
        ("Good to know: it folds.", "en"),
        ("By the way, it folds.", "en"),
    ],
)
def test_a_sentence_that_has_a_lead_gets_no_other(text: str, language: Language) -> None:
    leads = [lead for kind in telling_data(language)["leads"].values() for lead in kind if lead]
    made = list(rewordings(text, language, Random(1)))
    assert not [
        one for one in made if one.startswith(tuple(f"{lead} " for lead in leads)) and one != text
    ]
