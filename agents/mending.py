"""Mends English words that were misheard, misspelt, split or joined."""

from collections.abc import Iterable, Sequence

from agents.tokens import COMMON_WORDS, Token, allowed_distance, distance, stem, tokenize

# Shorter words resemble too many others: "lard" is not "large".
_SHORTEST = 6
# Letters that sound alike are one, vowels none.
_CONSONANTS = str.maketrans("kqz", "ccs", "aeiouy")


class Mender:
    """Replaces unknown words by those of a vocabulary they resemble.

    Args:
        vocabulary: stems.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._vocabulary = frozenset(vocabulary)
        self._by_letter: dict[str, list[str]] = {}
        for key in sorted(self._vocabulary):
            self._by_letter.setdefault(key[0], []).append(key)

    def mend(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with known words in place of those that resemble them."""
        mended: list[Token] = []
        at = 0
        while at < len(tokens):
            pair = self._joined(tokens, at)
            if pair:
                mended.append(pair)
                at += 2
                continue
            mended.extend(self._guess(tokens[at]))
            at += 1
        return mended

    def _joined(self, tokens: Sequence[Token], at: int) -> Token | None:
        """Return a word that was heard as two, "deliver e" or "glue ten"."""
        if at + 1 >= len(tokens):
            return None
        left, right = tokens[at], tokens[at + 1]
        if left.key in self._vocabulary and right.key in self._vocabulary:
            return None
        whole = left.exact + right.exact
        if len(whole) < _SHORTEST or (left.stop and right.stop):
            return None
        near = [
            key
            for key in self._by_letter.get(whole[0], ())
            if abs(len(key) - len(whole)) <= 1 and distance(whole, key) <= 1 and _alike(whole, key)
        ]
        return Token(near[0], near[0], False) if near else None

    def _guess(self, token: Token) -> list[Token]:
        if token.stop or token.key in self._vocabulary or token.exact in COMMON_WORDS:
            return [token]
        for at in range(4, len(token.exact) - 2):
            left, right = token.exact[:at], token.exact[at:]
            if stem(left) in self._vocabulary and stem(right) in self._vocabulary:
                return tokenize(f"{left} {right}", "en")
        allowed = allowed_distance(token.key)
        near = [
            (distance(token.key, key), key)
            for key in self._by_letter.get(token.key[0], ())
            if abs(len(key) - len(token.key)) <= allowed and _alike(token.key, key)
        ]
        best = min(near, default=(99, ""))
        return [Token(best[1], best[1], False)] if best[0] <= allowed else [token]


def _alike(heard: str, key: str) -> bool:
    """Say whether a word may be guessed at all; short ones keep their consonants: "vegun"."""
    if len(key) >= _SHORTEST:
        return True
    return len(key) == _SHORTEST - 1 and heard.translate(_CONSONANTS) == key.translate(_CONSONANTS)
