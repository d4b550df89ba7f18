"""The text and picture processor of Qwen-Image-Edit, without the video half it never uses.

The processor class insists on a video processor, which needs torchvision; an image edit hands it
text and pictures only.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from avatar.errors import AvatarError


def load_processor(folder: Path) -> Any:
    """Load the processor from the folder of a pipeline.

    Raises:
        AvatarError: it is not there or cannot be read.
    """
    transformers = importlib.import_module("transformers")
    try:
        tokenizer = transformers.Qwen2Tokenizer.from_pretrained(folder / "tokenizer")
        pixels = transformers.Qwen2VLImageProcessorPil.from_pretrained(folder / "processor")
    except (OSError, ValueError, TypeError) as error:
        raise AvatarError(f"the processor in {folder} cannot be read: {error}") from error
    return make_processor(tokenizer, pixels)


def make_processor(tokenizer: Any, pixels: Any) -> Any:
    """Return a `Qwen2VLProcessor` of a tokenizer and an image processor."""
    return _processor_class()(tokenizer, pixels)


@cache
def _processor_class() -> type:
    base = importlib.import_module("transformers.models.qwen2_vl.processing_qwen2_vl")
    features = importlib.import_module("transformers.feature_extraction_utils")

    def start(self: Any, tokenizer: Any, pixels: Any) -> None:
        self.tokenizer, self.image_processor = tokenizer, pixels
        self.image_token = "<|image_pad|>"

    def call(self: Any, text: Sequence[str], images: Any = None, **settings: Any) -> Any:
        settings.pop("return_tensors", None)
        content = dict(self.image_processor(images=images, return_tensors="pt")) if images else {}
        if images:
            text = _with_places(text, self.image_token, self._counts(content["image_grid_thw"]))
        content |= dict(self.tokenizer(list(text), return_tensors="pt", **settings))
        return features.BatchFeature(content)

    def counts(self: Any, grids: Any) -> list[int]:
        return [int(grid.prod()) // self.image_processor.merge_size**2 for grid in grids]

    def save(self: Any, folder: str, **_: Any) -> None:
        self.tokenizer.save_pretrained(folder)
        self.image_processor.save_pretrained(folder)

    # Named like its base, so that a pipeline saved with it is loaded by anyone.
    members = {
        "__init__": start, "__call__": call, "__module__": base.__name__, "_counts": counts,
        "save_pretrained": save,
    }  # fmt: skip
    return type("Qwen2VLProcessor", (base.Qwen2VLProcessor,), members)


def _with_places(texts: Sequence[str], token: str, counts: Sequence[int]) -> list[str]:
    """Repeat the token of each picture as often as the picture takes places."""
    left = iter(counts)
    out = []
    for text in texts:
        first, *rest = text.split(token)
        out.append(first + "".join(token * next(left) + piece for piece in rest))
    return out
