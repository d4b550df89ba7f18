"""Rooms: their light, and that what is stored is what is modelled."""

import numpy as np
import pytest

from avatar.scene.rooms.bake import irradiance
from avatar.scene.rooms.kitchen import kitchen
from avatar.scene.rooms.lounge import lounge
from avatar.scene.rooms.model import Lamp, Model
from avatar.scene.rooms.shop import shop
from avatar.scene.rooms.stored import room
from avatar.spec.scene import ROOMS, Stage

MAKERS = {"shop": shop, "kitchen": kitchen, "lounge": lounge}


def test_an_open_plate_gets_the_sky() -> None:
    model = Model(sky=(0.2, 0.4, 0.6))
    model.plate((0, 0, 0), (1, 0, 0), (0, 1, 0), "#808080")
    assert np.allclose(irradiance(model), [0.2, 0.4, 0.6], atol=1e-6)


def test_a_lamp_throws_a_shadow_and_fades_with_distance() -> None:
    model = Model(sky=(0.0, 0.0, 0.0))
    model.plate((-1, -1, 0), (2, 0, 0), (0, 2, 0), "#808080", step=0.1)
    floor = model.count
    model.box((-0.2, -0.2, 0.4), (0.2, 0.2, 0.5), "#808080")
    lamp = Lamp((-0.1, 0.1, 1.0), (0.2, 0, 0), (0, -0.2, 0), (5.0, 5.0, 5.0))
    model.shine(lamp, seen=False)
    light = irradiance(model)[:floor, 0]
    places = np.concatenate(model.positions)[:floor]
    away = np.hypot(places[:, 0], places[:, 1])
    assert light[away < 0.15].max() == 0.0
    assert light[(away > 0.7) & (away < 0.8)].min() > light[away > 1.2].max() > 0.0


def test_light_is_as_strong_as_physics_has_it() -> None:
    model = Model(sky=(0.0, 0.0, 0.0))
    model.plate((-0.01, -0.01, 0), (0.02, 0, 0), (0, 0.02, 0), "#808080")
    model.shine(Lamp((-0.1, 0.1, 2.0), (0.2, 0, 0), (0, -0.2, 0), (9.0, 9.0, 9.0)), seen=False)
    # A small lamp straight above: radiance * area / distance^2 / pi.
    assert irradiance(model).mean() == pytest.approx(9.0 * 0.04 / 4.0 / np.pi, rel=0.02)


@pytest.mark.parametrize("name", ROOMS)
def test_what_is_stored_is_the_room_that_is_modelled(name: str) -> None:
    kept, model = room(name), MAKERS[name]()
    assert kept.front == sum(map(len, model.triangles))
    assert np.array_equal(kept.positions[: model.count], np.concatenate(model.positions))
    albedo = np.concatenate(model.albedo)
    assert np.allclose(kept.albedo[: model.count], albedo, atol=2e-3)
    assert kept.triangles.max() == len(kept.positions) - 1 < 65536
    assert np.isfinite(kept.light).all()
    assert kept.light.min() >= 0.0


def test_a_tint_colours_every_light_but_what_glows() -> None:
    kept = room("kitchen")
    white = kept.shades(Stage(room="kitchen"), (1.0, 1.0, 1.0))
    dark = kept.shades(Stage(room="kitchen"), (0.4, 0.4, 0.4))
    glows = (kept.glow.max(1) > 0.5) & (kept.albedo.max(1) < 1e-3)
    assert np.array_equal(white[glows], dark[glows])
    assert (white[~glows][:, 0].astype(int) - dark[~glows][:, 0]).mean() > 20
    assert white[..., 0].min() >= 16
    assert not white[..., 3].any()
