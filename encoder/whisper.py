"""Speech recognition by Whisper through CTranslate2, on the seconds that were heard."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import ctranslate2
import numpy as np
from numpy.typing import NDArray

from encoder.errors import EncoderError, EncoderValueError
from encoder.features import log_mel
from encoder.recognizer import HEARING_RATE, Transcript
from encoder.tokens import PROMPTS, WhisperTokens, echoes, loop_start
from encoder.writing import implausible, tidy

LONGEST: Final = 30.0
"""Seconds: what the network can hear at once."""

SHORTEST: Final = 0.1
"""Seconds: anything shorter holds no word."""

POSITIONS: Final = 448
"""Tokens the decoder can hold, prompt included."""

SURE: Final = 0.8
"""The probability from which a language is kept for the rest of the utterance."""

UNSETTLED: Final = 3.0
"""Seconds of an utterance during which nothing is stable while its language is not sure."""


@dataclass(frozen=True, slots=True)
class Window:
    """How much the encoder hears: the utterance and `margin` of silence, rounded up to `step`.

    In seconds. `floor`: the least; below 5.5 s the network, trained on 30 s, begins to repeat
    itself. The whole 30 s (`WHOLE`) cost four to five times as much.
    """

    margin: float = 0.3
    step: float = 0.5
    floor: float = 6.0

    def frames(self, seconds: float) -> int:
        """Return the frames of 10 ms to encode for an utterance of `seconds`."""
        steps = math.ceil((seconds + self.margin) / self.step - 1e-9)
        return round(min(max(steps * self.step, self.floor), LONGEST) * 100)


WHOLE: Final = Window(floor=LONGEST)


@dataclass(frozen=True, slots=True)
class Decoded:
    """One greedy decode.

    Attributes:
        tokens: text tokens, the forced prefix included; a loop at the end is cut off.
        confidence: exp() of the mean log-probability of what was not forced, in [0, 1].
        silence: the probability of no speech, in [0, 1].
        repeats: whether a loop was cut off, or the last phrase stands there twice.
    """

    tokens: tuple[int, ...]
    confidence: float
    silence: float
    repeats: bool


class WhisperRecognizer:
    """A Recognizer for English and Mandarin; recognitions opened from it share the model.

    `folder`: model.bin, config.json, vocabulary.json, tokenizer.json of a multilingual Whisper in
    CTranslate2's format; it is quantised to int8 when loaded. `threads`: cores used by one decode.
    Raises EncoderError when the folder holds no such model.
    """

    def __init__(self, folder: Path, threads: int = 2, window: Window | None = None) -> None:
        if not (folder / "model.bin").is_file():
            raise EncoderError(f"no Whisper model in {folder}: model.bin is missing")
        self.window = window or Window()
        self.tokens = WhisperTokens(folder / "tokenizer.json")
        self._model = ctranslate2.models.Whisper(
            str(folder), device="cpu", compute_type="int8", inter_threads=1, intra_threads=threads
        )

    def open(self, languages: tuple[str, ...] = ("en", "zh")) -> "WhisperRecognition":
        """Begin an utterance in one of `languages`.

        Raises EncoderValueError for none at all or one that is not "en" or "zh".
        """
        unknown = [language for language in languages if language not in PROMPTS]
        if unknown or not languages:
            raise EncoderValueError(f"languages {languages}: accepted are {', '.join(PROMPTS)}")
        return WhisperRecognition(self, languages)

    def encode(
        self, samples: NDArray[np.float32], window: Window | None = None
    ) -> ctranslate2.StorageView:
        """Return the encoder's output for float32 [n] at 16 kHz, heard through `window`."""
        frames = (window or self.window).frames(samples.size / HEARING_RATE)
        features = log_mel(samples, frames)
        return self._model.encode(ctranslate2.StorageView.from_array(features[None]))

    def languages(self, encoded: ctranslate2.StorageView) -> dict[str, float]:
        """Return the probability of each language the network knows, by its code."""
        found = self._model.detect_language(encoded)[0]
        return {token.strip("<|>"): probability for token, probability in found}

    def decode(
        self,
        encoded: ctranslate2.StorageView,
        language: str,
        seconds: float,
        prefix: Sequence[int] = (),
    ) -> Decoded:
        """Decode greedily, continuing `prefix`. `seconds` of speech bound the tokens."""
        before = [*self.tokens.before(language), *prefix]
        budget = len(prefix) + 8 + math.ceil(8 * seconds)
        # CTranslate2 generates at most half of `max_length`, and less after a long prompt.
        result = self._model.generate(
            encoded,
            [before],
            beam_size=1,
            max_length=min(max(2 * budget, budget + len(before)), POSITIONS),
            return_scores=True,
            return_no_speech_prob=True,
        )[0]
        # The result repeats the prefix, whose tokens weigh nothing in the mean.
        tokens = tuple(token for token in result.sequences_ids[0] if token < self.tokens.end)
        drawn = (len(tokens) + 1) / (len(tokens) - len(prefix) + 1)
        confidence = min(math.exp(result.scores[0] * drawn), 1.0)
        sound = max(loop_start(tokens), len(prefix))
        repeats = sound < len(tokens) or echoes(tokens)
        return Decoded(tokens[:sound], confidence, result.no_speech_prob, repeats)


class WhisperRecognition:
    """A Recognition: one utterance, one thread.

    The stable text of `partial` is the prefix two consecutive decodes agree on (LocalAgreement-2,
    Machacek et al. 2023), kept as the decoder's prefix from then on. `final` decodes afresh.
    """

    def __init__(self, recognizer: WhisperRecognizer, languages: tuple[str, ...]) -> None:
        self._recognizer = recognizer
        self._languages = languages
        self._language = languages[0] if len(languages) == 1 else None
        self._stable: tuple[int, ...] = ()
        self._stable_text = ""
        self._previous: tuple[int, ...] = ()

    def partial(self, samples: NDArray[np.float32]) -> Transcript:
        """Decode the utterance so far, float32 [n] at 16 kHz, from its start; n up to 30 s."""
        if _seconds(samples) < SHORTEST:
            return self._nothing()
        encoded = self._recognizer.encode(samples)
        language = self._detect(encoded)
        decoded = self._recognizer.decode(encoded, language, _seconds(samples), self._stable)
        self._agree(decoded.tokens, language, _seconds(samples))
        rest = self._recognizer.tokens.text(decoded.tokens[len(self._stable) :])
        provisional = self._continued(rest, language)
        text = self._stable_text + provisional
        speech = bool(self._stable) or not implausible(text, decoded.confidence, decoded.silence)
        return Transcript(self._stable_text, provisional, language, decoded.confidence, speech)

    def final(self, samples: NDArray[np.float32]) -> Transcript:
        """Decode the finished utterance, float32 [n] at 16 kHz; n up to 30 s.

        Its text may differ from what `partial` called stable: a decode afresh knows the end.
        """
        seconds = _seconds(samples)
        if seconds < SHORTEST:
            return self._nothing()
        encoded = self._recognizer.encode(samples)
        language = self._detect(encoded)
        decoded = self._recognizer.decode(encoded, language, seconds)
        if decoded.repeats:
            # In a window shorter than its training the network may miss where speech ends.
            encoded = self._recognizer.encode(samples, WHOLE)
            decoded = self._recognizer.decode(encoded, language, seconds)
        text = tidy(self._recognizer.tokens.text(decoded.tokens), language).strip()
        speech = not implausible(text, decoded.confidence, decoded.silence)
        return Transcript(text if speech else "", "", language, decoded.confidence, speech)

    def _continued(self, text: str, language: str) -> str:
        """Return `text` as written after the stable text; an utterance begins without a space."""
        written = tidy(text, language, self._stable_text)
        return written if self._stable_text else written.lstrip()

    def _detect(self, encoded: ctranslate2.StorageView) -> str:
        """Return the likeliest allowed language; keep it once sure of it or once text stands."""
        if self._language:
            return self._language
        found = self._recognizer.languages(encoded)
        allowed = {language: found.get(language, 0.0) for language in self._languages}
        best = max(allowed, key=lambda language: allowed[language])
        if allowed[best] >= SURE:
            self._language = best
        return best

    def _agree(self, tokens: tuple[int, ...], language: str, seconds: float) -> None:
        agreed = _common(self._previous, tokens)
        self._previous = tokens
        if not self._language and seconds < UNSETTLED:
            return
        while len(agreed) > len(self._stable) and not self._whole(agreed, tokens):
            agreed = agreed[:-1]
        if len(agreed) <= len(self._stable):
            return
        added = self._recognizer.tokens.text(agreed[len(self._stable) :])
        self._stable_text += self._continued(added, language)
        self._stable = agreed
        self._language = language

    def _whole(self, agreed: tuple[int, ...], tokens: tuple[int, ...]) -> bool:
        """Tell whether `agreed` ends between words of `tokens`."""
        following = self._recognizer.tokens.text(tokens[len(agreed) :][:1])
        ending = self._recognizer.tokens.text(agreed[-1:])
        return bool(ending) and (following[:1] == " " or (ending[-1:] > "\u2e80" < following[:1]))

    def _nothing(self) -> Transcript:
        return Transcript(self._stable_text, "", self._language or self._languages[0], 0.0, False)


def _common(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    length = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        length += 1
    return second[:length]


def _seconds(samples: NDArray[np.float32]) -> float:
    if samples.dtype != np.float32 or samples.ndim != 1 or samples.size > LONGEST * HEARING_RATE:
        raise EncoderValueError(
            f"{samples.dtype} samples of shape {samples.shape}: "
            f"accepted is float32 [n] at 16 kHz, {LONGEST:.0f} s at most"
        )
    return samples.size / HEARING_RATE
