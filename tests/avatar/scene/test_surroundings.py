"""Scenes as the renderer draws them: what changes, and what must not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.errors import AvatarValueError
from avatar.renderer.base import Handle, Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import ycbcr
from avatar.scene.layout import SLOTS, layout
from avatar.spec import SCENES, SceneSpec, ready, ready_scene
from avatar.spec.colour import display
from avatar.spec.scene import AnyBackground, Film, Gradient, Light, Plain, ProductCard, Stage, Still
from motion.pose import Pose
from tests.avatar.pictures import SMALL, full
from tests.avatar.scene.pictures import busy, differs, film, photo

Look = NDArray[np.uint8]
BARE = SceneSpec(mark=False)


def opened(renderer: OpenGLRenderer, scene: SceneSpec, size: Size = SMALL) -> Handle:
    """Open the default avatar in a scene."""
    return renderer.open(ready("mia"), scene, size)


def look(renderer: OpenGLRenderer, handle: Handle, at: float = 0.0) -> Look:
    """Draw the pose of rest; return the frame before it is made into planes."""
    renderer.draw([handle], Pose.rest(1), at)
    return renderer.look(handle)


def shown(renderer: OpenGLRenderer, scene: SceneSpec, at: float = 0.0) -> Look:
    """As `look`, for a scene that is opened for it."""
    handle = opened(renderer, scene)
    frame = look(renderer, handle, at)
    renderer.close(handle)
    return frame


def eroded(mask: NDArray[np.bool_], steps: int) -> NDArray[np.bool_]:
    """Take that many pixels off every edge, the picture's too."""
    mask = np.pad(mask, 1)
    for _ in range(steps):
        inner = mask[1:-1, 1:-1]
        inner = inner & mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
        mask = np.pad(inner, 1)
    return mask[1:-1, 1:-1]


def unchanged(a: NDArray[np.integer[Any]], b: NDArray[np.integer[Any]]) -> bool:
    """Whether pixels [n, channels] are equal, up to what is seen through an alpha of 0.99.

    Strands of hair add up to it in 8 bits: one pixel in thousands may be two steps off.
    """
    steps = np.abs(a.astype(int) - b).max(-1)
    return bool(steps.max() <= 2 and (steps == 0).mean() > 0.999)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return a picture and a film."""
    folder = tmp_path_factory.mktemp("files")
    return photo(folder / "a.jpg"), film(folder / "a.mp4")


def backgrounds(files: tuple[str, str]) -> list[AnyBackground]:
    """Return one background of every sort."""
    return [
        Plain(colour="#00b140"),
        Gradient(top="#14285a", bottom="#050a1e"),
        Still(source=files[0], blur=0.5),
        Film(source=files[1]),
        Stage(room="kitchen", desk=False),
    ]


def test_no_background_changes_a_pixel_of_the_figure(
    patient: OpenGLRenderer, files: tuple[str, str]
) -> None:
    handle = opened(patient, BARE)
    first = look(patient, handle)
    before = full(patient.draw([handle], Pose.rest(1), 0.0)[0].planes.copy())
    for background in backgrounds(files):
        patient.update(handle, BARE.changed(background=background))
        there = look(patient, handle)
        assert np.array_equal(first[..., 3], there[..., 3])
        solid = first[..., 3] >= 0.99 * 255
        assert solid.mean() > 0.25
        assert unchanged(first[solid], there[solid])
        assert differs(first, there)[first[..., 3] == 0].mean() > 0.7
        # Smoothed edges and shared chroma mix a pixel with its neighbours, no further.
        inside = eroded(solid, 2)
        after = full(patient.draw([handle], Pose.rest(1), 0.0)[0].planes)
        assert unchanged(before[inside], after[inside])
    patient.close(handle)


def test_backgrounds_show_what_they_say(patient: OpenGLRenderer, files: tuple[str, str]) -> None:
    for background, colour in (
        (Plain(colour="#00b140"), display("#00b140")),
        (Still(source=files[0]), (200 / 255, 60 / 255, 40 / 255)),
    ):
        frame = shown(patient, BARE.changed(background=background))
        empty = frame[frame[..., 3] == 0][:, :3]
        assert np.abs(empty - ycbcr(colour)).max() < 4


def test_a_film_follows_the_media_time_and_starts_again(
    patient: OpenGLRenderer, files: tuple[str, str]
) -> None:
    handle = opened(patient, BARE.changed(background=Film(source=files[1])))
    grey = [
        float(look(patient, handle, at)[:30, :30, 0].mean())
        for at in (0.0, 0.4, 0.8, 1.2, 1.6, 0.4)
    ]
    assert grey[0] + 20 < grey[1] < grey[2] - 20
    assert grey[3] == pytest.approx(grey[0], abs=3)
    assert grey[4] == pytest.approx(grey[1], abs=3)
    assert grey[5] == grey[1]
    patient.close(handle)


def test_a_desk_hides_what_is_behind_it(patient: OpenGLRenderer) -> None:
    room = Stage(room="shop", blur=0.0)
    with_desk = shown(patient, BARE.changed(background=room))
    without = shown(patient, BARE.changed(background=room.changed(desk=False)))
    low = slice(int(0.92 * SMALL.height), None)
    assert (without[low, ..., 3] == 255).mean() > 0.3
    assert (with_desk[low, ..., 3] == 0).mean() > 0.99
    assert np.array_equal(with_desk[:200], without[:200])


def test_walls_and_accents_take_their_colours(patient: OpenGLRenderer) -> None:
    plain = shown(patient, BARE.changed(background=Stage(room="shop")))
    blue = shown(patient, BARE.changed(background=Stage(room="shop", wall="#2040c0")))
    behind = plain[..., 3] == 0
    assert (blue[..., 1].astype(int) - plain[..., 1])[behind].max() > 30


@pytest.mark.parametrize("name", SCENES)
def test_every_ready_scene_is_drawn(patient: OpenGLRenderer, name: str) -> None:
    frame = shown(patient, ready_scene(name), at=1.0)
    assert (frame[..., 3] == 255).mean() > 0.2
    assert frame[..., 0].min() >= 16


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [SMALL, Size(480, 272), Size(320, 320)])
def test_overlays_stand_where_the_layout_says(
    patient: OpenGLRenderer, language: str, size: Size
) -> None:
    handle = opened(patient, BARE, size)
    bare = look(patient, handle)
    scene = busy(language)
    patient.update(handle, scene)
    look(patient, handle, 0.0)
    changed = differs(bare, look(patient, handle, 3.0))
    shown_slots = frozenset(SLOTS) - {"logo"}
    boxes = layout(size, scene.framing, shown_slots, moving=False)
    outside = changed.copy()
    for box in boxes.values():
        part = changed[box.top : box.bottom, box.left : box.right]
        assert part.mean() > 0.05
        outside[box.top : box.bottom, box.left : box.right] = False
    assert not outside.any()
    patient.close(handle)


def test_overlays_leave_the_coverage_alone(patient: OpenGLRenderer) -> None:
    assert np.array_equal(shown(patient, BARE)[..., 3], shown(patient, busy())[..., 3])


def test_the_mark_is_shown_until_it_is_switched_off(patient: OpenGLRenderer) -> None:
    box = layout(SMALL, "half", frozenset({"mark"}), moving=False)["mark"]
    frames = [shown(patient, scene) for scene in (SceneSpec(), SceneSpec(language="zh"), BARE)]

    def ink(frame: Look) -> int:
        return int((frame[box.top : box.bottom, box.left : box.right, 0] < 150).sum())

    assert ink(frames[0]) > 60
    assert ink(frames[1]) > 60
    assert ink(frames[2]) == 0
    assert differs(frames[0], frames[1]).any()


def test_a_card_comes_and_goes_in_media_time(patient: OpenGLRenderer) -> None:
    handle = opened(patient, BARE)
    bare = look(patient, handle, 5.0)
    card = ProductCard(name="Dress", price="199")
    patient.update(handle, BARE.changed(card=card))
    moving = [differs(bare, look(patient, handle, at)).mean() for at in (5.0, 5.1, 5.2, 6.0)]
    assert moving[0] == 0.0
    assert 0.0 < moving[1] <= moving[2] * 1.1
    settled = look(patient, handle, 7.0)
    assert np.array_equal(settled, look(patient, handle, 9.0))
    patient.update(handle, BARE)
    look(patient, handle, 9.04)
    half = look(patient, handle, 9.2)
    assert differs(half, settled).any()
    assert differs(half, bare).any()
    assert np.array_equal(look(patient, handle, 9.4), bare)
    patient.close(handle)


def test_a_new_price_pops_and_the_card_stays(patient: OpenGLRenderer) -> None:
    scene = BARE.changed(card=ProductCard(name="Dress", price="199"))
    handle = opened(patient, scene)
    look(patient, handle, 1.0)
    before = look(patient, handle, 2.0)
    patient.update(handle, scene.changed(card=ProductCard(name="Dress", price="149")))
    look(patient, handle, 2.04)
    pop = look(patient, handle, 2.5)
    after = look(patient, handle, 3.0)
    changed = differs(before, after)
    rows = np.nonzero(changed.any(1))[0]
    card = layout(SMALL, "half", frozenset({"card"}), moving=False)["card"]
    assert rows.min() > card.top + 0.4 * card.height
    assert differs(pop, after).any()
    patient.close(handle)


def test_a_caption_that_goes_on_does_not_fade(patient: OpenGLRenderer) -> None:
    handle = opened(patient, BARE.changed(caption="Good"))
    look(patient, handle, 1.0)
    patient.update(handle, BARE.changed(caption="Good morning"))
    first = look(patient, handle, 1.04)
    assert np.array_equal(first, look(patient, handle, 4.0))
    patient.close(handle)


def test_a_moving_camera_never_shows_an_edge(patient: OpenGLRenderer) -> None:
    for move, span in (("push_in", 14.0), ("pull_out", 14.0), ("drift", 18.0), ("orbit", 26.0)):
        scene = BARE.changed(background=Plain(colour="#ffffff"), move=move)
        handle = opened(patient, scene)
        frames = [look(patient, handle, at) for at in np.linspace(0.0, span, 9)]
        for frame in frames:
            assert (frame[frame[..., 3] == 0][:, 0] == 235).all()
        assert differs(frames[0], frames[2]).mean() > 0.01
        ends = differs(frames[0], frames[-1]).mean()
        assert ends > 0.1 if move.startswith("pu") else ends < 0.01
        patient.close(handle)


def test_the_lamps_light_the_figure(patient: OpenGLRenderer) -> None:
    frames = {
        name: shown(patient, BARE.changed(light=light))
        for name, light in (
            ("neutral", Light()),
            ("warm", Light(preset="warm")),
            ("cool", Light(preset="cool")),
            ("dramatic", Light(preset="dramatic")),
            ("bright", Light(intensity=1.3)),
        )
    }
    solid = frames["neutral"][..., 3] == 255
    mean = {name: frame[solid].astype(float).mean(0) for name, frame in frames.items()}
    assert mean["warm"][1] < mean["neutral"][1] - 2 < mean["cool"][1] - 4
    light = {name: frame[0] - 16.0 for name, frame in mean.items()}
    assert light["dramatic"] < 0.95 * light["neutral"]
    assert light["bright"] > 1.10 * light["neutral"]


def test_a_scene_changes_while_drawing_goes_on(renderer: OpenGLRenderer) -> None:
    handle = opened(renderer, BARE)
    before = look(renderer, handle)
    renderer.update(handle, BARE.changed(background=Stage(room="lounge")))
    seen = 0
    for number in range(2000):
        frame = look(renderer, handle, number / 25.0)
        seen += 1
        if differs(before, frame).any():
            break
        assert np.array_equal(frame, before)
    assert differs(before, frame)[frame[..., 3] == 0].mean() > 0.9
    assert seen > 3
    renderer.close(handle)


def test_what_cannot_be_shown_is_refused_and_nothing_changes(
    patient: OpenGLRenderer, tmp_path: Path
) -> None:
    handle = opened(patient, BARE)
    before = look(patient, handle)
    for scene, message in (
        (BARE.changed(background=Still(source="none.jpg")), "accepted: a file that exists"),
        (BARE.changed(logo=str(tmp_path)), "accepted: a file that exists"),
        (BARE.changed(card=ProductCard(name="한글", price="1")), "cannot be drawn"),
    ):
        with pytest.raises(AvatarValueError, match=message):
            patient.update(handle, scene)
        assert np.array_equal(before, look(patient, handle))
    patient.close(handle)
