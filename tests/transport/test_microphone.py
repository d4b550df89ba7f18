"""The microphone: recordings as they are, in real time, with the moments of their speech."""

import asyncio
import json
import wave
from pathlib import Path

import numpy as np
import pytest
from aiortc.codecs import get_decoder
from aiortc.jitterbuffer import JitterFrame
from aiortc.mediastreams import MediaStreamError
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from av.audio.frame import AudioFrame

from pipeline.errors import ConfigurationError
from tests.transport.wire import write_recording
from transport.incoming import mono
from transport.microphone import Microphone, load_utterance

OPUS = RTCRtpCodecParameters(mimeType="audio/opus", clockRate=48_000, channels=2, payloadType=96)
CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "resampling.json"
OWN_CASES = [(8_000, 1), (22_050, 1), (44_100, 2), (48_000, 1), (16_000, 1)]


def rates() -> list[tuple[int, int]]:
    if not CASES.exists():
        return OWN_CASES
    return [(case["rate"], case["channels"]) for case in json.loads(CASES.read_text())["cases"]]


@pytest.mark.parametrize(("rate", "channels"), rates())
def test_a_sine_of_any_rate_stays_a_sine(tmp_path: Path, rate: int, channels: int) -> None:
    path = tmp_path / "sine.wav"
    tone = (12_000 * np.sin(2 * np.pi * 440 * np.arange(2 * rate) / rate)).astype(np.int16)
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, 2, rate, 0, "NONE", ""))
        file.writeframes(np.repeat(tone, channels).tobytes())
    samples = load_utterance(path).samples
    assert len(samples) == pytest.approx(96_000, abs=960)
    middle = samples[9_600:86_400].astype(np.float64)
    spectrum = np.abs(np.fft.rfft(middle * np.blackman(len(middle))))
    peak = int(spectrum.argmax())
    assert peak * 48_000 / len(middle) == pytest.approx(440, abs=1)
    rest = np.delete(spectrum, range(peak - 4, peak + 5))
    assert rest.max() < spectrum[peak] * 10 ** (-50 / 20)


def test_the_speech_of_a_recording_is_found_or_given(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "question.wav", 0.2, 0.5, 0.3)
    found = load_utterance(path)
    assert found.speech_start == pytest.approx(9_600, abs=720)
    assert found.speech_end == pytest.approx(33_600, abs=720)
    assert load_utterance(path, 0.6).speech_end == 28_800


@pytest.mark.parametrize("content", [b"", b"RIFF", b"hello" * 100])
def test_what_is_no_wav_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.wav"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"broken\.wav"):
        load_utterance(path)


def test_a_silent_or_missing_recording_is_named(tmp_path: Path) -> None:
    silent = write_recording(tmp_path / "silent.wav", 0.5, 0.0, 0.0)
    with pytest.raises(ConfigurationError, match="holds no sound"):
        load_utterance(silent)
    with pytest.raises(ConfigurationError, match=r"missing\.wav"):
        load_utterance(tmp_path / "missing.wav")


def test_wide_samples_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 3, 48_000, 0, "NONE", ""))
        file.writeframes(bytes(3 * 4_800))
    with pytest.raises(ConfigurationError, match="accepted: 16 bits"):
        load_utterance(path)


async def test_speech_is_spoken_when_it_says(tmp_path: Path) -> None:
    utterance = load_utterance(write_recording(tmp_path / "question.wav", 0.1, 0.2, 0.1))
    microphone, decoder, loop = Microphone(), get_decoder(OPUS), asyncio.get_running_loop()
    await microphone.recv()
    spoken = microphone.speak(utterance)
    loud = []
    for index in range(20):
        packet = await microphone.recv()
        assert packet.pts == 960 * (index + 1)
        (frame,) = decoder.decode(JitterFrame(bytes(packet), 0))
        assert isinstance(frame, AudioFrame)
        if np.abs(mono(frame)).max() > 0.05:
            loud.append(loop.time())
    moments = await spoken
    assert moments.speech_end - moments.speech_start == pytest.approx(0.2, abs=0.1)
    assert loud[0] - 0.02 == pytest.approx(moments.speech_start, abs=0.1)
    assert loud[-1] == pytest.approx(moments.speech_end, abs=0.1)


async def test_utterances_queue_and_a_stop_cancels_them(tmp_path: Path) -> None:
    utterance = load_utterance(write_recording(tmp_path / "question.wav", 0.02, 0.06, 0.0))
    microphone = Microphone()
    first, second, third = (microphone.speak(utterance) for _ in range(3))
    while not second.done():
        await microphone.recv()
    assert second.result().speech_start >= first.result().speech_end
    microphone.stop()
    assert third.cancelled()
    with pytest.raises(MediaStreamError):
        await microphone.recv()
