"""Files are written whole or not at all, and read without trusting what they hold."""

import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError

from motion.errors import MotionError, MotionValueError

_LARGEST: Final = 1 << 31  # bytes of one array, unpacked

# What numpy and the archive raise for bytes that are none of theirs; a header may claim any size.
_BROKEN: Final = (
    ValueError,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a neighbour of `path` to write to; it takes the name when the block ends well.

    Raises:
        MotionError: the file cannot be written; nothing is left of it.
    """
    unfinished = path.with_name(f".{path.name}.partial")
    try:
        yield unfinished
        unfinished.replace(path)
    except (OSError, SafetensorError) as error:
        raise MotionError(f"{path} cannot be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def read_npy(path: Path) -> NDArray[Any]:
    """Return the array of a npy file; pickled content is never loaded.

    Raises:
        MotionError: the file is missing or cannot be read.
        MotionValueError: it is no such file.
    """
    arrays: list[NDArray[Any]] = []
    with _reading(path, "npy"):
        # Mapped, so that a header that claims more than the file holds is noticed.
        arrays.append(np.array(np.lib.format.open_memmap(path, mode="r")))
    return arrays[0]


def read_npz(path: Path, keys: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return those arrays of an npz file that are called as in `keys`; errors as for `read_npy`."""
    found: dict[str, NDArray[Any]] = {}
    with _reading(path, "npz"):
        with zipfile.ZipFile(path) as packed:
            largest = max((item.file_size for item in packed.infolist()), default=0)
        if largest > _LARGEST:
            raise ValueError(f"an array of {largest} bytes; accepted: up to {_LARGEST}")
        with np.load(path, allow_pickle=False) as file:
            found |= {key: file[key] for key in keys if key in file.files}
    return found


@contextmanager
def _reading(path: Path, kind: str) -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            # Of numpy, about headers by Python 2, which it reads all the same.
            warnings.simplefilter("ignore")
            yield
    except OSError as error:
        raise MotionError(f"{path} cannot be read: {error}") from error
    except _BROKEN as error:
        raise MotionValueError(f"{path} is no {kind} of plain arrays: {error}") from error
