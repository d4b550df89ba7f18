"""Painters: diffusers pipelines that change a picture as a sentence says."""

from collections.abc import Mapping
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from avatar.errors import AvatarError
from avatar.neural.loading import Weights, generator, load_pipeline

RGB = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# Sides must be multiples of this in every pipeline here.
_STEP: Final = 16


class Painter(Protocol):
    """Changes a picture. Outside `mask` it may change things too; the caller puts those back."""

    def paint(self, rgb: RGB, mask: Mask, prompt: str, seed: int) -> RGB:
        """Return the picture, uint8 [h, w, 3], repainted where `mask` [h, w] is set; equal seeds
        give equal pictures.
        """


class _DiffusersPainter:
    """What the painters share: sizes, and pictures in and out.

    Args:
        pipeline: a loaded diffusers pipeline.
        steps: of denoising. settings: further arguments of the pipeline's call.
    """

    NAME = ""

    def __init__(
        self, pipeline: Any, *, steps: int = 28, settings: Mapping[str, Any] | None = None
    ) -> None:
        self._pipeline = pipeline
        self._steps = steps
        self._settings = dict(settings or {})

    @classmethod
    def load(
        cls, weights: Weights, *, steps: int = 28, settings: Mapping[str, Any] | None = None
    ) -> Self:
        """Load the pipeline and return its painter.

        Raises:
            AvatarError: see `avatar.neural.loading.load_pipeline`.
        """
        return cls(load_pipeline(cls.NAME, weights), steps=steps, settings=settings)

    def _run(self, size: tuple[int, int], seed: int, **arguments: Any) -> RGB:
        width, height = size
        wide, tall = (max(side // _STEP, 1) * _STEP for side in size)
        values: dict[str, Any] = {"width": wide, "height": tall, "num_inference_steps": self._steps}
        values |= {"generator": generator(seed), "output_type": "pil"}
        try:
            result = self._pipeline(**values | arguments | self._settings)
        except (RuntimeError, ValueError) as error:
            raise AvatarError(
                f"{self.NAME} failed on a picture of {wide}x{tall}: {error}"
            ) from error
        picture = result.images[0].convert("RGB")
        if picture.size != (width, height):
            picture = picture.resize((width, height), Image.Resampling.LANCZOS)
        return np.asarray(picture, np.uint8)


class KontextPainter(_DiffusersPainter):
    """`FluxKontextInpaintPipeline`: repaints the masked region only."""

    NAME = "FluxKontextInpaintPipeline"

    def paint(self, rgb: RGB, mask: Mask, prompt: str, seed: int) -> RGB:
        """See `Painter`."""
        height, width = mask.shape
        holes = Image.fromarray(np.where(mask, 255, 0).astype(np.uint8), "L")
        return self._run(
            (width, height), seed, image=Image.fromarray(rgb), mask_image=holes, prompt=prompt,
            strength=1.0, max_area=(width // _STEP * _STEP) * (height // _STEP * _STEP),
        )  # fmt: skip


class QwenPainter(_DiffusersPainter):
    """`QwenImageEditPlusPipeline`: repaints the whole picture as the prompt says; it knows no mask,
    so the region is put into the picture of the caller afterwards.
    """

    NAME = "QwenImageEditPlusPipeline"

    def paint(self, rgb: RGB, mask: Mask, prompt: str, seed: int) -> RGB:
        """See `Painter`."""
        height, width = mask.shape
        return self._run(
            (width, height), seed, image=[Image.fromarray(rgb)], prompt=prompt, negative_prompt=" "
        )
