"""Progress bars on stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

_SHARE_BAR = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}"
_FILM_BAR = "{n:.1f} s of film in {elapsed}"


@contextmanager
def told() -> Iterator[Callable[[str, float], None]]:
    """Give what shows, as one bar, what is being done and the share done, 0 to 1.

    There is no bar before something is told, and none is left.
    """
    with _late_bar(total=100, bar_format=_SHARE_BAR) as bar:

        def tell(what: str, share: float) -> None:
            bar().set_description_str(what, refresh=False)
            bar().n = round(100 * share)
            bar().refresh()

        yield tell


@contextmanager
def filmed() -> Iterator[Callable[[float], None]]:
    """Give what shows how much film there is, told by the seconds that were added."""
    with _late_bar(bar_format=_FILM_BAR) as bar:

        def add(seconds: float) -> None:
            bar().update(seconds)

        yield add


@contextmanager
def _late_bar(**options: Any) -> Iterator[Callable[[], tqdm]]:
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(tqdm(file=sys.stderr, leave=False, **options)))


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
