"""What a fresh server begins with: a shop, a rundown and a room, to be on air at once."""

import asyncio
from typing import Final

from agents.shop.sample import sample_picture, sample_shop
from pipeline.rooms.live import LiveRooms
from pipeline.rooms.state import RoomSpec

ROOM: Final = "demo"
AVATAR: Final = "lin"
SCENE: Final = "shop"


async def seed(rooms: LiveRooms, *, drawn: bool = True) -> None:
    """Keep the sample shop with its pictures, a rundown drafted from it, and the room "demo".

    Args:
        drawn: whether pictures are drawn here, so that the room can name a host and a scene.
    """
    shop = sample_shop()
    await rooms.shops.put(shop)
    for product in shop:
        if product.picture:
            picture = await asyncio.to_thread(sample_picture, product.picture)
            await rooms.shops.put_picture(shop.id, product.id, picture)
    rundown = await rooms.rundowns.draft(shop.id, "en")
    await rooms.create(
        RoomSpec(
            id=ROOM,
            title=shop.name["en"],
            shop=shop.id,
            rundown=rundown.id,
            avatar=AVATAR if drawn else None,
            scene=SCENE if drawn else None,
        )
    )
