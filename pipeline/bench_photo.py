"""Photos: what is recovered of the ready hosts from pictures of them."""

import io
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image
from tqdm import tqdm

from pipeline.assets import Registry
from pipeline.configuration import load_configuration
from pipeline.folders import body_folder
from pipeline.studio import edit_studio

# A quick run: so many hosts, and so many steps of the fit.
_QUICK: Final = (2, 60)
_WIDTH, _HEIGHT = 720, 960


def run(*, quick: bool = False, config: Path | None = None) -> dict[str, Any]:
    """Draw every ready host as a photo, make an avatar of it, and compare the two.

    Nothing is told of the person beforehand. See `avatar.creation.photo.recovery.summary`.

    Raises:
        AssetError: the face models are missing.
    """
    from avatar.creation.photo.fit import STEPS
    from avatar.creation.photo.identity import PhotoReader
    from avatar.creation.photo.recovery import compare, summary
    from avatar.creation.photo.shape import load_shape
    from avatar.renderer.base import Size
    from avatar.spec import HOSTS, SceneSpec, ready
    from motion.pose import Pose

    configuration = load_configuration(config)
    models = Registry(configuration.cache).folder("face-landmarks")
    reader = PhotoReader(models, body_folder(configuration.cache))
    shape = load_shape(body_folder(configuration.cache))
    count, steps = _QUICK if quick else (len(HOSTS), STEPS)
    rows = []
    with edit_studio(configuration) as studio, TemporaryDirectory() as faces:
        for name in tqdm(HOSTS[:count], file=sys.stderr):
            spec, scene = ready(name), SceneSpec(framing="head")
            rgb, _ = studio.draw(spec, scene, Pose.rest(), Size(_WIDTH, _HEIGHT))
            file = io.BytesIO()
            Image.fromarray(rgb).save(file, "PNG")
            begun = time.perf_counter()
            made = reader.from_photo(
                file.getvalue(), Path(faces), consent=True, made="2026-01-01", steps=steps
            )
            rows.append(compare(spec, made, shape, time.perf_counter() - begun))
    return summary(rows)
