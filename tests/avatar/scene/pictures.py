"""Files and scenes for the tests of scenes."""

from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from avatar.spec import SceneSpec
from avatar.spec.scene import LowerThird, ProductCard

RATE = 25


def photo(path: Path, colour: tuple[int, int, int] = (200, 60, 40)) -> str:
    """Write a JPEG of one colour; return its path."""
    Image.new("RGB", (300, 200), colour).save(path, quality=95)
    return str(path)


def film(path: Path, pictures: int = 30) -> str:
    """Write a video whose brightness rises from picture to picture; return its path."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        for number in range(pictures):
            grey = np.full((96, 160, 3), 20 + 200 * number // pictures, np.uint8)
            picture = av.VideoFrame.from_ndarray(grey, format="rgb24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return str(path)


def busy(language: str = "en", **changes: object) -> SceneSpec:
    """Return a scene with every overlay that needs no file."""
    texts = {
        "en": ("Linen summer dress", "Mia Chen", "Style adviser", "Today it is half the price."),
        "zh": ("亚麻夏日连衣裙", "陈美娅", "穿搭顾问", "今天下单立减一百元，只限直播间。"),
    }[language]
    scene = SceneSpec(
        card=ProductCard(name=texts[0], price="199", strike="299", currency="¥"),
        lower_third=LowerThird(name=texts[1], title=texts[2]),
        caption=texts[3],
    )
    return scene.changed(language=language, **changes)


def differs(a: NDArray[np.uint8], b: NDArray[np.uint8], least: int = 6) -> NDArray[np.bool_]:
    """Return which pixels [h, w] of two looks differ in brightness or colour."""
    change = np.abs(a[..., :3].astype(np.int16) - b[..., :3]).max(-1)
    return np.asarray(change >= least)
