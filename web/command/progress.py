"""Progress bars on stderr."""

import sys
from types import TracebackType
from typing import Self

from tqdm import tqdm


class ProgressBars:
    """One bar a name, fed with (name, done, total) in bytes; closed together."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for bar in self._bars.values():
            bar.close()

    def show(self, name: str, done: int, total: int) -> None:
        """Move the bar of `name` to `done` of `total` bytes."""
        bar = self._bars.get(name)
        if bar is None:
            bar = tqdm(desc=name, total=total, unit="B", unit_scale=True, file=sys.stderr)
            self._bars[name] = bar
        bar.update(done - bar.n)
