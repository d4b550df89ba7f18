"""What the two sides of a conversation share: the turn machine, the history, the clock."""

import secrets
from collections.abc import Callable

from agents.brief import Brief
from agents.clause import Language
from agents.history import History
from encoder.recognizer import Transcript
from pipeline.backchannel import has_words
from pipeline.clock import Clock
from pipeline.events import SessionEvent
from pipeline.language import script_language
from pipeline.options import AS_EVER, Modality, ResponseWish, SessionOptions
from pipeline.reply import TurnClock
from pipeline.turns import TurnMachine


class Floor:
    """One session's conversation as far as it has come.

    Attributes:
        last_user: id of the newest item of the user in the history.
        unanswered: what the user said that got no answer they could hear.
    """

    def __init__(
        self,
        options: SessionOptions,
        history: History,
        clock: Clock,
        tell: Callable[[SessionEvent], None],
    ) -> None:
        self.history = history
        self.clock = clock
        self.tell = tell
        self.machine = TurnMachine()
        self.times = TurnClock()
        self.last_user: str | None = None
        self.unanswered = ""
        self._previous: str | None = None
        self._wishes: dict[int, ResponseWish] = {}
        self.options = options

    @property
    def options(self) -> SessionOptions:
        return self._options

    @options.setter
    def options(self, options: SessionOptions) -> None:
        self._options = options
        self.machine.interruptible = options.turn is None or options.turn.interrupt_response

    def wish(self, turn: int) -> ResponseWish:
        """Return what a client asked reply `turn` to be."""
        return self._wishes.get(turn, AS_EVER)

    def remember_wish(self, turn: int, wish: ResponseWish) -> None:
        """Keep what reply `turn` is to be; those before it are over."""
        self._wishes = {turn: wish}

    def brief(self, turn: int) -> Brief:
        """Return what the host may do in reply `turn`."""
        return self.wish(turn).brief or self._options.brief

    def modality(self, turn: int) -> Modality:
        """Return what reply `turn` is made of."""
        return self.wish(turn).modality or self._options.modality

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the person may speak."""
        language = self._options.language
        return ("en", "zh") if language == "auto" else (language,)

    def language_of(self, text: str) -> Language:
        """Return the language to answer a written text in."""
        if not text and self._options.language != "auto":
            return self._options.language
        return script_language(text)

    def mark(self, name: str, turn: int) -> None:
        """Note that `name` has happened in `turn`."""
        self.times.mark(turn, name, self.clock.now())

    def follow(self, item: str) -> str | None:
        """Make `item` the newest of the conversation; return the one before."""
        previous, self._previous = self._previous, item
        return previous

    def answers(self, transcript: Transcript) -> bool:
        """Whether an utterance is to be answered without being asked to."""
        turn = self._options.turn
        wanted = turn is not None and turn.create_response
        return wanted and transcript.speech and has_words(transcript.text)

    def question(self, text: str) -> str:
        """Return what is to be answered: what was said, after what was never answered."""
        return f"{self.unanswered} {text.strip()}".strip()


def new_id(kind: str) -> str:
    """Return an id nobody guesses, such as "item_1f…"."""
    return f"{kind}_{secrets.token_hex(10)}"
