"""`Alarms`: what operators must know, told once, and told to be over."""

from collections.abc import Callable
from itertools import count
from typing import Final, Literal

from pipeline.rooms.board import Board
from pipeline.rooms.state import AlertView

Level = Literal["info", "warning", "error"]
Keep = Callable[[AlertView], None]

# How bad each is. What has an end stays on until it is over; the others are told and over at once.
LEVELS: Final[dict[str, Level]] = {
    "model_failing": "warning",
    "voice_fallback": "warning",
    "database_full": "error",
    "database_lost": "error",
    "database_failed": "error",
    "silence": "error",
    "pictures_late": "warning",
    "flood": "warning",
    "line_left_out": "warning",
    "line_mended": "info",
    "line_failed": "warning",
    "rundown_over": "warning",
    "session_broke": "error",
    "scene_refused": "warning",
    "answering_failed": "warning",
    "recording_failed": "warning",
}


class Alarms:
    """The alerts of one room.

    Args:
        board: shows them.
        keep: writes one down.
        now: seconds since the epoch by the room's clock.
        first: number of the first alert; ids grow over restarts.
    """

    def __init__(self, board: Board, keep: Keep, now: Callable[[], float], first: int = 1) -> None:
        self._board = board
        self._keep = keep
        self._now = now
        self._numbers = count(first)
        self._standing: dict[str, AlertView] = {}

    @property
    def standing(self) -> tuple[str, ...]:
        """Codes of what is not over."""
        return tuple(self._standing)

    def sound(self, code: str, message: str, **values: str | float) -> None:
        """Tell of something that lasts, once, until `over`."""
        if code not in self._standing:
            self._standing[code] = self._told(code, message, values, None)

    def over(self, code: str) -> None:
        """Tell that it is over. No-op where it does not stand."""
        alert = self._standing.pop(code, None)
        if alert is not None:
            self._show(alert.model_copy(update={"ended_at": self._now()}))

    def set(self, code: str, message: str | None, **values: str | float) -> None:
        """Tell of it where there is a message, else that it is over."""
        if message is None:
            self.over(code)
        else:
            self.sound(code, message, **values)

    def note(self, code: str, message: str, **values: str | float) -> None:
        """Tell of something that is over as it is told."""
        self._told(code, message, values, self._now())

    def acknowledge(self, alert_id: str) -> bool:
        """Take an alert off the board; what lasts is not told again before it is over."""
        known = self._board.entry("alerts", alert_id) is not None
        self._board.remove("alerts", alert_id)
        return known

    def _told(
        self, code: str, message: str, values: dict[str, str | float], ended_at: float | None
    ) -> AlertView:
        alert = AlertView(
            id=f"a{next(self._numbers)}",
            at=self._now(),
            level=LEVELS[code],
            code=code,
            message=message,
            values=values,
            ended_at=ended_at,
        )
        self._show(alert, fresh=True)
        return alert

    def _show(self, alert: AlertView, *, fresh: bool = False) -> None:
        if fresh or self._board.entry("alerts", alert.id) is not None:
            self._board.put("alerts", alert)
        self._keep(alert)
