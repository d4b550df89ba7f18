"""What a rule of the grammar is, and what all rules share."""

import re
from collections.abc import Callable, Iterator

from avatar.voice.reading import Reader, Sign

Place = tuple[str, int, int]
"""Words as said, and the slice of the text that they say."""

Rule = Callable[[re.Match[str], Reader], Iterator[Place]]


def whole(match: re.Match[str], said: str) -> Iterator[Place]:
    """Say all of the match as one place."""
    yield said, match.start(), match.end()


def silent(_match: re.Match[str], _reader: Reader) -> Iterator[Place]:
    """Say nothing."""
    return iter(())


def of_sign(sign: Sign) -> Rule:
    """Return the rule that says the word for `sign`."""

    def say(match: re.Match[str], reader: Reader) -> Iterator[Place]:
        return whole(match, reader.sign(sign))

    return say


def plain(number: str | None) -> str:
    """Return a number without commas, and with a nought before a leading point."""
    bare = (number or "").replace(",", "")
    return f"0{bare}" if bare.startswith(".") else bare


def before(match: re.Match[str], letters: int = 24) -> str:
    """Return the text just before the match."""
    return match.string[max(0, match.start() - letters) : match.start()]


def after(match: re.Match[str], letters: int = 24) -> str:
    """Return the text just after the match."""
    return match.string[match.end() : match.end() + letters]
