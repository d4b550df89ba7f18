"""draw: poses become encoded pictures, each handed out when its sound is."""

from collections import deque
from collections.abc import Callable

from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose
from pipeline.contract import WIRE_RATE, EncodedPicture
from pipeline.draw_worker import DrawWorker
from pipeline.drawing import Drawn
from pipeline.options import VideoFormat


class DrawStage:
    """One session's view in the drawing process, and the pictures that wait for their moment.

    Args:
        picture: called with each picture when it is due.
        spare: called with the seconds each picture had to spare when it came (below 0: late).
        failed: called when no more pictures will come.
        refused: called when a changed scene cannot be shown.
    """

    def __init__(
        self,
        worker: DrawWorker,
        spec: AvatarSpec,
        scene: SceneSpec,
        video: VideoFormat,
        picture: Callable[[EncodedPicture], None],
        spare: Callable[[float], None],
        failed: Callable[[str], None],
        refused: Callable[[str], None],
    ) -> None:
        self._worker = worker
        self._picture = picture
        self._spare = spare
        self._position = 0
        self._waiting: deque[EncodedPicture] = deque()
        self.late = 0
        self._view = worker.open(spec, scene, video, self._drawn, failed, refused)

    def draw(self, pose: Pose, position: int, at: float) -> None:
        """Ask for the picture of wire position `position`."""
        self._worker.draw(self._view, pose, position, at)

    def change_scene(self, scene: SceneSpec) -> None:
        """Show the figure in another scene, as soon as that is ready."""
        self._worker.change_scene(self._view, scene)

    def hold(self, text: str | None) -> None:
        """Show a holding card instead of the figure; None shows the figure again."""
        self._worker.hold(self._view, text)

    def advance(self, position: int) -> None:
        """Sound up to `position` has been handed out: hand out the pictures up to it too."""
        self._position = position
        while self._waiting and self._waiting[0].position < position:
            self._picture(self._waiting.popleft())

    def request_keyframe(self) -> None:
        self._worker.request_keyframe(self._view)

    def set_bitrate(self, bitrate: int) -> None:
        self._worker.set_bitrate(self._view, bitrate)

    def close(self) -> None:
        self._worker.close_view(self._view)
        self._waiting.clear()

    def _drawn(self, drawn: Drawn) -> None:
        self._spare((drawn.position - self._position) / WIRE_RATE)
        picture = EncodedPicture(drawn.data, drawn.keyframe, drawn.position)
        if drawn.position < self._position:
            self.late += 1
            self._picture(picture)
        else:
            self._waiting.append(picture)
