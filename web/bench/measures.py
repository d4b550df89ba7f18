"""What is measured of a room that was on air: waits, shares, gaps, repeats, figures."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from agents.shop.truth import FigureCheck
from pipeline.contract import WIRE_RATE, EncodedPicture, PoseFrame, SoundFrame
from pipeline.events import SessionEvent
from transport.measure import percentile

HOUR_S: Final = 3600.0
# What is said anew each time anybody asks.
_ASKED: Final = ("answer", "operator")
# Their numbers count what viewers did: "two orders came in" is nothing a catalogue holds.
_COUNTED: Final = ("greeting", "thanks")
_SILENT: Final = 10 ** (-50 / 20)
_BLOCK_S: Final = 0.02
IN_TIME_S: Final = 6.0
_BREATH_S: Final = 0.6  # between one line and the next
_PARTS: Final = re.compile(r"[\W_]+")

Entries = Sequence[Mapping[str, Any]]


class Witness:
    """A sink that keeps how long it was silent, by the media clock, and counts pictures."""

    def __init__(self) -> None:
        self.pictures = 0
        self.seconds = 0.0
        self.gaps: list[float] = []
        self._silent = 0.0
        self._heard = False

    def sound(self, frame: SoundFrame) -> None:
        """Note 20 ms of sound."""
        self.seconds += len(frame.samples) / WIRE_RATE
        level = float(np.abs(frame.samples).max(initial=0)) / 32768
        if level < _SILENT:
            self._silent += _BLOCK_S
            return
        if self._heard and self._silent > 0.3:
            self.gaps.append(self._silent)
        self._heard, self._silent = True, 0.0

    def picture(self, picture: EncodedPicture) -> None:
        """Count a picture."""
        del picture
        self.pictures += 1

    def pose(self, frame: PoseFrame) -> None:
        """Poses are not measured."""

    def event(self, event: SessionEvent) -> None:
        """Events are told by the room itself."""


def measures(
    history: Mapping[str, Entries],
    brought: Mapping[str, float],
    witness: Witness,
    false: Mapping[str, Sequence[str]],
    fixed: set[str],
    began: float,
) -> dict[str, Any]:
    """Return the figures of a room's history.

    Args:
        brought: when each event was sent, seconds since the epoch.
        false: texts of lines, and the figures in them that the shop did not hold as they began.
        fixed: sentences that may be said again.
        began: when the first event was sent.
    """
    chat = {entry["id"]: entry for entry in history["chat"]}
    lines = {line["id"]: line for line in history["lines"]}
    questions = [entry for key, entry in chat.items() if key.startswith(("q", "f"))]
    answers = _answers(questions, chat, lines, brought)
    waits = [began_at - sent for sent, began_at in answers]
    ended = max((float(line["began_at"]) for line in lines.values()), default=began)
    return {
        "question_to_answer_p95_s": _rounded(percentile(waits, 0.95)),
        "question_to_answer_median_s": _rounded(percentile(waits, 0.5)),
        "question_to_answer_worst_s": _rounded(max(waits, default=None)),
        "in_time": _in_time(answers, list(lines.values())),
        **_shares(questions, chat),
        "lines": len(lines),
        "air": _air(list(lines.values())),
        "items": _visits(list(lines.values())),
        "answers_spoken": sum(line["kind"] == "answer" for line in lines.values()),
        "false_figures": sum(map(len, false.values())),
        "false": [{"text": text, "figures": list(found)} for text, found in false.items()],
        "repeats_within_hour": repeats(list(lines.values()), fixed),
        "gap_p95_s": _rounded(percentile(witness.gaps, 0.95)),
        "gap_worst_s": _rounded(max(witness.gaps, default=None)),
        "pictures_a_second": _rounded(witness.pictures / max(witness.seconds, 1e-3)),
        "decisions": dict(Counter(str(each["action"]) for each in history["decisions"])),
        "seconds": _rounded(ended - began),
    }


def false_figures(line: Mapping[str, Any], names: Sequence[str], check: FigureCheck) -> list[str]:
    """Return the figures of a line that the shop does not hold. The numbers of what viewers did
    and of how they call themselves are none of it.

    Args:
        line: as a `LineView`.
        names: of the viewers it answers.
    """
    if line["kind"] in _COUNTED:
        return []
    text = str(line["text"])
    for name in filter(None, names):
        parts = [re.escape(part) for part in _PARTS.split(name) if part]
        text = re.sub(r"[\W_]*".join(parts), "", text, flags=re.IGNORECASE) if parts else text
    return check.false(text, line.get("product"))


def repeats(lines: Entries, fixed: set[str]) -> int:
    """Return how many sentences were said again within an hour that need not have been."""
    last: dict[str, float] = {}
    count = 0
    for line in sorted(lines, key=lambda line: float(line["began_at"])):
        text, at = str(line["text"]), float(line["began_at"])
        if line["kind"] in _ASKED or text in fixed or not line.get("whole", True):
            continue
        count += text in last and at - last[text] < HOUR_S
        last[text] = at
    return count


def _answers(
    questions: Entries,
    chat: Mapping[str, Mapping[str, Any]],
    lines: Mapping[str, Mapping[str, Any]],
    brought: Mapping[str, float],
) -> list[tuple[float, float]]:
    """Return of each question whose answer was spoken when it was sent, and when the answer began;
    one that was joined to another has that one's.
    """
    found = []
    for question in questions:
        line = lines.get(str(_answered(question, chat).get("line")))
        sent = brought.get(str(question["id"]))
        if line is not None and line["kind"] == "answer" and sent is not None:
            # Who asks what is being answered that moment has waited for nothing.
            found.append((sent, max(sent, float(line["began_at"]))))
    return found


def _in_time(answers: Sequence[tuple[float, float]], lines: Entries) -> float | None:
    """Return the share of answers that began within 6 s, or as soon as the line that was running
    when the question came had ended.
    """
    if not answers:
        return None
    good = 0
    for sent, began in answers:
        ends = (
            float(line.get("ended_at") or began)
            for line in lines
            if float(line["began_at"]) <= sent < float(line.get("ended_at") or began)
        )
        good += began <= max([sent + IN_TIME_S, *(end + _BREATH_S for end in ends)])
    return round(good / len(answers), 4)


def _air(lines: Entries) -> dict[str, float]:
    """Return the share of the time spoken that each kind of line had."""
    seconds: dict[str, float] = defaultdict(float)
    for line in lines:
        if line.get("ended_at"):
            seconds[str(line["kind"])] += float(line["ended_at"]) - float(line["began_at"])
    total = sum(seconds.values())
    return {kind: round(each / total, 3) for kind, each in seconds.items() if total}


def _visits(lines: Entries) -> int:
    """Return how many items of the rundown were on air, one after the other."""
    items = [line.get("item") for line in sorted(lines, key=lambda line: float(line["began_at"]))]
    return sum(item is not None and item != before for before, item in pairwise([None, *items]))


def _answered(
    question: Mapping[str, Any], chat: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Any]:
    for _ in range(10):
        merged = question.get("merged_with")
        if question.get("line") or merged is None or merged not in chat:
            break
        question = chat[str(merged)]
    return question


def _shares(questions: Entries, chat: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    own = Counter(str(each["status"]) for each in questions)
    whole = Counter(str(_answered(each, chat)["status"]) for each in questions)
    total = max(1, len(questions))
    return {
        "questions": len(questions),
        "spoken": round(whole["spoken"] / total, 4),
        "written": round(whole["written"] / total, 4),
        "merged": round(sum(bool(each.get("merged_with")) for each in questions) / total, 4),
        "unanswered": round((whole["unanswered"] + whole["waiting"]) / total, 4),
        "statuses": dict(own),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
