"""A place on a disk that can be filled, and emptied again."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MEGABYTES: Final = 24


class SmallDisk:
    """A file system of its own where this process may mount one; else a limit of file sizes, which
    whoever writes there is under: either way the system refuses to write.

    Attributes:
        folder: where the disk is.
        mounted: whether it is a file system.
    """

    def __init__(self, folder: Path, *, mounted: bool) -> None:
        self.folder = folder
        self.mounted = mounted
        self._stuff = folder / "stuff"

    def fill(self, process: int) -> None:
        """Leave no room for what `process` writes."""
        if not self.mounted:
            largest = max(file.stat().st_size for file in self.folder.glob("*.db*"))
            resource.prlimit(process, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
            return
        with self._stuff.open("wb", 0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                return

    def empty(self, process: int) -> None:
        """Make room again."""
        if self.mounted:
            self._stuff.unlink(missing_ok=True)
            return
        endless = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(process, resource.RLIMIT_FSIZE, endless)


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Give a small disk at `folder`, which is made."""
    folder.mkdir(parents=True)
    mounted = _mount(folder)
    try:
        yield SmallDisk(folder, mounted=mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


def _mount(folder: Path) -> bool:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "none", str(folder)]
    return not subprocess.run(command, capture_output=True, check=False).returncode
