"""The logs of whole conversations hold nothing of what was said, even where things break."""

import asyncio
import logging
from collections.abc import AsyncIterator

import numpy as np
import pytest

from agents.brief import PLAIN, Brief
from agents.clause import Clause, Language
from agents.errors import AgentError
from agents.history import History
from agents.tools import ToolCall
from pipeline.events import ResponseDone, SessionFailed, TranscriptionCompleted
from pipeline.metrics import EngineMetrics
from pipeline.privacy.discretion import make_discreet, where
from tests.fakes.host import EchoHost
from tests.fakes.marked import ANSWERED, MARK, SPOKEN, TYPED, every_record, traces
from tests.fakes.room import Room


@pytest.fixture(autouse=True)
def _discreet() -> None:
    """As in a server."""
    make_discreet()


async def test_a_conversation_leaves_no_word_of_it() -> None:
    with every_record() as records:
        room = Room(f"what is {SPOKEN}")
        await room.open()
        await room.speak(1.0)
        await room.silence(1.5)
        await room.speak(1.0)  # over the reply
        await room.silence(4.0)
        room.session.submit_text(f"now {TYPED}")
        room.session.create_response()
        await room.silence(5.0)
        await room.close()
    assert SPOKEN in room.sink.of(TranscriptionCompleted)[0].transcript
    assert TYPED in room.sink.of(ResponseDone)[-1].transcript
    sound = (room.sink.samples() * 32767).astype(np.int16)
    loud = sound[np.flatnonzero(sound)[1000] :][:64].tobytes()
    assert records.with_any(MARK, *traces(loud)) == []


async def test_a_voice_that_breaks_quotes_nobody(caplog: pytest.LogCaptureFixture) -> None:
    room = Room(f"say broken {SPOKEN}")
    with every_record() as records:
        await room.open()
        room.voice.speak = _quoting  # type: ignore[method-assign, assignment]
        await room.speak(1.0)
        await room.silence(3.0)
        await room.close()
    assert SPOKEN in room.sink.of(SessionFailed)[0].message  # the client is told its own words
    assert "speak failed" in caplog.text
    assert "AgentError at" in caplog.text
    assert records.with_any(MARK) == []


async def test_a_host_that_breaks_the_session_quotes_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    room = Room(f"what is {SPOKEN}")
    room.host = _BrokenHost(room.clock)
    room.session._think._host = room.host  # type: ignore[assignment]
    with every_record() as records:
        await room.open()
        await room.speak(1.0)
        await room.silence(3.0)
        await room.close()
    assert room.sink.of(SessionFailed)[-1].code == "internal_error"
    assert "broke: ExceptionGroup" in caplog.text
    assert "KeyError at" in caplog.text
    assert records.with_any(MARK) == []


async def test_the_event_loop_quotes_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """A callback that breaks is shown with its arguments, a task with its error."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(_answer(ANSWERED))
    await asyncio.wait([task])
    with every_record() as records:
        loop.call_soon(_break, SPOKEN)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        loop.call_exception_handler({"message": f"{task!r}", "exception": task.exception()})
    assert "Exception in callback" in caplog.text
    assert "KeyError at test_logs.py" in caplog.text
    assert "ValueError at test_logs.py" in caplog.text
    assert records.with_any(MARK) == []


def test_where_tells_the_way_and_no_word() -> None:
    try:
        try:
            _break(SPOKEN)
        except KeyError as error:
            raise ValueError(ANSWERED) from error
    except ValueError as error:
        told = where(error)
    assert told.startswith("ValueError at test_logs.py:")
    assert "; after KeyError at test_logs.py:" in told
    assert "_break" in told
    assert MARK not in told
    assert "\n" not in told


def test_details_of_libraries_are_not_shown_even_where_they_are_wanted() -> None:
    with every_record() as records:
        logging.getLogger("uvicorn.error").debug("< TEXT '%s' [20 bytes]", SPOKEN)
        logging.getLogger("uvicorn.error").error("it broke\n%s", SPOKEN)
        logging.getLogger("uvicorn.error").error("and again %d", 3)
    assert records.with_any(MARK) == []
    assert len(records.texts) == 2
    assert "and again 3" in records.texts[1]


async def test_metrics_hold_no_word() -> None:
    metrics = EngineMetrics(_Nothing())
    metrics.count(SessionFailed("response_failed", SPOKEN))
    metrics.count(ResponseDone("r", "i", "failed", ANSWERED, None, SPOKEN))
    told = {
        (sample.name, *sample.labels.values())
        for family in metrics.registry.collect()
        for sample in family.samples
    }
    assert ("vivant_failures_total", "response_failed") in told
    assert not any(MARK in word for words in told for word in words)


class _BrokenHost(EchoHost):
    async def reply(
        self, question: str, language: Language, history: History, brief: Brief = PLAIN
    ) -> AsyncIterator[Clause | ToolCall]:
        async for _ in super().reply(question, language, history, brief):
            raise KeyError(question)
        yield Clause(question, language)


class _Nothing:
    draw_process = None
    draw_restarts = picture_level = pictures_late = pictures_skipped = sound_dropped = 0


def _quoting(text: str, language: str, **_: object) -> None:
    del language
    raise AgentError(f"cannot say {text!r}")


def _break(text: str) -> None:
    raise KeyError(text)


async def _answer(text: str) -> None:
    raise ValueError(text)
