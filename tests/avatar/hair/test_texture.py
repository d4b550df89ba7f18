"""Pictures of strands."""

import numpy as np
import pytest

from avatar.hair.ringlets import CURLS, closed_ringlets, loose_ringlets
from avatar.hair.texture import CLOSED, strands, tips


@pytest.mark.parametrize("share", [0.0, 0.1, 0.6])
def test_as_many_strands_are_silver_as_the_identity_has(share: float) -> None:
    silver = strands(3, share)[..., 2] / 255.0
    assert abs(silver.mean() - share) < 0.08
    # Strand by strand: most of the picture is one or the other, not a blend of both.
    assert ((silver < 0.1) | (silver > 0.9)).mean() > 0.6


@pytest.mark.parametrize("draw", [strands, closed_ringlets])
def test_pictures_repeat_across_the_hair(draw: object) -> None:
    assert callable(draw)
    tone = draw(5, 0.0)[..., 1].astype(float)
    inside = np.abs(np.diff(tone, axis=1)).mean(0)
    assert np.abs(tone[:, 0] - tone[:, -1]).mean() <= inside.max() * 1.2


def test_tips_close_and_thin_out() -> None:
    cover = tips(strands(5, 0.0), 6)[..., 0] / 255.0
    rows = cover.mean(1)
    first = round(CLOSED * len(rows))
    assert (cover[first - 40 : first - 2] > 0.98).all()
    assert rows[first + 60] > rows[first + 140] > rows[-20]
    assert rows[-1] < 0.05


def test_single_ringlets_hang_apart_from_closed_hair() -> None:
    picture = loose_ringlets(5, 0.0)
    cover = picture[..., 0] / 255.0
    first = round(CLOSED * len(cover))
    assert (cover[first - 40 : first - 2] == 1.0).all()
    hanging = cover[first + 20 : -60]
    for curl in np.array_split(hanging, CURLS, axis=1):
        # Each stands in its own column, with air beside it.
        assert 0.25 < curl.mean() < 0.8
        assert curl[:, :4].mean() < 0.2
    assert cover[-1].max() == 0.0


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_hairs_of_curls_are_silver_too(share: float) -> None:
    silver = closed_ringlets(3, share)[..., 2] / 255.0
    assert abs(silver.mean() - share) < 0.12
