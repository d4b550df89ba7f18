import numpy as np
import pytest

from motion.errors import MotionValueError
from motion.streaming.schedule import Schedule


def test_times_lie_between_noise_and_data_and_later_slots_are_noisier() -> None:
    times = Schedule(steps=3).times(np.linspace(0.0, 1.0, 4))
    assert times.min() == 0.0
    assert times.max() == 1.0
    assert (np.diff(times, axis=-1) < 0.0).all()


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
@pytest.mark.parametrize("slots", [1, 2, 4, 6])
def test_a_slot_ends_where_the_one_before_it_began(slots: int, steps: int) -> None:
    schedule = Schedule(slots=slots, steps=steps)
    np.testing.assert_allclose(schedule.times(1.0)[1:], schedule.times(0.0)[:-1], atol=1e-12)
    assert schedule.times(1.0)[0] == 1.0


def test_a_commit_carries_each_slot_one_slot_on() -> None:
    schedule = Schedule(slots=5, steps=4)
    carried = schedule.times(0.0) + schedule.steps * schedule.stride
    np.testing.assert_allclose(carried, schedule.times(1.0))


def test_sizes_below_one_are_refused() -> None:
    with pytest.raises(MotionValueError, match=r"Schedule.anchors: 0; accepted: 1 or more"):
        Schedule(anchors=0)
