"""`vivant motion preview`: motion as a video, drawn as in a call, with its sound if it has any."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer import Size
from avatar.spec.scene import Framing
from motion.formats import Clip
from motion.pose import POSES_PER_SECOND, Pose
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.library import avatars, scenes
from pipeline.mp4 import Mp4Writer
from pipeline.studio import patient_renderer

SIZE: Final = (720, 1280)
SOUND_RATE: Final = 24_000
_PERIOD: Final = SOUND_RATE // POSES_PER_SECOND


def preview(
    clip: Clip,
    output: Path,
    *,
    configuration: Configuration,
    avatar: str | None = None,
    scene: str | None = None,
    framing: Framing | None = None,
    size: tuple[int, int] | None = None,
    sound: NDArray[np.float32] | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[str, object]:
    """Draw `clip` and return the report: who, seconds, pictures, size.

    Args:
        avatar, scene: names in the library; None is what the configuration sets.
        framing: how much of the figure is seen; None is all of it.
        size: (width, height) in pixels; None is 720 x 1280.
        sound: float32 [n], mono, 24 kHz, heard from the first pose on; None is silence, since
            players want sound beside pictures.
        progress: called with how many pictures were added.

    Raises:
        ConfigurationError: an option is not accepted.
        RecordingError: the video cannot be written.
    """
    who = avatars(configuration.cache).get(avatar or configuration.draw.avatar)
    place = scenes(configuration.cache).get(scene or configuration.draw.scene)
    place = place.changed(framing=framing or "full")
    width, height = size or SIZE
    frames = len(clip.rotations)
    heard = np.zeros(frames * _PERIOD, np.float32)
    if sound is not None:
        heard[: len(sound)] = sound[: len(heard)]
    try:
        with (
            Mp4Writer(output, (width, height), audio_rate=SOUND_RATE) as file,
            patient_renderer(configuration) as renderer,
        ):
            handle = renderer.open(who, place, Size(width, height))
            for frame in range(frames):
                picture = renderer.draw([handle], _batch(clip, frame), frame / POSES_PER_SECOND)[0]
                file.picture(picture.planes, frame * _PERIOD)
                file.sound(heard[frame * _PERIOD : (frame + 1) * _PERIOD])
                if progress is not None:
                    progress(1)
            renderer.close(handle)
    except (AvatarError, AvatarValueError) as error:
        raise ConfigurationError(str(error)) from error
    return {
        "output": str(output),
        "avatar": who.name,
        "seconds": round(clip.seconds, 3),
        "pictures": frames,
        "size": f"{width}x{height}",
    }


def _batch(clip: Clip, frame: int) -> Pose:
    part = slice(frame, frame + 1)
    return Pose(clip.rotations[part], clip.translation[part], clip.face[part])
