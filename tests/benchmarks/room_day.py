"""24 simulated hours of a room; prints one JSON line.

usage: python -m tests.benchmarks.room_day [HOURS]
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.pipeline.rooms.day import live


def main() -> None:
    """Run and print."""
    hours = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        day = asyncio.run(live(Path(folder), hours))
    told = {
        "hours": hours,
        "lines": day.lines,
        "repeated_within_an_hour": len(day.repeated),
        "memory_mb": [round(each, 1) for each in day.memory],
        "objects": day.objects,
        "rows": day.rows,
        "longest_wait_s": max(day.waits, default=None),
        "metrics_late": day.late,
        "took_s": round(time.monotonic() - began, 1),
    }
    print(json.dumps(told))  # noqa: T201 - a benchmark's result


if __name__ == "__main__":
    main()
