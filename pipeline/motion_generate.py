"""`vivant motion generate`: motion for a recording of speech, as a file or a video."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents.clause import Action, Clause, Feeling
from agents.errors import AgentValueError
from agents.feelings import read_feeling
from avatar.spec.scene import Framing
from motion.actions import Gesture
from motion.bodies import Body
from motion.errors import MotionValueError
from motion.formats import Clip, known_ending, write_motion
from motion.formats.clip import Label
from motion.pose import POSES_PER_SECOND, Pose
from motion.procedural import ProceduralMover
from motion.speech import SpokenAction, SpokenPassage
from pipeline.acting import check_action, listed
from pipeline.configuration import RULES, Configuration
from pipeline.errors import ConfigurationError
from pipeline.gestures import film_mover
from pipeline.library import avatars, styles
from pipeline.prepared import body_of, prepare_figure
from pipeline.preview import preview
from pipeline.recording import Recording, passages_of, read_recording
from pipeline.script import clauses_of

VIDEO: Final = ".mp4"
_AHEAD: Final = 4.0  # seconds before it begins at which the mover is told of a passage

Act = tuple[SpokenAction, Gesture]
Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class AskedAction:
    """An action at a time (seconds) of the recording, with parameters as they are written."""

    id: str
    at: float
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """Of whom a video is made, where, how near, and how large; None is what is usual."""

    avatar: str | None = None
    scene: str | None = None
    framing: Framing | None = None
    size: tuple[int, int] | None = None


def generate(
    audio: Path,
    output: Path,
    *,
    configuration: Configuration,
    progress: Progress,
    style: str | None = None,
    seed: int = 1,
    emotion: str | None = None,
    actions: Sequence[AskedAction] = (),
    text: str = "",
    look: Look | None = None,
) -> dict[str, object]:
    """Move a host to a recording of speech and return the report.

    Poses begin with the recording and end with it. The same seed gives the same motion.

    Args:
        output: .safetensors, .bvh, .npz, .npy, or .mp4, which is drawn, with the sound.
        style: name in the library; None is what the configuration sets.
        emotion: "happy" or "happy:0.6"; None leaves it to the words of `text`.
        actions: made at their times as far as the hands are free.
        text: what is said, whose words then ask for actions and emotions; its words are spread
            evenly over the speech.
        progress: called with what is being done and the share done.

    Raises:
        ConfigurationError: an option is not accepted, or the recording is none of speech.
        MotionValueError: the ending of `output` is unknown.
        MotionError, RecordingError: the file cannot be written.
    """
    if output.suffix.lower() != VIDEO:
        known_ending(output)  # before work is done for it
    feeling = _feeling(emotion)
    clauses = _clauses(text)
    manner = styles(configuration.cache).get(style or configuration.draw.style)
    recording = read_recording(audio)
    asked = [_checked(action, recording.seconds) for action in actions]
    mover = film_mover(configuration.move, seed, manner)
    if output.suffix.lower() == VIDEO:
        mover.embody(_host(configuration, look or Look(), progress))
    passages = passages_of(recording, clauses, feeling, asked)
    poses, made = _moved(mover, passages, recording.seconds, progress)
    clip = _clip(poses, made, clauses[0].language if clauses else "", audio)
    if output.suffix.lower() == VIDEO:
        _draw(clip, recording, output, configuration, look or Look(), progress)
    else:
        write_motion(clip, output)
    return {
        "output": str(output),
        "seconds": round(clip.seconds, 3),
        "poses": len(clip.rotations),
        "mover": RULES if configuration.move.gestures == RULES else "network",
        "speech": [[round(start, 2), round(end, 2)] for start, end in recording.spans],
        "actions": listed(action for action, _ in made),
        "left_out": listed(one for one in asked if all(one is not a for a, _ in made)),
    }


def _feeling(written: str | None) -> Feeling | None:
    try:
        return None if written is None else read_feeling(written)
    except AgentValueError as error:
        raise ConfigurationError(f"emotion {error}") from error


def _clauses(text: str) -> list[Clause]:
    try:
        return list(clauses_of(text))
    except AgentValueError as error:
        raise ConfigurationError(f"text: {error}") from error


def _checked(asked: AskedAction, seconds: float) -> SpokenAction:
    """Return an action as motion is told of it, its parameters as numbers where they are some."""
    if not 0.0 <= asked.at <= seconds:
        raise ConfigurationError(
            f"{asked.id} at {asked.at:g} s; accepted: 0 to {seconds:.2f}, where the recording ends"
        )
    try:
        check_action(Action(asked.id, "", asked.parameters))
    except MotionValueError as error:
        raise ConfigurationError(str(error)) from error
    return SpokenAction(asked.id, asked.at, asked.parameters)


def _moved(
    mover: ProceduralMover, passages: Sequence[SpokenPassage], seconds: float, progress: Progress
) -> tuple[Pose, list[Act]]:
    """Return the poses, stacked, and the actions made. Passages are told as they come near."""
    waiting = sorted(passages, key=_due)
    poses: list[Pose] = []
    made: list[Act] = []
    count = max(1, round(seconds * POSES_PER_SECOND))
    for index in range(count):
        at = index / POSES_PER_SECOND
        while waiting and _due(waiting[0]) - _AHEAD <= at:
            mover.passage(waiting.pop(0))
            known = {id(gesture) for _, gesture in made}
            made += [act for act in mover.acts if id(act[1]) not in known]
        poses.append(mover.pose(at))
        progress("moving", (index + 1) / count)
    return Pose.stacked(poses), sorted(made, key=lambda act: act[0].at)


def _due(passage: SpokenPassage) -> float:
    """Return when something of a passage begins (seconds)."""
    return min([passage.start, *(action.at for action in passage.actions)])


def _host(configuration: Configuration, look: Look, progress: Progress) -> Body:
    """Return the proportions of who is drawn; files hold motion of the base body."""
    who = avatars(configuration.cache).get(look.avatar or configuration.draw.avatar)
    prepare_figure(who, configuration.cache, progress)
    return body_of(who, configuration.cache)


def _clip(poses: Pose, made: Sequence[Act], language: str, audio: Path) -> Clip:
    labels = tuple(Label(a.action, max(0.0, g.start), max(0.0, g.end)) for a, g in made)
    return Clip.of(
        poses.rotations,
        poses.translation,
        poses.face,
        language=language,
        labels=labels,
        metadata={"recording": audio.name},
    )


def _draw(
    clip: Clip,
    recording: Recording,
    output: Path,
    configuration: Configuration,
    look: Look,
    progress: Progress,
) -> None:
    drawn = 0

    def draw(pictures: int) -> None:
        nonlocal drawn
        drawn += pictures
        progress("drawing", drawn / len(clip.rotations))

    preview(
        clip,
        output,
        configuration=configuration,
        avatar=look.avatar,
        scene=look.scene,
        framing=look.framing or "half",
        size=look.size,
        sound=recording.samples,
        progress=draw,
    )
