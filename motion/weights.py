"""Files of trained weights: safetensors, with what is to be known of them as JSON beside."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from motion.errors import MotionValueError


def write_weights(tensors: Mapping[str, Tensor], about: Mapping[str, object], path: Path) -> None:
    """Write tensors and what is to be known of them; the file appears only when it is whole."""
    partial = path.with_suffix(".part")
    stored = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    save_file(stored, partial, {"about": json.dumps(about)})
    partial.replace(path)


def read_weights(
    path: Path, version: int, accepted: str
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return what `write_weights` wrote: what is to be known, and the tensors.

    Args:
        version: that `about` must name.
        accepted: what the file should be, for the message.

    Raises:
        MotionValueError: it is no such file, or of another version.
    """
    try:
        with safe_open(path, "pt") as file:
            about = json.loads((file.metadata() or {}).get("about", "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError) as error:
        raise MotionValueError(f"{path.name}: {error}; accepted: {accepted}") from error
    if about.get("version") != version:
        raise MotionValueError(f"{path.name}: version {about.get('version')}; accepted: {version}")
    return about, tensors
