"""`WanAnimateBackend`: clips by a diffusion model that follows our poses (Wan-Animate, 2025)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from avatar.body.asset import AvatarAsset
from avatar.errors import AvatarError, AvatarValueError
from avatar.neural.keypoints import keypoints
from avatar.neural.loading import Weights, generator, load_pipeline
from avatar.neural.skeletons import draw_skeletons
from avatar.renderer.base import Handle, Renderer, Size
from avatar.renderer.planes import to_rgb
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

PIPELINE: Final = "WanAnimatePipeline"
Video = NDArray[np.uint8]

_FACE_PICTURE: Final = Size(512, 512)
# By then what is shown over the picture has come to rest, seconds.
_SETTLED: Final = 8.0
_FEWEST: Final = 5
_STEP: Final = 16


@dataclass(frozen=True, slots=True)
class Conditions:
    """What drives a clip of t pictures.

    Attributes:
        reference: the host in the first pose, in its scene without anything over it.
        poses: skeletons. faces: the rendered face, square, following the head.
    """

    reference: Image.Image
    poses: list[Image.Image]
    faces: list[Image.Image]


@dataclass(frozen=True, slots=True)
class _Session:
    spec: AvatarSpec
    scene: SceneSpec
    size: Size


class WanAnimateBackend:
    """Draws clips: slow, near to film, for those with a GPU and weights.

    All calls come from the thread that made `renderer`.

    Args:
        pipeline: a loaded `WanAnimatePipeline`; see `load`.
        renderer: draws the reference, the face and what is shown over the picture.
        asset: prepares an identity.
        steps: of denoising. segment: pictures made at a time, 4 n + 1.
    """

    def __init__(
        self,
        pipeline: Any,
        renderer: Renderer,
        asset: Callable[[AvatarSpec], AvatarAsset],
        *,
        steps: int = 20,
        segment: int = 77,
    ) -> None:
        if segment < _FEWEST or segment % 4 != 1:
            raise AvatarValueError(f"segment {segment}; accepted: 4 n + 1, from {_FEWEST} on")
        self._pipeline = pipeline
        self._renderer = renderer
        self._asset = asset
        self._steps = steps
        self._segment = segment
        self._sessions: dict[Handle, _Session] = {}
        self._next = 0

    @classmethod
    def load(
        cls,
        weights: Weights,
        renderer: Renderer,
        asset: Callable[[AvatarSpec], AvatarAsset],
        *,
        steps: int = 20,
        segment: int = 77,
    ) -> "WanAnimateBackend":
        """Load the weights and make the backend.

        Raises:
            AvatarError: see `avatar.neural.loading.load_pipeline`.
        """
        pipeline = load_pipeline(PIPELINE, weights)
        return cls(pipeline, renderer, asset, steps=steps, segment=segment)

    def open(self, spec: AvatarSpec, scene: SceneSpec, size: Size) -> Handle:
        """Prepare an avatar in a scene.

        Raises:
            AvatarValueError: a side is no multiple of 16.
        """
        for name, value in (("width", size.width), ("height", size.height)):
            if value % _STEP or value < 4 * _STEP:
                raise AvatarValueError(f"clip {name} {value}; accepted: multiples of 16 from 64 on")
        handle = Handle(self._next)
        self._next += 1
        self._sessions[handle] = _Session(spec, scene, size)
        return handle

    def close(self, handle: Handle) -> None:
        """Forget what `open` made."""
        self._session(handle)
        del self._sessions[handle]

    def conditions(self, handle: Handle, poses: Pose) -> Conditions:
        """Return what drives the clip of `poses` (leading axis t), for a look before it is made."""
        session = self._session(handle)
        asset = self._asset(session.spec)
        bare = session.scene.changed(
            mark=False, logo=None, card=None, lower_third=None, caption="", move="still"
        )
        points = keypoints(asset, bare.framing, poses, session.size)
        first = self._film(session.spec, bare, session.size, _at(poses, 0))
        return Conditions(
            Image.fromarray(first[0]),
            draw_skeletons(points, session.size),
            self._faces(session.spec, bare, asset, poses),
        )

    def draw_clip(
        self, handle: Handle, poses: Pose, *, prompt: str = "", seed: int = 0
    ) -> NDArray[np.uint8]:
        """Make a clip of a movement.

        Args:
            poses: leading axis t, 2 or more, 25 a second. prompt: says what is seen; "" is a
                plain description.

        Returns:
            uint8 [t, height, width, 3], sRGB. Cards, captions and the mark of the scene are laid
            over it as the renderer draws them.

        Raises:
            AvatarValueError: the handle is not open, or `poses` has not one axis of 2 or more.
            AvatarError: the pipeline failed.
        """
        session = self._session(handle)
        if poses.rotations.ndim != 3 or len(poses.rotations) < 2:
            raise AvatarValueError(
                f"poses with leading axes {list(poses.rotations.shape[:-2])}; accepted: [t], t >= 2"
            )
        driven = self.conditions(handle, poses)
        try:
            result = self._pipeline(
                image=driven.reference,
                pose_video=driven.poses,
                face_video=driven.faces,
                prompt=prompt or "a person speaks to the camera in a well lit studio",
                height=session.size.height,
                width=session.size.width,
                segment_frame_length=min(self._segment, _fitting(len(driven.poses))),
                num_inference_steps=self._steps,
                generator=generator(seed),
                output_type="np",
            )
        except (RuntimeError, ValueError) as error:
            raise AvatarError(f"{PIPELINE} failed: {error}") from error
        frames = np.asarray(result.frames[0], np.float32)
        clip = np.round(255.0 * np.clip(frames, 0.0, 1.0)).astype(np.uint8)
        return self._with_overlays(session, poses, clip)

    def _faces(
        self, spec: AvatarSpec, scene: SceneSpec, asset: AvatarAsset, poses: Pose
    ) -> list[Image.Image]:
        close = scene.changed(framing="head")
        film = self._film(spec, close, _FACE_PICTURE, poses)
        points = keypoints(asset, "head", poses, _FACE_PICTURE).face
        side = int(self._pipeline.transformer.config.motion_encoder_size)
        return [face_crop(rgb, face, side) for rgb, face in zip(film, points, strict=True)]

    def _film(self, spec: AvatarSpec, scene: SceneSpec, size: Size, poses: Pose) -> Video:
        handle = self._renderer.open(spec, scene, size)
        try:
            return np.stack(
                [
                    to_rgb(self._renderer.draw([handle], _at(poses, i), _SETTLED)[0].planes)
                    for i in range(len(poses.rotations))
                ]
            )
        finally:
            self._renderer.close(handle)

    def _with_overlays(self, session: _Session, poses: Pose, clip: Video) -> Video:
        """Lay what is shown over the picture on the clip: where it differs from none of it."""
        scene = session.scene.changed(move="still")
        bare = scene.changed(mark=False, logo=None, card=None, lower_third=None, caption="")
        if bare == scene:
            return clip
        still = _at(poses, 0)
        shown, plain = (self._film(session.spec, s, session.size, still)[0] for s in (scene, bare))
        over = (np.abs(shown.astype(np.int16) - plain).max(-1) > 3)[..., None]
        return np.where(over, shown, clip)

    def _session(self, handle: Handle) -> _Session:
        if handle not in self._sessions:
            raise AvatarValueError(f"handle {handle} is not open")
        return self._sessions[handle]


def face_crop(rgb: Video, face: NDArray[np.float32], side: int) -> Image.Image:
    """Return the square around a face [4, 2] (nose, ears, chin) in pixels, resized to `side`."""
    middle = face.mean(0)
    reach = 1.15 * float(np.linalg.norm(face - middle, axis=1).max())
    box = (*(middle - reach).tolist(), *(middle + reach).tolist())
    whole = Image.fromarray(rgb)
    # Beyond the picture's edge a crop is black, as in the films such models learnt from.
    left, top, right, bottom = (round(value) for value in box)
    return whole.crop((left, top, right, bottom)).resize((side, side), Image.Resampling.LANCZOS)


def _at(poses: Pose, index: int) -> Pose:
    one = slice(index, index + 1)
    return Pose(poses.rotations[one], poses.translation[one], poses.face[one])


def _fitting(pictures: int) -> int:
    """Return the shortest segment, 4 n + 1, that holds so many pictures."""
    return max(_FEWEST, -(-(pictures - 1) // 4) * 4 + 1)
