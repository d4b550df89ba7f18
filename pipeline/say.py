"""`vivant say`: a text becomes a finished video, as fast as the machine can."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from agents.clause import Language
from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer import Renderer, Size
from avatar.spec import AvatarSpec, SceneSpec
from avatar.spec.scene import Framing
from avatar.speech import SPEECH_RATE
from avatar.voice import Voice
from motion.pose import POSES_PER_SECOND, Pose
from motion.procedural import ProceduralMover
from motion.speech import SpokenAction
from pipeline.acting import Acting, listed
from pipeline.assets import Registry
from pipeline.configuration import Configuration
from pipeline.drawing import DrawSettings, make_renderer
from pipeline.errors import ConfigurationError, VivantError
from pipeline.folders import avatar_folder, body_folder
from pipeline.gestures import film_mover
from pipeline.library import avatars, scenes, styles
from pipeline.mouthing import speak_mouthed
from pipeline.mp4 import Mp4Writer
from pipeline.prepared import Step, body_of, prepare_figure
from pipeline.script import clauses_of
from pipeline.stages.move import passage_of, segment_of
from pipeline.timeline import FRAME, Segment, Timeline
from pipeline.voices import choose_voice, load_voice

LEAD_IN: Final = 0.4  # seconds before the first word
LEAD_OUT: Final = 0.8
BETWEEN_PARAGRAPHS: Final = 0.4
LONGEST_TEXT: Final = 20_000  # characters
FRAMES_PER_PICTURE: Final = SPEECH_RATE // POSES_PER_SECOND // FRAME


class NothingSpokenError(VivantError, ValueError):
    """The text holds nothing that can be said."""


@dataclass(frozen=True, slots=True)
class Film:
    """What is filmed: a voice by language, a mover, a renderer with one open view."""

    voice: Callable[[Language], Voice]
    mover: ProceduralMover
    renderer: Renderer
    size: Size


def say(
    text: str,
    output: Path,
    *,
    configuration: Configuration,
    avatar: str | None = None,
    style: str | None = None,
    scene: str | None = None,
    framing: Framing | None = None,
    size: tuple[int, int] | None = None,
    voice: str | None = None,
    language: Literal["auto", "en", "zh"] = "auto",
    seed: int | None = None,
    preparing: Step | None = None,
    progress: Callable[[float], object] | None = None,
) -> dict[str, object]:
    """Film the host saying `text` and return the report: seconds, pictures, share of real time.

    See `pipeline.script.clauses_of` for the emotion with which clauses are said.

    Args:
        avatar, style, scene: names in the library; None is what the configuration sets.
        framing: how much of the figure is seen; None is the scene's own.
        size: (width, height) in pixels; None is 720 x 1280.
        seed: the host moves alike where text, look and seed are alike; None is another each time,
            told in the report.
        preparing: called, before there is film, with what is being done (the figure is built where
            it must be, the text is spoken) and the share done.
        progress: called with the seconds of film that were added.

    Raises:
        ConfigurationError: an option is not accepted.
        NothingSpokenError: nothing in the text is said.
        AgentValueError: a mark's intensity is no number from 0 to 1.
        AssetError: a model is missing.
    """
    _check(text)
    who = avatars(configuration.cache).get(avatar or configuration.draw.avatar)
    place = scenes(configuration.cache).get(scene or configuration.draw.scene)
    place = place.changed(framing=framing or place.framing)
    manner = styles(configuration.cache).get(style or configuration.draw.style)
    registry = Registry(configuration.cache)
    width, height = size or (720, 1280)
    prepare_figure(who, configuration.cache, preparing)
    began = time.perf_counter()
    loaded: dict[str, Voice] = {}

    def speaker(spoken: Language) -> Voice:
        name = _voice_name(configuration, voice, spoken)
        if name not in loaded:
            loaded[name] = load_voice(name, configuration.speak, registry)
        return loaded[name]

    try:
        renderer = make_renderer(
            DrawSettings(
                "opengl",
                avatar_folder(configuration.cache),
                body_folder(configuration.cache),
                patient=True,
            )
        )
        chance = secrets.randbelow(2**31) if seed is None else seed
        mover = film_mover(configuration.move, chance, manner)
        mover.embody(body_of(who, configuration.cache))
        film = Film(speaker, mover, renderer, Size(width, height))
        timeline = Timeline(lead=0)
        asked = _speak(film, timeline, text, language, preparing)
        made = [action for action, _ in mover.acts]
        seconds, pictures = _film(film, timeline, who, place, output, progress)
    except (AvatarError, AvatarValueError) as error:
        raise ConfigurationError(str(error)) from error
    took = time.perf_counter() - began
    return {
        "output": str(output),
        "seconds": round(seconds, 3),
        "pictures": pictures,
        "size": f"{width}x{height}",
        "voices": sorted(loaded),
        "seed": chance,
        "actions": listed(one for one in asked if one in made),
        "left_out": listed(one for one in asked if one not in made),
        "took_s": round(took, 2),
        "real_time_share": round(took / seconds, 3),
    }


def _film(
    film: Film,
    timeline: Timeline,
    spec: AvatarSpec,
    scene: SceneSpec,
    output: Path,
    progress: Callable[[float], object] | None,
) -> tuple[float, int]:
    last = timeline.ahead_end + round(LEAD_OUT * SPEECH_RATE)
    handle = film.renderer.open(spec, scene, film.size)
    pictures = 0
    with Mp4Writer(output, (film.size.width, film.size.height), audio_rate=SPEECH_RATE) as file:
        while timeline.position < last:
            pose = film.mover.pose(timeline.position / SPEECH_RATE)
            picture = film.renderer.draw(
                [handle], Pose.stacked([pose]), timeline.position / SPEECH_RATE
            )[0]
            file.picture(picture.planes, timeline.position)
            for _ in range(FRAMES_PER_PICTURE):
                file.sound(timeline.frame())
            pictures += 1
            if progress is not None:
                progress(1 / POSES_PER_SECOND)
    film.renderer.close(handle)
    return timeline.position / SPEECH_RATE, pictures


def _speak(
    film: Film,
    timeline: Timeline,
    text: str,
    language: str,
    told: Callable[[str, float], object] | None,
) -> list[SpokenAction]:
    """Put all of the text on the timeline, tell the mover, and return what its words ask for."""
    timeline.add(_pause(LEAD_IN))
    spoken = False
    asked: list[SpokenAction] = []
    clauses = list(map(Acting().bind, clauses_of(text, language)))
    for number, clause in enumerate(clauses):
        if told is not None:
            told("speaking", number / len(clauses))
        voice = film.voice(clause.language)
        for made in speak_mouthed(voice, clause.text, clause.language, cancelled=Event()):
            segment = segment_of(1, made, clause)
            placed = timeline.add(segment)
            assert placed is not None
            passage = passage_of(placed, sound=film.mover.hears)
            film.mover.passage(passage)
            asked += passage.actions
            spoken = True
        if clause.text.endswith("\n"):
            timeline.add(_pause(BETWEEN_PARAGRAPHS))
    if not spoken:
        raise NothingSpokenError(f"nothing in {text[:60]!r} can be said")
    return asked


def _voice_name(configuration: Configuration, wished: str | None, language: Language) -> str:
    """The languages of the voices that come with us are known without loading them."""
    names = [*([wished] if wished else []), *configuration.speak.voices]
    return choose_voice(
        {name: ("en",) if name == "light" else ("en", "zh") for name in names}, wished, language
    )


def _check(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise ConfigurationError(
            f"the text has {len(text)} characters; accepted: up to {LONGEST_TEXT}"
        )


def _pause(seconds: float) -> Segment:
    silence: NDArray[np.float32] = np.zeros(round(seconds * SPEECH_RATE), np.float32)
    return Segment(1, silence)
