import numpy as np

from encoder.tail import AudioTail


def _tail(count: int) -> AudioTail:
    tail = AudioTail()
    for number in range(count):
        tail.append(np.full(2, number, np.float32))
    return tail


def test_windows_keep_their_numbers_when_older_ones_go() -> None:
    tail = _tail(10)
    tail.drop_before(4)
    assert len(tail) == 6
    assert tail.between(5, 7).tolist() == [5, 5, 6, 6]
    assert tail.between(0, 5).tolist() == [4, 4]
    assert tail.between(8, 99).tolist() == [8, 8, 9, 9]


def test_an_empty_span_has_no_samples() -> None:
    assert _tail(3).between(2, 2).shape == (0,)
    assert _tail(3).between(2, 2).dtype == np.float32


def test_numbers_go_on_after_everything_was_dropped() -> None:
    tail = _tail(3)
    tail.drop_before(3)
    tail.append(np.full(2, 3, np.float32))
    assert tail.between(3, 4).tolist() == [3, 3]


def test_a_window_changed_afterwards_is_not_changed_here() -> None:
    tail = AudioTail()
    window = np.zeros(2, np.float32)
    tail.append(window)
    window[:] = 1
    assert tail.between(0, 1).tolist() == [0, 0]
