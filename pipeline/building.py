"""Loads what the configuration names, side by side, and makes the engine of it."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
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
from avatar.voice import Voice
from encoder.errors import EncoderError
from encoder.recognizer import Recognizer
from encoder.silero import SileroNetwork, SileroVad
from encoder.whisper import WhisperRecognizer
from pipeline.assets import Registry
from pipeline.configuration import RULES, Configuration, MoveSettings, secret
from pipeline.draw_worker import DrawWorker
from pipeline.drawing import DrawSettings, live_threads
from pipeline.embedding import open_embedder
from pipeline.engine import LiveEngine, Models
from pipeline.errors import ConfigurationError
from pipeline.folders import avatar_folder, body_folder
from pipeline.gestures import live_movers
from pipeline.looks import Looks
from pipeline.privacy import open_keeper
from pipeline.probe import FlashMover
from pipeline.rehearsal import RehearsedVoice
from pipeline.voices import choose_voice, load_voice
from pipeline.warming import warm_recognizer, warm_voice
from pipeline.worker import Worker

Note = Callable[[str], None]
Voices = dict[str, tuple[Voice, Worker]]

# Backends that run here, and so take their time for a first clause.
LOCAL_BACKENDS: Final = ("kokoro", "piper")


def build_engine(
    configuration: Configuration, progress: Note | None = None, *, hurry: bool = False
) -> LiveEngine:
    """Load the models the configuration names and return an engine ready to talk. Blocks.

    Args:
        hurry: voices warm up by the first lines they speak, not before: a room that was on air
            when the process died is back sooner.

    Raises:
        AssetError: a model file is missing.
        ConfigurationError: a backend cannot be made as configured.
    """
    note = _one_at_a_time(progress or (lambda _: None))
    registry = Registry(configuration.cache)
    try:
        return _build(configuration, registry, note, hurry=hurry)
    except (AgentValueError, AvatarValueError, EncoderError, AgentError, AvatarError) as error:
        raise ConfigurationError(str(error)) from error


def _build(
    configuration: Configuration, registry: Registry, note: Note, *, hurry: bool
) -> LiveEngine:
    flash = configuration.draw.renderer == "flash"
    looks = Looks(
        configuration.cache, configuration.draw, drawn=configuration.draw.renderer == "opengl"
    )
    looks.scenes.get(configuration.draw.scene)
    looks.styles.get(configuration.draw.style)
    # Each mostly waits for disk or computes outside the interpreter, so two at a time gain.
    with ThreadPoolExecutor(4, "loading") as loading:
        drawing = loading.submit(_start_drawing, configuration, looks, note)
        hearing = loading.submit(_open_hearing, configuration, registry, note)
        speaking = loading.submit(_open_voices, configuration, registry, note, hurry=hurry)
        thinking = loading.submit(_open_host, configuration, registry, note)
        moving = loading.submit(live_movers, MoveSettings(RULES) if flash else configuration.move)
    draw_worker = drawing.result()
    recognizer, network = hearing.result()
    host, model, embedder = thinking.result()
    voices = speaking.result()
    if configuration.speak.rehearse:
        note("rehearsing the openings of ready answers (the first time takes a minute)")
        voices = _rehearse(voices, host, configuration, registry)
    movers, gestures = moving.result()
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
    )


def _one_at_a_time(note: Note) -> Note:
    lock = Lock()

    def told(text: str) -> None:
        with lock:
            note(text)

    return told


def _open_hearing(
    configuration: Configuration, registry: Registry, note: Note
) -> tuple[Recognizer, SileroNetwork]:
    note("loading speech recognition")
    recognizer = WhisperRecognizer(
        registry.folder(configuration.hear.recognizer), configuration.hear.threads
    )
    network = SileroNetwork(registry.folder("silero-vad") / "silero_vad.onnx")
    warm_recognizer(recognizer)
    return recognizer, network


def _open_voices(
    configuration: Configuration, registry: Registry, note: Note, *, hurry: bool
) -> Voices:
    note("loading and warming up voices")
    voices: Voices = {}
    for name in configuration.speak.voices:
        voice = load_voice(name, configuration.speak, registry)
        if not hurry:
            warm_voice(voice)
        worker = Worker(f"voice {name}", inbox=2 * configuration.server.sessions)
        voices[name] = (voice, worker)
    return voices


def _open_host(
    configuration: Configuration, registry: Registry, note: Note
) -> tuple[Host, LanguageModel | None, Embedder | None]:
    note("loading the host")
    model = _open_model(configuration, registry)
    embedder = _embedder(configuration.think.embedder)
    host = Host(
        load_catalogue(configuration.think.catalogue),
        load_persona(configuration.think.persona),
        model=model,
        phrasing=CAPABLE if configuration.think.model == "endpoint" else None,
        embedder=embedder,
    )
    return host, model, embedder


def _rehearse(
    voices: Voices,
    host: Host,
    configuration: Configuration,
    registry: Registry,
) -> Voices:
    """Let the default voice of each language rehearse."""
    spoken = {name: voice.info.languages for name, (voice, _) in voices.items()}
    lines: dict[str, dict[str, list[str]]] = {}
    for language in LANGUAGES:
        if any(language in languages for languages in spoken.values()):
            name = choose_voice(spoken, None, language)
            lines.setdefault(name, {})[language] = host.openings(language)
    rehearsed = dict(voices)
    for name, texts in lines.items():
        voice, worker = voices[name]
        if voice.info.backend in LOCAL_BACKENDS:
            mark = _mark(configuration, registry)
            ready = RehearsedVoice(voice, configuration.cache / "speech", mark)
            ready.rehearse(texts)
            rehearsed[name] = (ready, worker)
    return rehearsed


def _mark(configuration: Configuration, registry: Registry) -> str:
    """Return what besides the words shapes a rehearsed line: the voices' files, the lexicon."""
    files = [f.sha256 for name in ("kokoro-82m", "piper-joe") for f in registry.asset(name).files]
    return json.dumps([files, configuration.speak.lexicon], sort_keys=True)


def _start_drawing(configuration: Configuration, looks: Looks, note: Note) -> DrawWorker | None:
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
    worker.start()
    return worker


def _open_model(configuration: Configuration, registry: Registry) -> LanguageModel | None:
    think = configuration.think
    if think.model == "none":
        return None
    if think.model == "endpoint":
        return EndpointModel(think.url, think.name, secret(think.key_variable))
    return LocalModel(registry.folder("smollm2-135m-instruct") / "model.gguf")


def _embedder(name: str) -> Embedder | None:
    if name == "none":
        return None
    embedder = open_embedder()
    embedder(["warm"])  # its first call loads for seconds
    return embedder
