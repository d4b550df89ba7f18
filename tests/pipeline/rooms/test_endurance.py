"""Rooms go on for hours; a whole day is `python -m tests.benchmarks.room_day`."""

from pathlib import Path

from tests.pipeline.rooms.day import live

HOURS = 1
ROWS = 300


async def test_nothing_repeats_and_nothing_grows(tmp_path: Path) -> None:
    day = await live(tmp_path, HOURS, keep_rows=ROWS)
    assert day.lines > 500
    assert day.repeated == []
    assert day.late == 0
    assert day.waits
    assert all(rows <= ROWS + 20 for rows in day.rows)
