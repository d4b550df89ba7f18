"""A call's logs hold no word, no sound and no picture, at the level of DEBUG, of any logger."""

import asyncio

from pipeline import events
from pipeline.contract import EncodedPicture, SessionSink, SoundFrame
from pipeline.options import SessionOptions
from pipeline.privacy.discretion import make_discreet
from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.marked import ANSWERED, MARK, SPOKEN, TYPED, every_record, traces
from tests.transport.wire import SMALL, LocalSignalling
from transport.caller import Caller
from transport.calls import Calls
from transport.microphone import Microphone


async def test_a_call_leaves_nothing_of_what_passes() -> None:
    """Typed words, words that are said and answered, torn events, and media of a second."""
    make_discreet()
    engine = FakeEngine([FakeScript(always=True)])
    with every_record() as records:
        calls = Calls(engine)
        passed = _Passed()
        async with Caller(Microphone(), video=True, codec="h264", keep_media=False) as caller:
            await caller.connect(LocalSignalling(calls, SessionOptions(video=SMALL)))
            session = engine.opened[0]
            passed.watch(session._sink)
            item = {"type": "message", "role": "user"}
            said = {**item, "content": [{"type": "input_text", "text": TYPED}]}
            caller.send({"type": "conversation.item.create", "item": said})
            caller.send({"type": TYPED})
            caller.send({"type": "session.update", "session": {TYPED: TYPED}})
            caller.send_text(f'{{"type": "{TYPED}", ')
            session._sink.event(events.TranscriptionCompleted("item_1", SPOKEN, "en"))
            session._sink.event(events.ResponseCreated("resp_1", "item_2", 1))
            session._sink.event(events.TranscriptDelta("resp_1", "item_2", ANSWERED))
            session._sink.event(events.SessionFailed("response_failed", f"speak: {ANSWERED}"))
            await caller.event("response.output_audio_transcript.delta", 5)
            async with asyncio.timeout(10):
                await passed.enough.wait()
        await calls.close()
    assert TYPED in session.texts
    assert len(records.texts) > 100
    assert {"aiortc.rtcrtpsender", "transport.peer"} & records.loggers
    assert records.with_any(MARK) == []
    assert records.with_any(*passed.traces()) == []


class _Passed:
    """What a session hands out, noted on its way."""

    def __init__(self) -> None:
        self.enough = asyncio.Event()
        self._sounds: list[bytes] = []
        self._pictures: list[bytes] = []

    def watch(self, sink: SessionSink) -> None:
        """Note what `sink` is given from now on."""
        sound, picture = sink.sound, sink.picture

        def hear(frame: SoundFrame) -> None:
            self._sounds.append(frame.samples.tobytes())
            if len(self._sounds) > 40 and len(self._pictures) > 10:
                self.enough.set()
            sound(frame)

        def see(coded: EncodedPicture) -> None:
            self._pictures.append(coded.data)
            picture(coded)

        sink.sound, sink.picture = hear, see  # type: ignore[method-assign, assignment]

    def traces(self) -> list[str]:
        """Return how any of it would look in a log."""
        pieces = self._sounds[::8] + [each for each in self._pictures if len(each) > 60][::4]
        return [trace for piece in pieces for trace in traces(piece)]
