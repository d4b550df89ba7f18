"""`EndpointVoice`: any speech endpoint of the OpenAI shape, `POST {base}/audio/speech`."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Final

import httpx
import numpy as np

from avatar.errors import AvatarError
from avatar.speech import SPEECH_RATE, Speech
from avatar.voice.base import VoiceInfo
from avatar.voice.estimate import WordClock
from avatar.voice.normalise import normalise
from avatar.voice.request import check_language, check_speed

_LOOK_EVERY: Final = 0.02
_WAITING_CHUNKS: Final = 8
_CHUNK_BYTES: Final = 2 * SPEECH_RATE // 10
_FILE_STARTS: Final = {b"RIFF": "WAV", b"ID3": "MP3", b"OggS": "Ogg", b"fLaC": "FLAC"}
_FULL_SCALE: Final = 32768.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where speech is made.

    Attributes:
        base_url: up to and with the version, "http://127.0.0.1:8000/v1".
        model, voice: as the endpoint names them.
        api_key: sent as a bearer token where it is not "".
        languages: what the voice is good for.
        connect_s, read_s: how long to wait for a connection, and for each part of an answer.
    """

    base_url: str
    model: str = "tts-1"
    voice: str = "alloy"
    api_key: str = ""
    languages: tuple[str, ...] = ("en", "zh")
    connect_s: float = 3.0
    read_s: float = 15.0


class EndpointVoice:
    """Streams raw 24 kHz speech from an endpoint. Gives no phones; word times are estimates."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        name: str = "endpoint",
        lexicon: Mapping[str, str] | None = None,
    ) -> None:
        self.info = VoiceInfo(name, "endpoint", endpoint.languages, "of the endpoint", phones=False)
        self._endpoint = endpoint
        self._lexicon = dict(lexicon or {})
        headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
        timeout = httpx.Timeout(endpoint.read_s, connect=endpoint.connect_s)
        self._client = httpx.Client(headers=headers, timeout=timeout, trust_env=False)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        """See `Voice.speak`."""
        check_language(self.info, language)
        check_speed(speed)
        return self._speech(text, language, cancelled, speed)

    def _speech(self, text: str, language: str, cancelled: Event, speed: float) -> Iterator[Speech]:
        spoken = normalise(text, language, self._lexicon)
        if not spoken.spans or cancelled.is_set():
            return
        words = WordClock(spoken, speed)
        with closing(_Download(self._client, self._endpoint, spoken.text, speed)) as download:
            for pcm, last in _with_last(_even(download.chunks(cancelled))):
                samples = np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(_FULL_SCALE)
                if cancelled.is_set():
                    return
                yield Speech(samples, words.within(len(samples) / SPEECH_RATE, last))


class _Download:
    """An answer that is read by a thread of its own, so that whoever waits can stop waiting."""

    def __init__(self, client: httpx.Client, endpoint: Endpoint, text: str, speed: float) -> None:
        self._client = client
        self._url = f"{endpoint.base_url.rstrip('/')}/audio/speech"
        self._body = {
            "model": endpoint.model,
            "voice": endpoint.voice,
            "input": text,
            "response_format": "pcm",
            "speed": speed,
        }
        self._parts: Queue[bytes | AvatarError | None] = Queue(_WAITING_CHUNKS)
        self._stopped = Event()
        Thread(target=self._read, name="voice-endpoint", daemon=True).start()

    def close(self) -> None:
        self._stopped.set()

    def chunks(self, cancelled: Event) -> Iterator[bytes]:
        """Yield what arrives, until the end, an error, or `cancelled`."""
        while not cancelled.is_set():
            try:
                part = self._parts.get(timeout=_LOOK_EVERY)
            except Empty:
                continue
            if part is None:
                return
            if isinstance(part, AvatarError):
                raise part
            yield part

    def _read(self) -> None:
        """Fetch the answer; whatever happens, whoever waits learns of the end and of its reason."""
        end: AvatarError | None = AvatarError(f"{self._url}: reading broke off, see the log")
        try:
            self._try_twice()
            end = None
        except AvatarError as error:
            end = error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, RuntimeError) as error:
            # A plain RuntimeError: the client was closed meanwhile.
            end = self._failure(error)
        finally:
            self._put(end)

    def _try_twice(self) -> None:
        """A connection that cannot be made is tried again: nothing has been heard yet."""
        for again in (True, False):
            try:
                self._request()
            except httpx.ConnectError:
                if again:
                    continue
                raise
            return

    def _request(self) -> None:
        with self._client.stream("POST", self._url, json=self._body) as response:
            if response.status_code != httpx.codes.OK:
                raise self._refusal(response)
            first = True
            for part in response.iter_bytes(_CHUNK_BYTES):
                if first:
                    self._check_raw(part)
                first = False
                if not self._put(part):
                    return

    def _put(self, part: bytes | AvatarError | None) -> bool:
        """Hand `part` over; False when nobody waits for it any more."""
        while not self._stopped.is_set():
            try:
                self._parts.put(part, timeout=_LOOK_EVERY)
            except Full:
                continue
            return True
        return False

    def _refusal(self, response: httpx.Response) -> AvatarError:
        detail = response.read()[:200].decode("utf-8", "replace")
        busy = response.status_code == httpx.codes.TOO_MANY_REQUESTS
        again = "may help" if busy or response.is_server_error else "will not help"
        return AvatarError(
            f"{self._url} answered {response.status_code}, trying again {again}: {detail}"
        )

    def _failure(self, error: Exception) -> AvatarError:
        kind = type(error).__name__
        return AvatarError(f"{self._url} failed ({kind}: {error}), trying again may help")

    def _check_raw(self, start: bytes) -> None:
        for mark, kind in _FILE_STARTS.items():
            if start.startswith(mark):
                raise AvatarError(
                    f"{self._url} sent a {kind} file, trying again will not help: "
                    "only raw 16-bit samples at 24 kHz (response_format pcm) are accepted"
                )


def _even(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Cut where a sample ends: a network cuts anywhere."""
    rest = b""
    for part in parts:
        data = rest + part
        whole = len(data) // 2 * 2
        rest = data[whole:]
        if whole:
            yield data[:whole]


def _with_last(parts: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield (part, whether it is the last); some milliseconds are kept back to know the last."""
    kept = b""
    for part in parts:
        data = kept + part
        split = max(0, len(data) - _CHUNK_BYTES // 10 // 2 * 2)
        kept = data[split:]
        if split:
            yield data[:split], False
    if kept:
        yield kept, True
