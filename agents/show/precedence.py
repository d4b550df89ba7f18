"""Which of what waits is said next."""

from collections.abc import Callable
from typing import Final

from agents.show.overload import worth
from agents.show.recent import is_recent
from agents.show.waiting import ASKING, PRESSING, Entry, Waiting, by_urgency

GREETING_GAP_S: Final = 20.0  # between greetings, when it is calm
THANKS_GAP_S: Final = 20.0  # between thanks, while somebody waits for an answer
CROWDED_GAP_S: Final = 20.0  # between thanks or greetings, while many wait

Late = Callable[[Entry], bool]


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

    def next(
        self, *, scripts_turn: bool, back: Entry | None = None, late: Late = lambda _: False
    ) -> Entry | None:
        """Return what goes next, None where the script does.

        Args:
            scripts_turn: only an operator comes before the script now.
            back: were this entry taken back, which is being said.
            late: says of a question whether its answer would begin late now.
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
        asking = (one for one in ready if one.kind in ASKING)
        return min(asking, key=lambda one: (late(one) and not one.preferred, worth(one)))

    def began(self, entry: Entry) -> None:
        """Note that an entry is heard: what is prepared may be withdrawn yet."""
        if entry.kind in ("join", "follow"):
            self._greeted_at = self._now()
        elif entry.kind in ("order", "gift"):
            self._thanked_at = self._now()

    def snapshot(self) -> list[float | None]:
        """Return when somebody was greeted and thanked last, as `restore` takes it."""
        times = (self._greeted_at, self._thanked_at)
        return [None if at == float("-inf") else at for at in times]

    def restore(self, greeted_at: float | None, thanked_at: float | None) -> None:
        """Go on as another stood."""
        never = float("-inf")
        self._greeted_at = never if greeted_at is None else greeted_at
        self._thanked_at = never if thanked_at is None else thanked_at

    def _may_speak(self, entry: Entry) -> bool:
        now, thanks = self._now(), entry.kind in ("order", "gift")
        if thanks or entry.kind in ("follow", "join"):
            last = max(self._greeted_at, self._thanked_at)
            if is_recent(last, now, CROWDED_GAP_S) and self._waiting.is_crowded(now):
                return False
        if thanks:
            return not self.busy or not is_recent(self._thanked_at, now, THANKS_GAP_S)
        if entry.kind in PRESSING or entry.deadline <= now:
            return True
        return not self.busy and not is_recent(self._greeted_at, now, GREETING_GAP_S)
