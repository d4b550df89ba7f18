"""The lookbook tries everything that can be worn, and its check sees what is wrong."""

from pathlib import Path
from typing import get_args

import numpy as np

from avatar.body.workshop import DRAFT, Workshop
from avatar.lookbook import lookbook, looks
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.sheet import VIEWS
from avatar.spec import SceneSpec, ready
from avatar.spec.identity import Fabric, Garment, HairStyle, Pattern

SIZE = Size(90, 160)


def test_every_style_garment_pattern_and_fabric_is_tried() -> None:
    tried = looks(ready("mia"))
    pieces = [piece for spec in tried.values() for piece in spec.outfit]
    assert {spec.hair.style for spec in tried.values()} == set(get_args(HairStyle))
    assert {piece.garment for piece in pieces} == set(get_args(Garment))
    assert {piece.pattern for piece in pieces} == set(get_args(Pattern))
    assert {piece.fabric for piece in pieces} == set(get_args(Fabric))
    assert all(spec.body == ready("mia").body for spec in tried.values())


def test_each_look_is_a_row_of_pictures_and_a_report(
    patient: OpenGLRenderer, anny_cache: Path
) -> None:
    every = looks(ready("mia"))
    tried = {title: every[title] for title in ("hair bob", "dress, floral, linen")}
    told: list[tuple[str, float]] = []
    workshop = Workshop(patient.context, anny_cache, directions=DRAFT)
    sheet, found = lookbook(
        patient, workshop, tried, SceneSpec(), SIZE, lambda what, share: told.append((what, share))
    )
    assert [look.title for look in found] == list(tried)
    assert all(look.report.covered > 500 and len(look.report.poses) > 20 for look in found)
    assert sheet.width == len(VIEWS) * SIZE.width
    pixels = np.asarray(sheet)
    first, second = np.split(pixels, 2)
    assert first.std() > 20
    assert (np.abs(first.astype(int) - second).max(-1) > 30).mean() > 0.05
    assert [share for _, share in told] == [0.0, 0.5, 1.0]
