"""Loading: what is missing is said plainly."""

import sys
from pathlib import Path

import pytest
import torch

from avatar.errors import AvatarError, AvatarValueError
from avatar.neural.loading import Weights, load_pipeline

FLUX = "FluxKontextInpaintPipeline"


def test_loads_from_a_folder_in_the_type_asked_for(flux: Path) -> None:
    pipeline = load_pipeline(FLUX, Weights(str(flux), dtype="bfloat16", device="cpu"))
    assert type(pipeline).__name__ == FLUX
    assert next(pipeline.transformer.parameters()).dtype == torch.bfloat16


def test_without_weights() -> None:
    with pytest.raises(AvatarError, match="name a local folder or a hub's owner/name"):
        load_pipeline(FLUX, Weights(""))


def test_without_a_gpu(flux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(AvatarError, match="no GPU here"):
        load_pipeline(FLUX, Weights(str(flux)))


def test_without_diffusers(flux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "diffusers", None)
    with pytest.raises(AvatarError, match=r"diffusers is not installed.*vivant\[neural\]"):
        load_pipeline(FLUX, Weights(str(flux), device="cpu"))


def test_folders_that_hold_no_pipeline(tmp_path: Path) -> None:
    with pytest.raises(AvatarError, match=r"no model_index\.json"):
        load_pipeline(FLUX, Weights(str(tmp_path), device="cpu"))
    with pytest.raises(AvatarError, match="there is no folder"):
        load_pipeline(FLUX, Weights(str(tmp_path / "none"), device="cpu"))
    (tmp_path / "model_index.json").write_text("{}")
    with pytest.raises(AvatarError, match="cannot be loaded"):
        load_pipeline("QwenImageEditPlusPipeline", Weights(str(tmp_path), device="cpu"))


def test_types_and_devices_that_are_not_accepted(flux: Path) -> None:
    with pytest.raises(AvatarValueError, match="int8"):
        Weights("x", dtype="int8")  # type: ignore[arg-type]
    with pytest.raises(AvatarValueError, match="toaster"):
        load_pipeline(FLUX, Weights(str(flux), device="toaster"))
