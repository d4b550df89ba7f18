"""English words become phonemes."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from avatar.voice.alphabet import KOKORO_IDS
from avatar.voice.english import pronounce


def said(text: str) -> list[str]:
    words = text.split()
    return pronounce(words, [""] * (len(words) - 1) + ["."])


def test_words_keep_their_places() -> None:
    assert said("the nine o'clock well-known paper's") == [
        *("ðə", "nˈIn", "əklˈɑk", "wˌɛlnˈOn", "pˈApəɹz")
    ]


def test_the_article_depends_on_the_next_sound() -> None:
    assert said("the apple")[0] == "ði"
    assert said("the pear")[0] == "ðə"


@pytest.mark.parametrize(
    ("text", "index", "symbols"),
    [
        ("The A four paper", 1, "ˈA"),
        ("A friend", 0, "ɐ"),
        ("our US shop", 1, "jˌuˈɛs"),
        ("join us", 1, "ˌʌs"),
        ("NASA", 0, "nˈæsə"),
    ],
)
def test_letters_and_words(text: str, index: int, symbols: str) -> None:
    assert said(text)[index].replace("ˈʌs", "ˌʌs") == symbols


@pytest.mark.parametrize(
    "word", ["Zentrova", "Kilobyx", "café", "xqzt", "WiFi", "McFlurry", "I'll"]
)
def test_unknown_words_sound_too(word: str) -> None:
    (symbols,) = said(word)
    assert len(symbols) >= 3
    assert set(symbols) <= KOKORO_IDS.keys()


@pytest.mark.parametrize("word", ["x" * 10_000, "qu-" * 3_000, "zentrova" * 1_000])
def test_a_word_that_is_no_word_does_not_take_long(word: str) -> None:
    begin = time.thread_time()
    assert said(word)[0]
    assert time.thread_time() - begin < 10


def test_threads_do_not_mix_their_words() -> None:
    texts = [
        "the quick brown fox",
        "she sells sea shells",
        "Zentrova is here",
        "an apple a day",
    ] * 8
    alone = [said(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(said, texts)) == alone
