"""Which of what waits is said next."""

from collections.abc import Callable
from typing import Final

from agents.show.overload import worth
from agents.show.waiting import ASKING, PRESSING, Entry, Waiting, by_urgency

GREETING_GAP_S: Final = 20.0  # between greetings, when it is calm
THANKS_GAP_S: Final = 20.0  # between thanks, while somebody waits for an answer


class Precedence:
    """Chooses among what waits.

    The earliest deadline goes first, but greetings wait until it is calm, and thanks come in
    batches while questions wait: where many buy and give, thanks would leave no time for answers.
    Of many questions, one that many ask or that has just come goes first, as those that cannot be
    answered aloud in time are written.
    """

    def __init__(self, waiting: Waiting, now: Callable[[], float]) -> None:
        self._waiting = waiting
        self._now = now
        self._greeted_at = self._thanked_at = float("-inf")

    @property
    def busy(self) -> bool:
        """Whether somebody waits for an answer."""
        return any(one.kind in ASKING and one.state != "given" for one in self._waiting)

    def next(self, *, scripts_turn: bool, back: Entry | None = None) -> Entry | None:
        """Return what goes next, None where the script does.

        Args:
            scripts_turn: only an operator comes before the script now.
            back: were this entry taken back, which is being said.
        """
        able = self._waiting.ready() if back is None else [*self._waiting.ready(), back]
        ready = [
            one
            for one in by_urgency(able)
            if one.kind == "operator" or (not scripts_turn and self._may_speak(one))
        ]
        if not ready or ready[0].kind not in ("question", "talk"):
            return ready[0] if ready else None
        if not self._waiting.is_crowded(self._now()):
            return ready[0]
        return min((one for one in ready if one.kind in ASKING), key=worth)

    def given(self, entry: Entry) -> None:
        """Note that an entry is said."""
        if entry.kind in ("join", "follow"):
            self._greeted_at = self._now()
        elif entry.kind in ("order", "gift"):
            self._thanked_at = self._now()

    def _may_speak(self, entry: Entry) -> bool:
        now = self._now()
        if entry.kind in ("order", "gift"):
            return not self.busy or now - self._thanked_at >= THANKS_GAP_S
        if entry.kind in PRESSING or entry.deadline <= now:
            return True
        return not self.busy and now - self._greeted_at >= GREETING_GAP_S
