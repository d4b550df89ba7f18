"""`RoomCensor`: what may not be spoken in a room."""

from agents.clause import Language
from pipeline.rooms.prompter import Censor


class RoomCensor(Censor):
    """Passes what holds none of the merchant's banned words.

    Args:
        banned: words, matched whatever their case.
    """

    def __init__(self, banned: tuple[str, ...]) -> None:
        self._banned = tuple(word.casefold() for word in banned if word.strip())

    def problems(self, text: str, language: Language) -> list[str]:
        """See `Censor`."""
        del language
        folded = text.casefold()
        return [f"{word!r} is banned" for word in self._banned if word in folded]

    def mend(self, text: str, language: Language) -> str | None:
        """See `Censor`."""
        return None if self.problems(text, language) else text
