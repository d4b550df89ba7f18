"""From the words of a script to the face that says them."""

import numpy as np
import pytest

from agents.errors import AgentValueError
from avatar.speech import SPEECH_RATE
from motion.procedural import ProceduralMover
from motion.skeleton import FACE_INDEX
from motion.speech import SpokenPassage
from pipeline.script import clauses_of
from pipeline.stages.move import passage_of
from pipeline.timeline import Segment, Timeline


def told(text: str, language: str = "auto") -> list[SpokenPassage]:
    """Return what the mover is told of a script whose clauses take 1.5 s each."""
    timeline = Timeline(lead=0)
    silent = np.zeros(round(1.5 * SPEECH_RATE), np.float32)
    placed = [timeline.add(Segment(1, silent, (), (), c)) for c in clauses_of(text, language)]
    return [passage_of(segment) for segment in placed if segment is not None]


def face(text: str, name: str, language: str = "auto") -> float:
    """Return a coefficient as the first clause of a script is said."""
    mover = ProceduralMover(1)
    for passage in told(text, language):
        mover.passage(passage)
    return float(mover.controls(1.2)[1][FACE_INDEX[name]])


def test_words_reach_the_face() -> None:
    plain = "It has two pockets."
    assert face("I am so sorry about that.", "browInnerUp") > face(plain, "browInnerUp") + 0.4
    assert face("Careful, the pan is hot.", "browDownLeft") > 0.4 > face(plain, "browDownLeft")
    assert face("今天全场半价！", "mouthSmileLeft") > face("它有两个口袋。", "mouthSmileLeft") + 0.2


def test_a_mark_reaches_the_face_with_its_intensity() -> None:
    brows = [face(f"[surprised:{v}] It has two pockets.", "browInnerUp") for v in (0, 0.5, 1)]
    assert brows[0] + 0.3 < brows[1] < brows[2] - 0.3


def test_a_mark_holds_until_the_next_or_the_end_of_its_paragraph() -> None:
    script = "It folds. [serious:0.4]It has a lock. It is red. [happy] It is here.\nIt is blue."
    felt = [(passage.emotion, passage.intensity) for passage in told(script)]
    assert felt == [
        ("neutral", 1.0),
        ("serious", 0.4),
        ("serious", 0.4),
        ("happy", 1.0),
        ("neutral", 1.0),
    ]
    assert all("[" not in c.text for c in clauses_of(script, "en"))


def test_a_mark_that_is_none_is_refused() -> None:
    with pytest.raises(AgentValueError, match="'happy:9'"):
        told("[happy:9] Hello.")
