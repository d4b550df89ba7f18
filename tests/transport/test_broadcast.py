"""One encode for many viewers: keyframes shared, slow viewers apart, queues bounded."""

from collections import deque

import numpy as np
import pytest

from pipeline.contract import FRAME_SAMPLES, WIRE_RATE, EncodedPicture, SoundFrame
from pipeline.events import SessionFailed
from transport.broadcast import JOIN_GAP_S, PATIENCE_S, REPAIR_GAP_S, Broadcast, Seat
from transport.outgoing import MAX_PICTURES, MAX_SOUND_PACKETS, EncodedPacket
from transport.pace import MUTE_S, SPACING_S

PICTURE = WIRE_RATE // 25
# Pictures that are on their way when a keyframe is asked for, as in a session.
AHEAD = 3


class Studio:
    """A session as a broadcast sees it, whose clock is turned by hand."""

    def __init__(self) -> None:
        self.broadcast = Broadcast()
        self.broadcast.attach(self)
        self.asked: list[float] = []
        self.size = 4_000
        self.deaf = False
        self._position = 0
        self._coming = deque([True] + [False] * (AHEAD - 1))
        self._wanted = False

    def request_keyframe(self) -> None:
        self.asked.append(self.broadcast.now)
        self._wanted = not self.deaf

    def run(self, seconds: float) -> None:
        """Let so much media time pass."""
        until = self._position + round(seconds * WIRE_RATE)
        while self._position < until:
            self.broadcast.sound(SoundFrame(np.zeros(FRAME_SAMPLES, np.int16), self._position))
            if self._position % PICTURE == 0:
                self._coming.append(self._wanted)
                self._wanted = False
                keyframe = self._coming.popleft()
                self.broadcast.picture(EncodedPicture(bytes(self.size), keyframe, self._position))
            self._position += FRAME_SAMPLES

    def join(self) -> "Watched":
        watched = Watched(self.broadcast.seat())
        self.broadcast.join(watched.seat)
        return watched


class Watched:
    """A viewer who takes what is there when asked."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def pictures(self) -> list[float]:
        """Return the times of the pictures that wait, and take them."""
        return [float(packet.pts or 0) / 90_000 for packet in _taken(self.seat.pictures._packets)]

    def sounds(self) -> int:
        return len(_taken(self.seat.sound._packets))

    def report(self, part: float = 0.0) -> None:
        self.seat.feedback.loss_reported(part)


def _taken(packets: deque[EncodedPacket]) -> list[EncodedPacket]:
    taken = list(packets)
    packets.clear()
    return taken


def watch(studio: Studio, seconds: float, *viewers: Watched) -> list[list[float]]:
    """Let time pass in which viewers read and report that all is well; return their pictures."""
    seen: list[list[float]] = [[] for _ in viewers]
    for _ in range(round(seconds * 5)):
        studio.run(0.2)
        for viewer, pictures in zip(viewers, seen, strict=True):
            pictures += viewer.pictures()
            viewer.sounds()
            viewer.report()
    return seen


def test_eight_who_come_together_share_one_keyframe_within_a_second() -> None:
    studio = Studio()
    studio.run(3.0)
    viewers = []
    for _ in range(8):
        viewers.append(studio.join())
        studio.run(0.02)
    studio.run(1.0 - 8 * 0.02)
    assert len(studio.asked) == 1
    assert studio.broadcast.keyframes == 2, "the first of the stream, and theirs"
    starts = [viewer.pictures()[0] for viewer in viewers]
    assert len(set(starts)) == 1
    assert 3.0 < starts[0] < 3.6


def test_nobody_is_shown_a_picture_before_a_keyframe() -> None:
    studio = Studio()
    studio.run(1.0)
    viewer = studio.join()
    studio.run(0.04 * AHEAD)
    assert viewer.pictures() == []
    assert viewer.sounds() == 2 * AHEAD, "sound needs no start"


def test_who_comes_right_after_a_keyframe_waits_less_than_a_second_for_the_next() -> None:
    studio = Studio()
    studio.run(1.0)
    first = studio.join()
    studio.run(0.3)
    assert first.pictures()
    second = studio.join()
    came = studio.broadcast.now
    studio.run(1.0)
    assert second.pictures()[0] - came < JOIN_GAP_S + 0.2
    assert len(studio.asked) == 2


def test_lost_pictures_of_many_cost_one_keyframe_a_second() -> None:
    studio = Studio()
    viewers = [studio.join() for _ in range(8)]
    watch(studio, 1.0, *viewers)
    before = studio.broadcast.keyframes
    for _ in range(3):
        for viewer in viewers:
            viewer.seat.feedback.keyframe_wanted()
        watch(studio, 1.0, *viewers)
    assert studio.broadcast.keyframes - before == 3
    gaps = np.diff(studio.asked[1:])
    assert gaps.min() >= REPAIR_GAP_S


def test_a_keyframe_that_does_not_come_is_asked_for_again() -> None:
    studio = Studio()
    studio.run(0.5)
    studio.deaf = True
    studio.join()
    studio.run(3 * PATIENCE_S + 0.5)
    assert 3 <= len(studio.asked) <= 4


def test_a_slow_viewer_gets_keyframes_and_the_others_everything() -> None:
    studio = Studio()
    slow, good = studio.join(), studio.join()
    watch(studio, 1.0, slow, good)
    slow.report(0.5)
    slow.report(0.5)
    assert slow.seat.slow
    assert studio.broadcast.slow_viewers == 1
    seen: list[list[float]] = [[], []]
    for _ in range(40):
        studio.run(0.2)
        slow.report(0.2)
        good.report()
        seen[0] += slow.pictures()
        seen[1] += good.pictures()
        assert slow.sounds() == good.sounds() == 10
    few, all_of_them = seen
    assert len(all_of_them) == 200
    assert 2 <= len(few) <= 5
    assert np.diff(few).min() >= SPACING_S - 0.04


def test_a_slow_viewer_that_recovers_goes_on_from_a_keyframe_without_a_hole() -> None:
    studio = Studio()
    viewer = studio.join()
    watch(studio, 12.0, viewer)
    viewer.report(0.5)
    viewer.report(0.5)
    (pictures,) = watch(studio, 12.0, viewer)
    assert not viewer.seat.slow
    gaps = np.diff(pictures)
    holes = np.flatnonzero(gaps > 0.041)
    assert len(holes) <= 3
    assert gaps[holes[-1] + 1 :].max() == pytest.approx(0.04)
    assert len(gaps[holes[-1] + 1 :]) > 100


def test_who_does_not_read_is_dropped_from_the_queue_and_costs_nobody_keyframes() -> None:
    studio = Studio()
    stuck, good = studio.join(), studio.join()
    for _ in range(50):
        studio.run(0.2)
        stuck.report()
        good.report()
        assert len(good.pictures()) == 5 or studio.broadcast.now < 1
        good.sounds()
    assert stuck.seat.slow
    assert stuck.seat.pictures.dropped >= MAX_PICTURES
    assert len(stuck.seat.pictures._packets) <= MAX_PICTURES
    assert len(stuck.seat.sound._packets) == MAX_SOUND_PACKETS
    assert np.diff(studio.asked[1:]).min() >= SPACING_S - 0.2


def test_who_says_nothing_gets_keyframes_until_it_speaks_again() -> None:
    studio = Studio()
    viewer = studio.join()
    for _ in range(round(MUTE_S / 0.2) + 5):
        studio.run(0.2)
        viewer.pictures()
    assert viewer.seat.slow
    (pictures,) = watch(studio, 12.0, viewer)
    assert not viewer.seat.slow
    assert len(pictures) > 100


def test_the_keyframes_a_slow_viewer_asks_for_are_those_that_come() -> None:
    studio = Studio()
    viewer, good = studio.join(), studio.join()
    for _ in range(100):
        viewer.seat.feedback.keyframe_wanted()
        studio.run(0.2)
        viewer.pictures()
        good.pictures()
        good.report()
    gaps = np.diff(studio.asked)
    assert gaps.min() >= REPAIR_GAP_S
    assert gaps[-6:].mean() >= SPACING_S - 0.2, "but where it was tried again"


def test_the_rate_is_that_of_late() -> None:
    studio = Studio()
    studio.run(4.0)
    assert studio.broadcast.rate == pytest.approx(25 * 4_000 * 8)
    studio.size = 1_000
    studio.run(2.0)
    assert studio.broadcast.rate == pytest.approx(25 * 1_000 * 8)


def test_a_narrow_link_is_told_from_the_estimate_against_what_is_sent() -> None:
    studio = Studio()
    narrow, wide = studio.join(), studio.join()
    for _ in range(20):
        watch(studio, 0.2, narrow, wide)
        narrow.seat.feedback.bitrate_estimated(200_000)
        wide.seat.feedback.bitrate_estimated(1_200_000)
    assert narrow.seat.slow
    assert not wide.seat.slow


def test_who_has_left_gets_nothing_and_asks_for_nothing() -> None:
    studio = Studio()
    studio.run(1.0)
    viewer = studio.join()
    watch(studio, 1.0, viewer)
    studio.broadcast.leave(viewer.seat)
    viewer.seat.stop()
    studio.run(6.0)
    assert viewer.pictures() == []
    assert viewer.sounds() == 0
    assert studio.broadcast.viewers == 0
    assert len(studio.asked) == 1


def test_only_a_broken_session_is_told() -> None:
    broken: list[bool] = []
    broadcast = Broadcast()
    broadcast.broke = lambda: broken.append(True)
    broadcast.event(SessionFailed("picture_failed", "no picture"))
    assert broken == []
    broadcast.event(SessionFailed("internal_error", "the session broke"))
    assert broken == [True]


def test_a_keyframe_for_a_slow_viewer_takes_half_the_time_to_the_next() -> None:
    studio = Studio()
    viewer = studio.join()
    watch(studio, 1.0, viewer)
    assert viewer.seat.wait(1_000) == 0.0, "who keeps up gets it at once"
    viewer.report(0.5)
    viewer.report(0.5)
    studio.size = 20_000
    studio.run(3.0)
    assert 20 * viewer.seat.wait(1_000) == pytest.approx(SPACING_S / 2)
