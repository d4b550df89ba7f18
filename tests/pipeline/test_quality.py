"""Picture quality gives way when the machine is short, and comes back."""

from pipeline.quality import PATIENCE, WINDOW, QualityLadder


def feed(ladder: QualityLadder, seconds: float, windows: int) -> list[int]:
    return [ladder.level for _ in range(windows * WINDOW) if ladder.note(seconds)]


def test_slow_pictures_go_down_to_the_last_level() -> None:
    ladder = QualityLadder(3)
    assert feed(ladder, 0.05, 5) == [1, 2]


def test_fast_pictures_come_back_after_patience() -> None:
    ladder = QualityLadder(3)
    feed(ladder, 0.05, 2)
    assert feed(ladder, 0.01, PATIENCE - 1) == []
    assert feed(ladder, 0.01, 1) == [1]
    assert feed(ladder, 0.01, PATIENCE) == [0]
    assert feed(ladder, 0.01, PATIENCE) == []


def test_in_between_nothing_changes() -> None:
    ladder = QualityLadder(3)
    feed(ladder, 0.05, 1)
    assert feed(ladder, 0.025, 3 * PATIENCE) == []
    assert ladder.level == 1


def test_one_slow_picture_is_no_reason() -> None:
    ladder = QualityLadder(3)
    ladder.note(0.4)
    assert feed(ladder, 0.01, 1) == []
