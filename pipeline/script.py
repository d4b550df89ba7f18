"""A script: written text as the clauses it is said in, with their language and emotion."""

from collections.abc import Iterator
from typing import Final

from agents.clause import Clause, Emotion, Language
from agents.clauses import cut
from agents.feelings import felt, marked
from pipeline.language import script_language

_UNTOLD: Final[tuple[Emotion | None, float]] = (None, 1.0)


def clauses_of(text: str, language: str = "auto") -> Iterator[Clause]:
    """Yield the clauses of a text in "en", "zh" or, with "auto", in the script of each paragraph.

    They are said with the emotion their words suggest; "[happy:0.6]" in the text sets it from
    there to the end of the paragraph, or to the next mark. The last clause of a paragraph ends in
    a line break.

    Raises:
        AgentValueError: a mark's intensity is no number from 0 to 1.
    """
    for paragraph in filter(str.strip, text.splitlines()):
        own = script_language(paragraph)
        spoken: Language = "en" if language == "en" else "zh" if language == "zh" else own
        parts = [
            (feeling or _UNTOLD, clause)
            for feeling, part in marked(paragraph)
            for clause in cut(part, spoken)
        ]
        for index, ((emotion, intensity), clause) in enumerate(parts):
            ended = clause + ("\n" if index == len(parts) - 1 else "")
            yield felt(Clause(ended, spoken, None, emotion, (), intensity))
