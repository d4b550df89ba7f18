"""One output for several listeners, which come and go while they are called."""

import numpy as np

from motion.pose import Pose
from pipeline.contract import EncodedPicture, PoseFrame, SoundFrame
from pipeline.events import OutputAudioStarted, SessionEvent
from tests.fakes.sink import RecordingSink
from transport.fanout import Fanout

SOUND = SoundFrame(np.zeros(960, np.int16), 0)


def test_everyone_gets_everything_once() -> None:
    one, two = RecordingSink(), RecordingSink()
    fanout = Fanout(one)
    fanout.add(two)
    fanout.add(two)
    fanout.sound(SOUND)
    fanout.picture(EncodedPicture(b"x", True, 0))
    fanout.pose(PoseFrame(Pose.rest(), 0))
    fanout.event(OutputAudioStarted("r"))
    for sink in (one, two):
        counts = [len(each) for each in (sink.frames, sink.pictures, sink.poses, sink.events)]
        assert counts == [1, 1, 1, 1]


def test_who_has_left_gets_nothing_and_may_leave_while_called() -> None:
    fanout = Fanout()

    class Once(RecordingSink):
        def event(self, event: SessionEvent) -> None:
            super().event(event)
            fanout.remove(self)

    once, other = Once(), RecordingSink()
    fanout.add(once)
    fanout.add(other)
    for _ in range(2):
        fanout.event(OutputAudioStarted("r"))
    assert (len(once.events), len(other.events)) == (1, 2)
    assert fanout.sinks == (other,)
