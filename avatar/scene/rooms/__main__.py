"""`python -m avatar.scene.rooms NAME...`: reckon the light of rooms and store them here."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from avatar.scene.rooms.kitchen import kitchen, worktop
from avatar.scene.rooms.lounge import lounge, table
from avatar.scene.rooms.shop import counter, shop
from avatar.scene.rooms.stored import EYES, stored

_ROOMS = {"shop": (shop, counter), "kitchen": (kitchen, worktop), "lounge": (lounge, table)}

for name in sys.argv[1:] or _ROOMS:
    make, desk = _ROOMS[name]
    model = make()
    front = sum(map(len, model.triangles))
    desk(model, EYES)
    arrays: dict[str, Any] = dict(stored(model, front))
    np.savez_compressed(Path(__file__).parent / f"{name}.npz", **arrays)
