"""Loads what the configuration names, side by side, and makes the engine of it."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from agents.catalogue import load_catalogue, load_persona
from agents.clause import LANGUAGES
from agents.endpoint_model import EndpointModel
from agents.errors import AgentError, AgentValueError
from agents.host import Host
from agents.llm import LanguageModel
from agents.local_model import LocalModel
from agents.phrasing import CAPABLE
from agents.retrieve import Embedder
from avatar.errors import AvatarError, AvatarValueError
from encoder.errors import EncoderError
from encoder.silero import SileroVad
from pipeline.assets import Registry
from pipeline.configuration import RULES, Configuration, MoveSettings, secret
from pipeline.draw_worker import DrawWorker
from pipeline.drawing import DrawSettings, live_threads
from pipeline.embedding import kept_batches, open_embedder
from pipeline.engine import LiveEngine, Models
from pipeline.errors import ConfigurationError
from pipeline.folders import avatar_folder, body_folder
from pipeline.gestures import live_movers
from pipeline.head_start import HeadStart, Note, Voices, begin_loading, one_at_a_time
from pipeline.looks import Looks
from pipeline.privacy import open_keeper
from pipeline.probe import FlashMover
from pipeline.rehearsal import RehearsedVoice
from pipeline.voices import choose_voice
from pipeline.warming import warm_recognizer

Rehearsals = dict[str, tuple[RehearsedVoice, dict[str, list[str]]]]

# Backends that run here, and so take their time for a first clause.
LOCAL_BACKENDS: Final = ("kokoro", "piper")


def build_engine(
    configuration: Configuration, progress: Note | None = None, *, head: HeadStart | None = None
) -> LiveEngine:
    """Load the models the configuration names and return an engine ready to talk. Blocks.

    Args:
        head: what has begun to load; where it hurries, pictures come when they can be drawn, and
            the rest is loaded and warmed up once somebody has been heard for a while: a room that
            was on air when the process died is back sooner.

    Raises:
        AssetError: a model file is missing.
        ConfigurationError: a backend cannot be made as configured.
    """
    note = one_at_a_time(progress or (lambda _: None))
    head = head or begin_loading(configuration, note)
    registry = Registry(configuration.cache)
    try:
        return _build(configuration, registry, note, head)
    except (AgentValueError, AvatarValueError, EncoderError, AgentError, AvatarError) as error:
        raise ConfigurationError(str(error)) from error


def _build(
    configuration: Configuration, registry: Registry, note: Note, head: HeadStart
) -> LiveEngine:
    flash = configuration.draw.renderer == "flash"
    looks = Looks(
        configuration.cache, configuration.draw, drawn=configuration.draw.renderer == "opengl"
    )
    looks.scenes.get(configuration.draw.scene)
    looks.styles.get(configuration.draw.style)
    draw = partial(_start_drawing, configuration, looks, note, hurry=head.hurry)
    with ThreadPoolExecutor(3, "loading") as loading:
        # In a hurry the processor is the voice's: pictures come a few seconds later.
        drawing = None if head.hurry else loading.submit(draw)
        thinking = loading.submit(_open_host, configuration, registry, note, hurry=head.hurry)
        moving = loading.submit(live_movers, MoveSettings(RULES) if flash else configuration.move)
    host, model, embedder = thinking.result()
    movers, gestures = moving.result()
    recognizer, network = head.hearing.result()
    voices = head.loaded()
    draw_worker = draw() if drawing is None else drawing.result()
    rehearsals: Rehearsals = {}
    if configuration.speak.rehearse:
        voices, rehearsals = _rehearsing(voices, host, configuration, registry)
    later: list[Callable[[], object]] = []
    for voice, texts in rehearsals.values():
        if head.hurry:
            later.append(partial(voice.rehearse, texts, kept=True))
        else:
            note("rehearsing the openings of ready answers (the first time takes a minute)")
            voice.rehearse(texts)
    if head.hurry:
        later.append(partial(warm_recognizer, recognizer))
    models = Models(
        host=host,
        recognizer=recognizer,
        voices=voices,
        vad=lambda: SileroVad(network),
        mover=(lambda _seed: FlashMover()) if flash else movers,
        gestures=gestures,
        looks=looks,
        drawing=draw_worker,
        language_model=model,
        phrasing=CAPABLE if configuration.think.model == "endpoint" else None,
        embedder=embedder,
    )
    return LiveEngine(
        models,
        limit=configuration.server.sessions,
        size=(configuration.draw.width, configuration.draw.height),
        most_pixels=configuration.draw.most_pixels,
        keeper=open_keeper(configuration),
        later=later,
    )


def _open_host(
    configuration: Configuration, registry: Registry, note: Note, *, hurry: bool
) -> tuple[Host, LanguageModel | None, Embedder | None]:
    note("loading the host")
    model = _open_model(configuration, registry)
    embedder = _embedder(configuration.think.embedder, hurry=hurry)
    host = Host(
        load_catalogue(configuration.think.catalogue),
        load_persona(configuration.think.persona),
        model=model,
        phrasing=CAPABLE if configuration.think.model == "endpoint" else None,
        embedder=embedder and kept_batches(embedder, configuration.cache / "meanings"),
    )
    return host, model, embedder


def _rehearsing(
    voices: Voices, host: Host, configuration: Configuration, registry: Registry
) -> tuple[Voices, Rehearsals]:
    """Return voices of which the default one of each language can rehearse, and what."""
    spoken = {name: voice.info.languages for name, (voice, _) in voices.items()}
    lines: dict[str, dict[str, list[str]]] = {}
    for language in LANGUAGES:
        if any(language in languages for languages in spoken.values()):
            name = choose_voice(spoken, None, language)
            lines.setdefault(name, {})[language] = host.openings(language)
    able, rehearsals = dict(voices), {}
    for name, texts in lines.items():
        voice, worker = voices[name]
        if voice.info.backend in LOCAL_BACKENDS:
            mark = _mark(configuration, registry)
            ready = RehearsedVoice(voice, configuration.cache / "speech", mark)
            able[name] = (ready, worker)
            rehearsals[name] = (ready, texts)
    return able, rehearsals


def _mark(configuration: Configuration, registry: Registry) -> str:
    """Return what besides the words shapes a rehearsed line: the voices' files, the lexicon."""
    files = [f.sha256 for name in ("kokoro-82m", "piper-joe") for f in registry.asset(name).files]
    return json.dumps([files, configuration.speak.lexicon], sort_keys=True)


def _start_drawing(
    configuration: Configuration, looks: Looks, note: Note, *, hurry: bool
) -> DrawWorker | None:
    if configuration.draw.renderer == "none":
        return None
    note("preparing the figure (the first time takes about a minute)")
    worker = DrawWorker(
        DrawSettings(
            configuration.draw.renderer,
            avatar_folder(configuration.cache),
            body_folder(configuration.cache),
            looks.avatars.get(configuration.draw.avatar),
            threads=live_threads(),
        )
    )
    worker.start(wait=not hurry)
    return worker


def _open_model(configuration: Configuration, registry: Registry) -> LanguageModel | None:
    think = configuration.think
    if think.model == "none":
        return None
    if think.model == "endpoint":
        return EndpointModel(think.url, think.name, secret(think.key_variable))
    return LocalModel(registry.folder("smollm2-135m-instruct") / "model.gguf")


def _embedder(name: str, *, hurry: bool) -> Embedder | None:
    if name == "none":
        return None
    embedder = open_embedder()
    if not hurry:
        embedder(["warm"])  # its first call loads for seconds
    return embedder
