"""Files of strangers are read in a process of their own, which may compute and hold only so much.

A file of some kilobytes can keep a reader of PDF or of XML busy for minutes. In this process that
would take sound and pictures their time. Apart from `web.rooms`, so that the process loads little.
"""

import resource
from collections.abc import Callable
from typing import Any, Final

from pipeline.aside import Aside, AsideError
from web.errors import RequestRefusedError

COMPUTING_S: Final = 30
_MEMORY: Final = 2 * 1024**3
# After sound and pictures, and before what nobody waits for.
_NICENESS: Final = 5


class Apart:
    """Reads files one after the other, each in a process that ends with it."""

    def __init__(self) -> None:
        self._aside = Aside(_NICENESS)

    async def read(self, work: Callable[..., Any], *arguments: object) -> Any:
        """Return what `work` makes of a file.

        Args:
            work: a function of a module; its arguments and result travel as pickles.

        Raises:
            RequestRefusedError: 400, the file asks for more computing or memory than a file needs.
        """
        try:
            return await self._aside.run("read-file", _bounded, work, *arguments)
        except AsideError as error:
            message = (
                f"the file cannot be read: {error}; accepted: what is read within {COMPUTING_S} s "
                f"of computing and {_MEMORY >> 30} GiB of memory"
            )
            raise RequestRefusedError(400, message, param="file") from None

    def close(self) -> None:
        """End what is being read. Idempotent."""
        self._aside.close()


def _bounded(work: Callable[..., Any], *arguments: object) -> Any:
    """Do work within the bounds; beyond them the process ends, or runs out of memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING_S, COMPUTING_S))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        return work(*arguments)
    except MemoryError:
        raise AsideError("it takes too much memory") from None
