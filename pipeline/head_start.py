"""What takes longest to load is begun first, while the rest of the program is still being imported.

So this imports little itself: neither torch nor anything of sessions.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from avatar.voice import Voice
from encoder.recognizer import Recognizer
from encoder.silero import SileroNetwork
from encoder.whisper import WhisperRecognizer
from pipeline.assets import Registry
from pipeline.configuration import Configuration
from pipeline.voices import load_voice
from pipeline.warming import warm_recognizer, warm_voice
from pipeline.worker import Worker

Note = Callable[[str], None]
Voices = dict[str, tuple[Voice, Worker]]


@dataclass(frozen=True, slots=True)
class HeadStart:
    """Voices by name, the default first, each with its worker; and what hears. Both on their way.

    Attributes:
        hurry: nothing is warmed up at its largest: that is left for later.
    """

    voices: "list[Future[tuple[str, Voice]]]"
    hearing: "Future[tuple[Recognizer, SileroNetwork]]"
    hurry: bool
    inbox: int

    def loaded(self) -> Voices:
        """Wait for the voices.

        Raises:
            AssetError: the files of one are missing.
            AvatarValueError: nobody is called that.
        """
        made = [voice.result() for voice in self.voices]
        return {name: (voice, Worker(f"voice {name}", inbox=self.inbox)) for name, voice in made}


def begin_loading(configuration: Configuration, note: Note, *, hurry: bool = False) -> HeadStart:
    """Begin to load voices and recognition on threads of their own; returns at once."""
    registry = Registry(configuration.cache)
    names = configuration.speak.voices
    note = one_at_a_time(note)
    # Each mostly waits for disk or computes outside the interpreter, so side by side they gain.
    loading = ThreadPoolExecutor(len(names) + 1, "loading")
    note("loading and warming up voices")
    voices = [
        loading.submit(_open_voice, name, configuration, registry, hurry=hurry) for name in names
    ]
    note("loading speech recognition")
    hearing = loading.submit(_open_hearing, configuration, registry, hurry=hurry)
    loading.shutdown(wait=False)
    return HeadStart(voices, hearing, hurry, 2 * configuration.server.sessions)


def one_at_a_time(note: Note) -> Note:
    """Return `note` for several threads."""
    lock = Lock()

    def told(text: str) -> None:
        with lock:
            note(text)

    return told


def _open_voice(
    name: str, configuration: Configuration, registry: Registry, *, hurry: bool
) -> tuple[str, Voice]:
    voice = load_voice(name, configuration.speak, registry)
    # The default voice speaks first; a short sentence makes its first one sound as soon as others.
    if not hurry or name == configuration.speak.voices[0]:
        warm_voice(voice, briefly=hurry)
    return name, voice


def _open_hearing(
    configuration: Configuration, registry: Registry, *, hurry: bool
) -> tuple[Recognizer, SileroNetwork]:
    recognizer = WhisperRecognizer(
        registry.folder(configuration.hear.recognizer), configuration.hear.threads
    )
    network = SileroNetwork(registry.folder("silero-vad") / "silero_vad.onnx")
    if not hurry:
        warm_recognizer(recognizer)
    return recognizer, network
