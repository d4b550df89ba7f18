"""What an identity says of its skin, eyes, brows and lips is painted."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from avatar.body.complexion import albedo
from avatar.body.features import Features
from avatar.body.head_skin import bare_head, head_triangles, head_uv, paint_head
from avatar.body.iris import eyeball_picture
from avatar.body.landmarks import Landmarks
from avatar.body.masks import vertex_mask
from avatar.body.source import Body
from avatar.body.textures import lashes
from avatar.renderer.context import create_context
from avatar.spec import AvatarSpec, ready
from avatar.spec.colour import linear
from avatar.spec.identity import EyesSpec
from tests.avatar.body.faces import head

Floats = NDArray[np.float32]
Box = tuple[slice, slice]
Paint = Callable[..., Floats]


@pytest.fixture(scope="module")
def body(anny_cache: Path) -> Body:
    return head(ready("mia"), anny_cache)


@pytest.fixture(scope="module")
def paint(body: Body) -> Iterator[Paint]:
    """Return a function that paints mia's head with some fields of some parts changed."""
    context: Any = create_context()
    marks = Landmarks.of(body)

    def painted(**parts: dict[str, object]) -> Floats:
        content = ready("mia").model_dump(mode="json")
        for part, fields in parts.items():
            content[part] |= fields
        who = AvatarSpec.from_mapping(content)
        bare = bare_head(context, body, marks, who)
        return paint_head(bare, body, who).astype(np.float32) / 255.0

    yield painted
    context.release()


@pytest.fixture(scope="module")
def bare(paint: Paint) -> Floats:
    return paint(skin={"blush": 0.0, "makeup": 0.0}, lips={"gloss": 0.0})


@pytest.fixture(scope="module")
def full(paint: Paint) -> Floats:
    """Every detail at once; places are far enough apart to be told from each other."""
    return paint(
        skin={"blush": 1.0, "makeup": 1.0, "stubble": 1.0, "lines": 1.0, "freckles": 1.0},
        lips={"gloss": 1.0},
        brows={"thickness": 1.8, "density": 1.5},
    )


@pytest.fixture(scope="module")
def at(body: Body) -> Callable[[float, float, float], Box]:
    """Return a function that gives the texels round a place of the face, metres."""
    marks = Landmarks.of(body)
    chosen = body.groups["body"].triangles[head_triangles(body, marks)]
    uv = head_uv(body, marks, chosen).reshape(-1, 2)
    points = body.vertices[chosen.ravel()]

    def box(x: float, height: float, half: float = 0.003) -> Box:
        front = points[:, 1] < marks.axis
        aside = np.abs(points[:, 0] - x) + np.abs(points[:, 2] - height)
        u, v = uv[np.argmin(np.where(front, aside, np.inf))]
        column, row, reach = int(u * 2048), int(v * 1024), round(half * 3500)
        return (
            slice(max(row - reach, 0), row + reach),
            slice(column - 2 * reach, column + 2 * reach),
        )

    return box


@pytest.fixture(scope="module")
def features(body: Body) -> Features:
    return Features.of(body, vertex_mask(body, "mpfb_lips.jpg"))


def test_features_lie_where_a_face_has_them(body: Body, features: Features) -> None:
    eye = body.joint("eye.L")
    assert features.lower.z.mean() < eye[2] < features.upper.z.max()
    assert features.upper.x[0] < eye[0] < features.upper.x[-1]
    assert 0.008 < features.nose[0] < features.mouth[0] < 0.035
    assert features.chin < features.mouth[1] < features.nose[1] < eye[2]


def test_blush_reddens_the_cheeks(
    bare: Floats, full: Floats, body: Body, at: Callable[..., Box]
) -> None:
    eye = body.joint("eye.L")
    cheek = at(float(eye[0]) + 0.014, float(eye[2]) - 0.034)
    assert _redness(full[cheek]) > 1.1 * _redness(bare[cheek])


def test_stubble_darkens_the_jaw_and_not_the_forehead(
    bare: Floats, paint: Paint, features: Features, body: Body, at: Callable[..., Box]
) -> None:
    bearded = paint(skin={"blush": 0.0, "makeup": 0.0, "stubble": 1.0}, lips={"gloss": 0.0})
    jaw = at(0.0, features.chin + 0.012)
    brow = at(0.0, float(body.joint("eye.L")[2]) + 0.045)
    assert bearded[jaw][..., :3].mean() < 0.9 * bare[jaw][..., :3].mean()
    assert abs(bearded[brow][..., :3].mean() - bare[brow][..., :3].mean()) < 0.005


def test_lines_and_freckles_roughen_the_skin_beside_the_mouth(
    bare: Floats, full: Floats, features: Features, body: Body, at: Callable[..., Box]
) -> None:
    eye = body.joint("eye.L")
    for x, height in (
        (float(eye[0]) - 0.004, float(eye[2]) - 0.030),
        (features.mouth[0] + 0.006, 0.5 * (features.mouth[1] + features.nose[1])),
    ):
        place = at(x, height, 0.005)
        assert _roughness(full[place]) > 1.25 * _roughness(bare[place])


def test_a_few_freckles_can_be_seen_and_more_are_darker(
    bare: Floats, paint: Paint, body: Body, at: Callable[..., Box]
) -> None:
    eye = body.joint("eye.L")
    cheek = at(float(eye[0]), float(eye[2]) - 0.030, 0.012)
    fell = []
    for amount in (0.25, 1.0):
        skin = {"blush": 0.0, "makeup": 0.0, "freckles": amount}
        seen = paint(skin=skin, lips={"gloss": 0.0})
        fell.append((bare - seen)[cheek][..., :3].max(-1))
    few, many = (float((fall > 0.02).mean()) for fall in fell)
    assert 0.04 < few < 0.5 * many
    deepest = [float(np.quantile(fall, 0.99)) for fall in fell]
    assert deepest[1] > 1.5 * deepest[0] > 0.06


def test_every_step_of_makeup_can_be_seen_on_the_lids(
    bare: Floats, paint: Paint, features: Features, at: Callable[..., Box]
) -> None:
    middle = len(features.upper.x) // 2
    lid = at(float(features.upper.x[middle]), float(features.upper.z[middle]) + 0.002, 0.002)
    light = [bare[lid][..., :3].mean()]
    for amount in (0.35, 0.6, 1.0):
        seen = paint(skin={"blush": 0.0, "makeup": amount}, lips={"gloss": 0.0})
        light.append(seen[lid][..., :3].mean())
    steps = [less - more for less, more in pairwise(light)]
    assert min(steps) > 0.006
    assert sum(steps) > 0.03


def test_lips_shine_as_told(
    bare: Floats, full: Floats, features: Features, at: Callable[..., Box]
) -> None:
    lip = at(0.0, features.mouth[1] - 0.006, 0.0015)
    assert full[lip][..., 3].mean() > bare[lip][..., 3].mean() + 0.35


def test_thicker_and_denser_brows_cover_more(
    bare: Floats, full: Floats, body: Body, at: Callable[..., Box]
) -> None:
    eye = body.joint("eye.L")
    brow = at(float(eye[0]), float(eye[2]) + 0.020, 0.006)
    dark = 0.6 * float(np.median(bare[brow][..., 0]))
    assert (full[brow][..., 0] < dark).sum() > 1.3 * (bare[brow][..., 0] < dark).sum() > 0


def test_makeup_lengthens_lashes() -> None:
    bare, made = (lashes(1, makeup)[300:, 200:, 0] for makeup in (0.0, 1.0))
    assert (made > 128).sum() > 2 * (bare > 128).sum() > 0
    assert np.argwhere(made > 128)[:, 0].max() > np.argwhere(bare > 128)[:, 0].max() + 40


@pytest.mark.parametrize("pupil", [0.25, 0.4, 0.6])
def test_a_pupil_is_as_wide_as_told(pupil: float) -> None:
    size = 256
    picture = eyeball_picture(EyesSpec(outer="#4a6a86", inner="#9ab0c0", pupil=pupil), 3, size)
    middle = picture[size // 2].astype(float).mean(1)
    dark = np.flatnonzero(middle < 40)
    inner = dark[np.abs(dark - size / 2) < 0.6 * 0.43 * size * 0.8]
    assert np.ptp(inner) + 1 == pytest.approx(2 * 0.6 * 0.43 * pupil * size, rel=0.15)


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_any_skin_colour_stays_a_colour_light_can_shape(rgb: tuple[int, int, int]) -> None:
    colour = "#{:02x}{:02x}{:02x}".format(*rgb)
    painted, written = np.array(albedo(colour)), np.array(linear(colour))
    assert (painted >= 0.0).all()
    assert painted.max() < 0.7
    light = np.array([0.2126, 0.7152, 0.0722])
    assert painted @ light <= written @ light * 1.02 + 1e-6


def _redness(texels: Floats) -> float:
    return float(texels[..., 0].mean() / texels[..., 1].mean())


def _roughness(texels: Floats) -> float:
    return float(texels[..., 1].std() / texels[..., 1].mean())
