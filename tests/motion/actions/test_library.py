"""The library: its classes, words, order and parameters, and what a network is told of it."""

from typing import get_args

import numpy as np
import pytest

from motion.actions import (
    ACTION_IDS,
    ACTION_INDEX,
    ACTIONS,
    CLASSES,
    VECTOR,
    Action,
    ActionClass,
    Parameter,
    action_vector,
)
from motion.actions.score import Score
from motion.errors import MotionValueError
from motion.speech import SpokenAction

# As a checkpoint was trained with them: the order must not change, new ones come at the end.
FIRST = ("welcome", "wave", "thumbs_up", "heart_hands", "heart_fingers")


def test_there_are_actions_of_all_five_classes() -> None:
    kinds = [action.kind for action in ACTIONS.values()]
    assert len(kinds) >= 45
    assert set(kinds) == set(CLASSES) == set(get_args(ActionClass))
    assert min(kinds.count(kind) for kind in CLASSES) >= 5


def test_ids_are_numbered_in_an_order_that_stays() -> None:
    assert ACTION_INDEX[""] == 0
    assert [ACTION_INDEX[name] for name in ACTION_IDS] == list(range(1, len(ACTION_IDS) + 1))
    assert ACTION_IDS[: len(FIRST)] == FIRST


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTION_IDS)
def test_each_is_described_and_cued_in_both_languages(action: Action) -> None:
    for language in ("en", "zh"):
        text, cues = action.description[language], action.cues[language]
        assert text
        assert "\n" not in text
        assert all(cue == cue.strip().lower() for cue in cues)
        assert len(set(cues)) == len(cues)
    assert all("\u4e00" <= letter <= "\u9fff" for cue in action.cues["zh"] for letter in cue)
    assert all(cue.isascii() for cue in action.cues["en"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_two_actions_share_a_cue(language: str) -> None:
    cues = [cue for action in ACTIONS.values() for cue in action.cues[language]]
    assert sorted(cue for cue in set(cues) if cues.count(cue) > 1) == []


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTION_IDS)
def test_phases_are_of_a_natural_length(action: Action) -> None:
    phases = action.phases
    assert 0.3 <= phases.prepare <= 0.8
    assert 0.3 <= phases.stroke <= 1.3
    assert 0.1 <= phases.hold <= 1.2
    assert 0.4 <= phases.retract <= 1.0
    assert phases.seconds(2.0) == pytest.approx(phases.stroke + phases.hold)
    assert phases.whole < 3.2


def test_numbers_are_read_from_text_and_brought_into_their_range() -> None:
    size = ACTIONS["show_size"]
    low, high = size.parameters[0].low, size.parameters[0].high
    for given, taken in ((0.2, 0.2), ("0.25", 0.25), (9.0, high), (-1.0, low)):
        assert size.values({"size": given}) == {"size": taken}
    for unreadable in ("some", float("nan"), "", float("inf")):
        assert size.values({"size": unreadable}) == size.values({})
    assert ACTIONS["count"].values({"number": 2.6}) == {"number": 3.0}


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("show_size", {"size": 9.0}, r"9\.0.*0\.1 to 0\.7 metres"),
        ("show_size", {"size": "big"}, "'big'"),
        ("show_size", {"hand": "left"}, "'hand'.*size"),
        ("count", {"number": 6}, "6.*1 to 5"),
        ("count", {"hand": "third"}, "'third'.*left, right, any"),
        ("point_product", {"azimuth": 200.0}, "200.*-75 to 75"),
        ("wave", {"size": 0.3}, "'size'.*hand"),
    ],
)
def test_the_strict_check_names_the_value_and_what_is_accepted(
    name: str, given: dict[str, float | str], told: str
) -> None:
    with pytest.raises(MotionValueError, match=told):
        ACTIONS[name].check(given)


def test_the_strict_check_accepts_what_would_be_taken_as_it_is() -> None:
    for action in ACTIONS.values():
        action.check({})
        action.check(action.values({}))
        action.check({one.name: one.low for one in action.parameters})
        action.check({one.name: one.high for one in action.parameters})
        if action.hands != "both":
            action.check({"hand": "left"})


def test_the_hand_is_the_one_asked_for_or_the_nearer_or_the_usual() -> None:
    assert ACTIONS["wave"].hand({}, "left") == "left"
    assert ACTIONS["wave"].hand({"hand": "right"}, "left") == "right"
    assert ACTIONS["wave"].hand({"hand": "any"}, "left") == "left"
    assert ACTIONS["point_product"].hand({"azimuth": 30.0}) == "left"
    assert ACTIONS["point_product"].hand({"azimuth": -30.0}) == "right"
    assert ACTIONS["point_product"].hand({"azimuth": -30.0, "hand": "left"}) == "left"


def test_an_action_without_words_or_with_a_bad_name_is_refused() -> None:
    def build(name: str, cues: dict[str, tuple[str, ...]]) -> Action:
        texts = {"en": "a", "zh": "一"}
        return Action(name, "beat", lambda _: Score(()), texts, cues)

    with pytest.raises(MotionValueError, match="'Jump!'"):
        build("Jump!", {"en": ("a",), "zh": ("一",)})
    with pytest.raises(MotionValueError, match="'zh'"):
        build("jump", {"en": ("a",), "zh": ()})
    with pytest.raises(MotionValueError, match="2"):
        Parameter("size", "metres", 0.0, 1.0, 2.0)


def test_the_vector_is_small_bounded_and_tells_parameters_and_hands() -> None:
    assert len(VECTOR) <= 8
    np.testing.assert_array_equal(action_vector(None), np.zeros(len(VECTOR), np.float32))
    unknown = action_vector(SpokenAction("juggle", 0.0))
    np.testing.assert_array_equal(unknown, np.zeros(len(VECTOR), np.float32))
    for action in ACTIONS.values():
        for bound in ("low", "high", "default"):
            given = tuple((one.name, getattr(one, bound)) for one in action.parameters)
            vector = action_vector(SpokenAction(action.id, 0.0, given))
            assert vector.dtype == np.float32
            assert vector.shape == (len(VECTOR),)
            assert np.abs(vector).max() <= 1.5
            assert vector[-2:].sum() == (1.0 if action.hands == "one" else 2.0)


def test_the_vector_changes_with_what_it_tells() -> None:
    def told(name: str, **given: float | str) -> dict[str, float]:
        vector = action_vector(SpokenAction(name, 0.0, tuple(given.items())))
        return dict(zip(VECTOR, vector.tolist(), strict=True))

    assert told("show_size", size=0.4)["size"] == pytest.approx(0.8)
    assert told("count", number=4)["number"] == pytest.approx(0.8)
    assert told("price_drop", level=1.0)["level"] == 1.0
    left = told("point_product", azimuth=45.0, elevation=-30.0)
    assert left["azimuth"] == pytest.approx(0.5)
    assert left["elevation"] == pytest.approx(-1.0 / 3.0)
    assert (left["left"], left["right"]) == (1.0, 0.0)
    assert told("wave")["right"] == 1.0
    assert told("wave", hand="left")["left"] == 1.0
    assert told("applause")["left"] == told("applause")["right"] == 1.0
