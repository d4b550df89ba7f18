"""The token vocabulary of Whisper: what is put before a decode, and what comes back as text."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tokenizers import Tokenizer

from encoder.errors import EncoderError, EncoderValueError

PROMPTS: Final = {"en": "", "zh": "大家好，欢迎来到直播间。今天，我们聊一聊。"}
"""Text the decoder takes as spoken just before, by language.

Mandarin needs it: without, the network writes Traditional or Simplified characters by chance and
leaves punctuation out.
"""


LONGEST_LOOP: Final = 30
SHORTEST_RUN: Final = 8
SHORTEST_ECHO: Final = 4


def loop_start(tokens: Sequence[int]) -> int:
    """Return where a loop at the end of `tokens` begins to repeat itself; their number if none.

    A decoder that has lost its place writes the same phrase until it is stopped. A loop is a phrase
    of up to 30 tokens that comes three times or more, and repeats for 8 tokens at least: "no, no,
    no" is none.
    """
    for period in range(1, min(LONGEST_LOOP, len(tokens) // 3) + 1):
        run = 0
        while run < len(tokens) - period and tokens[-1 - run] == tokens[-1 - run - period]:
            run += 1
        if run >= max(2 * period, SHORTEST_RUN):
            return len(tokens) - run
    return len(tokens)


def echoes(tokens: Sequence[int]) -> bool:
    """Tell whether `tokens` end with a phrase of 4 tokens or more that stands just before it too.

    A decoder that misses the end of what it hears writes its last sentence once more; a speaker may
    say a sentence twice as well, so this is a suspicion. The marks between and after the two may
    differ.
    """
    for end in (len(tokens), len(tokens) - 1):
        for phrase in range(SHORTEST_ECHO, end // 2 + 1):
            for gap in (0, 1):
                first = end - 2 * phrase - gap
                if first >= 0 and tokens[end - phrase : end] == tokens[first : first + phrase]:
                    return True
    return False


class WhisperTokens:
    """Encodes prompts and decodes results for the languages of PROMPTS.

    `path`: the tokenizer.json beside the model. Raises EncoderError when it is missing or is not a
    multilingual Whisper vocabulary.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise EncoderError(f"no Whisper vocabulary at {path}")
        self._tokenizer = Tokenizer.from_file(str(path))
        self.end = self._special("<|endoftext|>")
        self._before = {language: self._prompt(language) for language in PROMPTS}

    def before(self, language: str) -> list[int]:
        """Return the tokens to begin a decode in `language` with.

        Raises EncoderValueError for a language without a prompt.
        """
        if language not in self._before:
            raise EncoderValueError(
                f"language {language!r}: accepted are {', '.join(sorted(self._before))}"
            )
        return list(self._before[language])

    def text(self, tokens: Sequence[int]) -> str:
        """Return the text of `tokens`, special ones left out.

        A character whose bytes are not complete yet is left out too.
        """
        written: str = self._tokenizer.decode(list(tokens), skip_special_tokens=True)
        return written.rstrip("\ufffd")

    def _prompt(self, language: str) -> list[int]:
        begin = ["<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>"]
        tokens = [self._special(name) for name in begin]
        if not PROMPTS[language]:
            return tokens
        earlier = self._tokenizer.encode(PROMPTS[language], add_special_tokens=False).ids
        return [self._special("<|startofprev|>"), *earlier, *tokens]

    def _special(self, name: str) -> int:
        token = self._tokenizer.token_to_id(name)
        if token is None:
            raise EncoderError(f"the Whisper vocabulary lacks {name}: a multilingual one is needed")
        return int(token)
