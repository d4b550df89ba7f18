"""A voice behind HTTP, against a real server on this machine."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread, Timer
from typing import Any

import numpy as np
import pytest

from avatar.errors import AvatarError, AvatarValueError
from avatar.speech import SPEECH_RATE
from avatar.voice.endpoint import Endpoint, EndpointVoice

SECONDS = 2.0
TONE = (0.5 * np.sin(np.arange(int(SECONDS * SPEECH_RATE)) * 2 * np.pi * 220 / SPEECH_RATE)).astype(
    np.float32
)
PCM = (TONE * 32767).astype("<i2").tobytes()


class Speaker(BaseHTTPRequestHandler):
    """Answers with a tone, cut at odd places; what it does else is in the server's attributes."""

    protocol_version = "HTTP/1.1"
    server: "SpeechServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))
        status, answer = self.server.answer
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(answer), 3001):
            part = answer[start : start + 3001]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()
            if start > 6000 and self.server.stalls:
                self.server.stalled.set()
                self.server.released.wait(30)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class SpeechServer(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Speaker)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.answer = (200, PCM)
        self.stalls = False
        self.stalled = Event()
        self.released = Event()

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is part of these tests."""


@contextmanager
def serving(server: SpeechServer) -> Iterator[SpeechServer]:
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def server() -> Iterator[SpeechServer]:
    with serving(SpeechServer()) as running:
        yield running


@contextmanager
def opened(server: SpeechServer, **options: Any) -> Iterator[EndpointVoice]:
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", **options)
    voice = EndpointVoice(endpoint)
    try:
        yield voice
    finally:
        voice.close()


def test_speech_arrives_whole(server: SpeechServer) -> None:
    with opened(server, model="m", voice="v", api_key="secret") as voice:
        chunks = list(voice.speak("It's **$5** 🎉", "en", cancelled=Event(), speed=1.25))
    samples = np.concatenate([chunk.samples for chunk in chunks])
    assert np.allclose(samples, TONE, atol=1e-3)
    assert len(chunks) > 5, "it is passed on as it comes"
    path, headers, body = server.requests[0]
    assert path == "/v1/audio/speech"
    assert headers["Authorization"] == "Bearer secret"
    assert body == {
        "model": "m",
        "voice": "v",
        "input": "It's five dollars",
        "response_format": "pcm",
        "speed": 1.25,
    }


def test_words_are_estimated_in_order_and_all_given(server: SpeechServer) -> None:
    with opened(server) as voice:
        chunks = list(voice.speak("Our pizza costs $5, and it is good.", "en", cancelled=Event()))
    assert [word.text for chunk in chunks for word in chunk.words] == [
        *("Our", "pizza", "costs", "$5", "and", "it", "is", "good")
    ]
    begin = 0.0
    starts = []
    for chunk in chunks:
        starts += [begin + word.start for word in chunk.words]
        begin += chunk.seconds
        assert not chunk.phones
    assert starts == sorted(starts)
    assert starts[4] > 0.8


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "will not help"), (429, "may help"), (503, "may help")]
)
def test_a_refusal_says_what_and_whether_to_retry(
    status: int, advice: str, server: SpeechServer
) -> None:
    server.answer = (status, b"no credit left")
    with opened(server) as voice, pytest.raises(AvatarError) as caught:
        list(voice.speak("Hello", "en", cancelled=Event()))
    message = str(caught.value)
    assert str(status) in message
    assert advice in message
    assert "no credit left" in message


def test_a_sound_file_is_refused(server: SpeechServer) -> None:
    server.answer = (200, b"RIFF" + PCM)
    with opened(server) as voice, pytest.raises(AvatarError, match=r"WAV.*pcm"):
        list(voice.speak("Hello", "en", cancelled=Event()))


def test_a_silent_endpoint_times_out(server: SpeechServer) -> None:
    server.stalls = True
    with opened(server, read_s=0.2) as voice, pytest.raises(AvatarError, match="ReadTimeout"):
        list(voice.speak("Hello", "en", cancelled=Event()))


def test_cancelling_does_not_wait_for_the_endpoint(server: SpeechServer) -> None:
    server.stalls = True
    cancelled = Event()
    with opened(server, read_s=20.0) as voice:
        stream = voice.speak("Hello", "en", cancelled=cancelled)
        assert next(stream).seconds > 0
        assert server.stalled.wait(10)
        cancelled.set()
        assert list(stream) == []


def test_nothing_to_say_asks_for_nothing(server: SpeechServer) -> None:
    with opened(server) as voice:
        assert list(voice.speak("🎉 ...", "en", cancelled=Event())) == []
    assert server.requests == []


def test_nobody_listening_is_reported_after_a_second_try() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    voice = EndpointVoice(Endpoint(f"http://127.0.0.1:{port}/v1"))
    with pytest.raises(AvatarError, match=r"ConnectError.*may help"):
        list(voice.speak("Hello", "en", cancelled=Event()))
    voice.close()


@pytest.fixture
def unlucky(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The first connection fails, as if the server opened between the first try and the second."""
    tries: list[Any] = []
    connect = socket.create_connection

    def try_to_connect(*arguments: Any, **options: Any) -> socket.socket:
        tries.append(arguments)
        if len(tries) == 1:
            raise ConnectionRefusedError("not yet")
        return connect(*arguments, **options)

    monkeypatch.setattr(socket, "create_connection", try_to_connect)
    return tries


def test_a_connection_that_fails_once_is_tried_again(
    server: SpeechServer, unlucky: list[Any]
) -> None:
    with opened(server) as voice:
        chunks = list(voice.speak("Hello", "en", cancelled=Event()))
    assert sum(chunk.seconds for chunk in chunks) == pytest.approx(SECONDS, abs=0.01)
    assert len(unlucky) == 2


@pytest.mark.parametrize(
    ("answer", "reason"), [((503, b"starting"), "503"), ((200, b"ID3" + PCM), "MP3")]
)
def test_a_second_try_that_is_refused_is_reported(
    answer: tuple[int, bytes], reason: str, server: SpeechServer, unlucky: list[Any]
) -> None:
    server.answer = answer
    with opened(server) as voice, pytest.raises(AvatarError, match=reason):
        hear_within(5.0, voice)
    assert len(unlucky) == 2


@pytest.mark.parametrize("address", ["http://[::1/v1", "nowhere", "http://a:b:c/v1"])
def test_an_address_that_is_none_is_reported(address: str) -> None:
    voice = EndpointVoice(Endpoint(address))
    with pytest.raises(AvatarError, match="failed"):
        hear_within(5.0, voice)
    voice.close()


def test_a_voice_that_was_closed_is_reported(server: SpeechServer) -> None:
    with opened(server) as voice:
        voice.close()
        with pytest.raises(AvatarError, match="closed"):
            hear_within(5.0, voice)


def hear_within(seconds: float, voice: EndpointVoice) -> None:
    """Listen to the end; a voice that reaches none is cancelled and raises nothing."""
    cancelled = Event()
    limit = Timer(seconds, cancelled.set)
    limit.start()
    try:
        list(voice.speak("Hello", "en", cancelled=cancelled))
    finally:
        limit.cancel()


def test_languages_are_those_of_the_endpoint(server: SpeechServer) -> None:
    with opened(server, languages=("en",)) as voice, pytest.raises(AvatarValueError, match="'en'"):
        voice.speak("你好", "zh", cancelled=Event())
