"""Loads diffusers pipelines from a folder or, when allowed, from a hub."""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from avatar.errors import AvatarError, AvatarValueError
from avatar.neural.qwen import load_processor

Dtype = Literal["bfloat16", "float16", "float32"]

_DTYPES: Final = ("bfloat16", "float16", "float32")
_INSTALL: Final = "install the optional extra: pip install 'vivant[neural]'"


@dataclass(frozen=True, slots=True)
class Weights:
    """Where the weights of a pipeline are and how they are run.

    Attributes:
        source: a folder written by `save_pretrained`, or a hub's "owner/name".
        dtype: of the weights while running.
        device: "cuda", "cuda:1", "cpu", ...; "auto" is the first GPU. A CPU is used only when it
            is named: a full-size model takes hours there.
        download: whether a hub may be asked for what is not in its local cache.
        offload: keep on the device only what is being used; slower, in a third of the memory.
    """

    source: str
    dtype: Dtype = "bfloat16"
    device: str = "auto"
    download: bool = False
    offload: bool = False

    def __post_init__(self) -> None:
        if self.dtype not in _DTYPES:
            raise AvatarValueError(f"dtype {self.dtype!r}; accepted: {', '.join(_DTYPES)}")


def load_pipeline(name: str, weights: Weights) -> Any:
    """Load the diffusers pipeline class `name`.

    Raises:
        AvatarError: diffusers is not installed, no weights are configured or they cannot be
            read, or the device is not there. The message says what to do.
    """
    if not weights.source:
        raise AvatarError(
            f"{name} has no weights: name a local folder or a hub's owner/name as its source"
        )
    device = resolve_device(weights.device)
    diffusers, torch = _imported("diffusers"), _imported("torch")
    _imported("transformers")
    folder = Path(weights.source).expanduser()
    local = folder.is_dir()
    if not local and weights.source.startswith((".", "/", "~")):
        raise AvatarError(f"{name}: there is no folder {weights.source!r}")
    if local and not (folder / "model_index.json").is_file():
        raise AvatarError(f"{name}: the folder {weights.source!r} holds no model_index.json")
    try:
        if not local:
            folder = Path(
                getattr(diffusers, name).download(
                    weights.source, local_files_only=not weights.download
                )
            )
        parts = {"processor": load_processor(folder)} if name.startswith("QwenImageEdit") else {}
        pipeline = getattr(diffusers, name).from_pretrained(
            folder, dtype=getattr(torch, weights.dtype), local_files_only=True, **parts
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        hint = "" if local or weights.download else " (download is not allowed)"
        raise AvatarError(
            f"{name} cannot be loaded from {weights.source!r}{hint}: {error}"
        ) from error
    pipeline.set_progress_bar_config(disable=True)
    if weights.offload:
        pipeline.enable_model_cpu_offload(device=device)
        return pipeline
    return pipeline.to(device)


def resolve_device(name: str) -> str:
    """Return the torch device that `name` means.

    Raises:
        AvatarError: torch is missing, or it has no such device.
    """
    torch = _imported("torch")
    if name == "cpu":
        return name
    wanted = "cuda" if name == "auto" else name
    if wanted.partition(":")[0] == "cuda" and not torch.cuda.is_available():
        raise AvatarError(
            f"device {name!r}: torch finds no GPU here; diffusion backends need one with "
            "its driver (device 'cpu' forces the processor, for trying out)"
        )
    try:
        return str(torch.device(wanted))
    except RuntimeError as error:
        raise AvatarValueError(f"device {name!r}; accepted: auto, cuda, cuda:N, cpu") from error


def generator(seed: int) -> Any:
    """Return torch's source of noise for a seed; on the processor, so that it is alike anywhere."""
    return _imported("torch").Generator("cpu").manual_seed(seed)


def _imported(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise AvatarError(f"{module} is not installed; {_INSTALL}") from error
