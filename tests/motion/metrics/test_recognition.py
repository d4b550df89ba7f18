"""Actions that can be told apart, and some that cannot."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.metrics.autoencoder import MotionAutoencoder
from motion.metrics.recognition import ActionRecognizer, recognition, train_recognizer

CLASSES = 4


def actions(
    number: int, seed: int, *, told: bool = True
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return windows [number, 40, 6]: a bump of one joint at some time, the joint being the action.

    Untold, the bump is on joints that have nothing to do with the label.
    """
    random = np.random.default_rng(seed)
    labels = random.integers(0, CLASSES, number)
    joints = labels if told else random.integers(0, CLASSES, number)
    centre = random.uniform(10, 30, (number, 1))
    bump = np.exp(-((np.arange(40)[None] - centre) ** 2) / 18)
    windows = 0.1 * random.normal(size=(number, 40, 6))
    windows[np.arange(number), :, joints] += bump * random.uniform(0.6, 1.4, (number, 1))
    return windows, labels


@pytest.fixture(scope="module")
def model() -> ActionRecognizer:
    return train_recognizer(*actions(300, 0), CLASSES, width=16, steps=150)


def test_actions_never_seen_are_recognised(model: ActionRecognizer) -> None:
    windows, labels = actions(200, 1)
    found = recognition(labels, model.recognise(windows), CLASSES)
    assert found.accuracy > 0.95
    assert found.balanced > 0.95
    assert found.confusion.sum() == 200


def test_what_does_not_show_is_not_recognised(model: ActionRecognizer) -> None:
    windows, labels = actions(400, 2, told=False)
    assert recognition(labels, model.recognise(windows), CLASSES).accuracy < 0.35


def test_the_length_of_a_window_is_free_and_probabilities_sum_to_one(
    model: ActionRecognizer,
) -> None:
    windows, labels = actions(100, 3)
    longer = np.pad(windows, ((0, 0), (10, 10), (0, 0)))
    likely = model.probabilities(longer)
    np.testing.assert_allclose(likely.sum(1), 1.0, atol=1e-5)
    assert np.mean(likely.argmax(1) == labels) > 0.9


def test_rare_actions_are_learnt_too() -> None:
    """One action in thirty: without weights it would not be worth naming."""
    windows, labels = actions(600, 4)
    kept = (labels != 3) | (np.arange(600) % 15 == 0)
    rare = train_recognizer(windows[kept], labels[kept], CLASSES, width=16, steps=150)
    asked, true = actions(300, 5)
    found = recognition(true, rare.recognise(asked), CLASSES)
    assert found.confusion[3, 3] / found.confusion[3].sum() > 0.8


def test_it_comes_back_from_its_file_and_from_no_other(
    model: ActionRecognizer, tmp_path: Path
) -> None:
    path, windows = tmp_path / "recognizer.safetensors", actions(20, 6)[0]
    model.save(path)
    again = ActionRecognizer.load(path)
    np.testing.assert_array_equal(again.probabilities(windows), model.probabilities(windows))
    with pytest.raises(MotionValueError, match="motion autoencoder"):
        MotionAutoencoder.load(path)


def test_the_same_seed_trains_the_same_classifier() -> None:
    data, asked = actions(40, 7), actions(5, 8)[0]
    one, two, three = (
        train_recognizer(*data, CLASSES, width=8, steps=4, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.probabilities(asked), two.probabilities(asked))
    assert not np.array_equal(one.probabilities(asked), three.probabilities(asked))


def test_confusion_is_counted_by_hand() -> None:
    found = recognition([0, 0, 0, 1, 2, 2], [0, 0, 1, 1, 0, 2], 4)
    np.testing.assert_array_equal(
        found.confusion, [[2, 1, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]
    )
    assert found.accuracy == pytest.approx(4 / 6)
    assert found.balanced == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)


@pytest.mark.parametrize("labels", [[], [0, 4], [-1, 0], [0.5, 1.0], [[0, 1]]])
def test_labels_that_are_none_are_refused(labels: list[int]) -> None:
    with pytest.raises(MotionValueError, match="accepted"):
        recognition(labels, labels, 4)


def test_windows_and_labels_must_agree(model: ActionRecognizer) -> None:
    with pytest.raises(MotionValueError, match=r"integers \[3\]"):
        train_recognizer(np.zeros((3, 40, 6)), [0, 1], CLASSES)
    with pytest.raises(MotionValueError, match="N, T, 6"):
        model.recognise(np.zeros((3, 40, 5)))
