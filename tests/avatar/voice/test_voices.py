"""What every voice of our own must do, on real models."""

import re
import time
from dataclasses import dataclass
from threading import Event, Timer

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt

from avatar.errors import AvatarValueError
from avatar.speech import SPEECH_RATE, Speech
from avatar.voice.base import Voice
from avatar.voice.loudness import TARGET_LUFS
from avatar.voice.measure import measure_loudness
from tests.avatar.voice.brands import SENTENCES, hear_brands
from tests.avatar.voice.conftest import Ear

TEXTS = {
    "en": "Hello there! She sells six fresh fish dishes, each for **$12** 🎉, and welcomes us.",
    "zh": "大家好，欢迎来到我们的小店！今天的披萨只要59元，四十分钟就送到。",
}
SPOKEN = [("light", "en"), ("kokoro", "en"), ("kokoro", "zh")]
SIBILANTS = {"s", "z", "ʃ", "tʃ", "dʒ", "ts", "tsʰ", "ʂ", "ɕ", "tɕ", "tɕʰ", "ʈʂ", "ʈʂʰ", "f"}


@dataclass(frozen=True)
class Said:
    language: str
    chunks: list[Speech]

    @property
    def samples(self) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        return np.concatenate([chunk.samples for chunk in self.chunks])


@pytest.fixture(scope="session", params=SPOKEN, ids="-".join)
def said(request: pytest.FixtureRequest) -> Said:
    name, language = request.param
    voice: Voice = request.getfixturevalue(name)
    return Said(language, list(voice.speak(TEXTS[language], language, cancelled=Event())))


def test_the_words_come_back(said: Said, ear: Ear) -> None:
    heard = ear(said.samples, said.language).replace(" ", "")
    fragments = {
        "en": ["hello", "freshfish", "dishes", "12", "welcome"],
        "zh": ["欢迎", "小店", "今天", "四十分钟|40分钟", "送到"],
    }[said.language]
    missing = [part for part in fragments if not re.search(part, heard)]
    assert not missing, heard


@pytest.mark.parametrize(("name", "language"), SPOKEN)
def test_a_sentence_always_sounds_alike(
    name: str, language: str, request: pytest.FixtureRequest
) -> None:
    voice: Voice = request.getfixturevalue(name)
    text = {"en": "Hello there, my friend.", "zh": "大家好。"}[language]
    first, again = (list(voice.speak(text, language, cancelled=Event())) for _ in range(2))
    assert [chunk.words for chunk in first] == [chunk.words for chunk in again]
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.samples, other.samples)


def test_the_longest_piece_finds_enough_noise(light: Voice) -> None:
    text = "Wonderful extraordinary conversations about internationally acclaimed restaurants " * 4
    longest = max(chunk.seconds for chunk in light.speak(text, "en", cancelled=Event(), speed=0.5))
    assert longest > 10


def test_chunks_are_sound_that_is_ready_to_send(said: Said) -> None:
    assert len(said.chunks) >= 2
    for chunk in said.chunks:
        assert chunk.samples.dtype == np.float32
        assert float(np.abs(chunk.samples).max()) <= 1.0
    first = said.chunks[0].samples
    assert float(np.abs(first[: SPEECH_RATE // 20]).max()) > 0.01, "sound begins within 50 ms"


def test_joints_are_no_louder_than_what_lies_around_them(said: Said) -> None:
    """A click is a step between two samples that speech would not make."""
    steps = np.abs(np.diff(said.samples))
    position = 0
    for chunk in said.chunks[:-1]:
        position += len(chunk.samples)
        assert steps[position - 1] < 0.01
        assert float(steps[position - 24 : position + 24].max()) <= np.quantile(steps, 0.9)


def test_words_are_those_of_the_text_in_order(said: Said) -> None:
    words = [word.text for chunk in said.chunks for word in chunk.words]
    shown = TEXTS[said.language]
    position = 0
    for word in words:
        position = shown.index(word, position) + len(word)
    joined = re.sub(r"[^\w$]", "", "".join(words))
    assert joined == re.sub(r"[^\w$]|\*", "", shown)
    if said.language == "en":
        assert "$12" in words


def test_times_run_forward_and_stay_inside(said: Said) -> None:
    for chunk in said.chunks:
        for items in (chunk.words, chunk.phones):
            times = [time for item in items for time in (item.start, item.end)]
            assert times == sorted(times)
            assert times[0] >= 0
            assert times[-1] <= chunk.seconds + 1e-6
        ends = [phone.end for phone in chunk.phones]
        starts = [phone.start for phone in chunk.phones]
        assert starts[1:] == ends[:-1], "phones follow each other without gaps"


def test_phones_are_where_they_are_heard(said: Said) -> None:
    """Hissing phones must lie where the sound hisses: within 25 ms over the whole text."""
    high_pass = butter(4, 4500, "hp", fs=SPEECH_RATE, output="sos")
    lags = range(-20, 21)
    score = np.zeros(len(lags))
    for chunk in said.chunks:
        hiss = sosfiltfilt(high_pass, chunk.samples)
        frames = len(hiss) // 120
        loud = np.sqrt((hiss[: frames * 120].reshape(frames, 120) ** 2).mean(1))
        wanted = np.zeros(frames)
        for phone in chunk.phones:
            if phone.ipa in SIBILANTS:
                wanted[int(phone.start * 200) : int(phone.end * 200)] = 1
        if wanted.any():
            score += [float(np.roll(wanted, lag) @ loud) for lag in lags]
    assert abs(lags[int(score.argmax())]) * 5 <= 25


def test_vowels_carry_stress_in_english(light: Voice) -> None:
    (chunk,) = light.speak("Banana", "en", cancelled=Event())
    stressed = [phone.ipa for phone in chunk.phones if phone.stress == 1]
    assert stressed == ["æ"]
    assert {phone.ipa for phone in chunk.phones} >= {"b", "ə", "n"}


@pytest.mark.parametrize("text", ["", "   ", "…", "🎉🎉", "(waves)", "**", "https://"])
def test_text_with_nothing_to_say_yields_nothing(text: str, light: Voice, kokoro: Voice) -> None:
    assert list(light.speak(text, "en", cancelled=Event())) == []
    assert list(kokoro.speak(text, "zh", cancelled=Event())) == []


@pytest.mark.parametrize(("language", "speed"), [("fr", 1.0), ("en", 0.1), ("en", 3.0)])
def test_what_is_not_accepted_is_refused_at_once(
    language: str, speed: float, light: Voice, kokoro: Voice
) -> None:
    for voice in (light, kokoro):
        with pytest.raises(AvatarValueError, match=r"'en'|0\.5 to 2\.0"):
            voice.speak("Hello", language, cancelled=Event(), speed=speed)


@pytest.mark.parametrize(("text", "language"), [("你好", "zh"), ("Say 你好", "en")])
def test_the_light_voice_says_that_it_speaks_english(
    text: str, language: str, light: Voice
) -> None:
    with pytest.raises(AvatarValueError, match=r"'light' does not speak 'zh'; it accepts 'en'"):
        light.speak(text, language, cancelled=Event())


def test_both_languages_in_one_sentence(kokoro: Voice, ear: Ear) -> None:
    chunks = list(kokoro.speak("这款手机叫iPhone 15 Pro，只要5999元。", "zh", cancelled=Event()))
    words = [word.text for chunk in chunks for word in chunk.words]
    assert words[-6:-3] == ["iPhone", "15", "Pro"]
    heard = ear(np.concatenate([chunk.samples for chunk in chunks]), "zh")
    assert re.search("iphone", heard), heard
    assert "5999" in heard


def test_speed_changes_the_length(light: Voice) -> None:
    def seconds(speed: float) -> float:
        chunks = light.speak("A long walk by the river.", "en", cancelled=Event(), speed=speed)
        return sum(chunk.seconds for chunk in chunks)

    assert seconds(0.7) > 1.6 * seconds(1.6)


def test_cancelling_stops_in_the_middle_of_a_run(kokoro: Voice) -> None:
    """The model is half-way through a long piece when the event is set."""
    cancelled = Event()
    moments: list[float] = []

    def cancel() -> None:
        moments.append(time.perf_counter())
        cancelled.set()

    text = "Wonderful extraordinary conversations about internationally acclaimed restaurants " * 4
    stream = kokoro.speak(text, "en", cancelled=cancelled)
    next(stream)
    Timer(0.3, cancel).start()
    rest = list(stream)
    stopped = time.perf_counter() - moments[0]
    assert rest == [], "the second piece takes longer than 0.3 s"
    assert stopped < 1.0  # 0.02 to 0.06 s on an idle machine


def test_a_cancelled_request_says_nothing(light: Voice) -> None:
    cancelled = Event()
    cancelled.set()
    assert list(light.speak("Hello", "en", cancelled=cancelled)) == []


@pytest.mark.parametrize("unit", ["pneumono", "你好世界", "9", "a-b/"])
def test_ten_thousand_characters_without_a_space(unit: str, kokoro: Voice) -> None:
    cancelled = Event()
    language = "zh" if unit == "你好世界" else "en"
    stream = kokoro.speak(unit * (10_000 // len(unit)), language, cancelled=cancelled)
    first = next(stream)
    cancelled.set()
    assert 0.3 < first.seconds < 30
    assert list(stream) == []


@pytest.mark.parametrize(("name", "language"), SPOKEN)
def test_loudness(name: str, language: str, request: pytest.FixtureRequest) -> None:
    voice: Voice = request.getfixturevalue(name)
    loudness = measure_loudness(voice, language)
    assert loudness.lufs == pytest.approx(TARGET_LUFS, abs=1.0)
    assert loudness.peak <= 1.0


def test_the_light_voice_makes_brand_names_understood(light: Voice, ear: Ear) -> None:
    heard = hear_brands(light, ear, SENTENCES[:6])
    # Of the first twenty sentences eleven are understood; its noise is the same each time.
    assert sum(item.understood for item in heard) >= 3, heard


def test_kokoro_makes_brand_names_understood(kokoro: Voice, ear: Ear) -> None:
    heard = hear_brands(kokoro, ear, SENTENCES[6:9])
    assert sum(item.understood for item in heard) >= 2, heard
