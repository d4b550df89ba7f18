"""Takes made otherwise: what is heard goes with what is said to be heard."""

import numpy as np
import pytest

from pipeline.corpus.plan import plan_takes
from pipeline.corpus.speaking import speak_take
from pipeline.corpus.takes import TAKE_RATE, Take
from pipeline.corpus.varying import varied
from tests.pipeline.corpus.hum import Hum


@pytest.fixture(scope="module")
def take() -> Take:
    plans = plan_takes(share=0.01)
    return speak_take(next(one for one in plans if one.name.startswith("train-en-light")), Hum())


def test_the_same_seed_makes_the_same_take(take: Take) -> None:
    one, again, other = (varied(take, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.samples, again.samples)
    assert len(one.samples) != len(other.samples)
    assert [line.text for line in one.lines] == [line.text for line in take.lines]


@pytest.mark.parametrize("seed", range(8))
def test_phones_stay_at_their_sound(take: Take, seed: int) -> None:
    made = varied(take, np.random.default_rng(seed))
    pace = take.seconds / made.seconds
    assert 0.8 <= pace <= 1.25
    for line, before in zip(made.lines, take.lines, strict=True):
        assert line.start == pytest.approx(before.start / pace, abs=1e-3)
        assert line.phones[-1].end == pytest.approx(before.phones[-1].end / pace, abs=1e-3)
    # The hum is loudest in the middle of each word, wherever a room or a line lets it be.
    words = [word for line in made.lines for word in line.words]
    sound = made.samples.astype(float) / 32768.0
    middle, edge = (
        np.mean([_power(sound, w.start, w.end, part) for w in words]) for part in (1, 0)
    )
    assert middle > 2.0 * edge


def _power(sound: np.ndarray, start: float, end: float, part: int) -> float:
    """Return the mean power of the first or the second quarter but one of a word."""
    quarter = (end - start) / 4
    first = start + (1.5 * quarter if part else 0.0)
    piece = sound[round(first * TAKE_RATE) : round((first + quarter / 2) * TAKE_RATE)]
    return float(np.square(piece).mean())
