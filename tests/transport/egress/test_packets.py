"""The bounded queue, and when keyframes are asked for."""

from threading import Event, Thread

from hypothesis import given
from hypothesis import strategies as st

from transport.egress.cadence import ASK_AGAIN, INTERVAL, KeyframeCadence
from transport.egress.packets import QUEUE_BYTES, QUEUE_SECONDS, WIRE_RATE, Packet, PacketQueue

PICTURE = WIRE_RATE // 25
NEVER = Event()


def sound(position: int) -> Packet:
    return Packet(bytes(1920), position, sound=True)


def picture(position: int, *, keyframe: bool = False, size: int = 100) -> Packet:
    return Packet(bytes(size), position, sound=False, keyframe=keyframe)


def drained(queue: PacketQueue) -> list[Packet]:
    return [packet for _ in range(len(queue)) if (packet := queue.get(NEVER)) is not None]


def test_what_goes_in_comes_out_in_order() -> None:
    queue = PacketQueue(pictures=True)
    sent = [sound(0), picture(0, keyframe=True), sound(960), sound(1920), picture(1920)]
    assert [queue.put(packet) for packet in sent] == [0] * 5
    assert drained(queue) == sent
    assert queue.dropped == 0


def test_pictures_before_the_first_keyframe_are_dropped() -> None:
    queue = PacketQueue(pictures=True)
    assert queue.put(picture(0)) == 1
    assert queue.put(picture(1920, keyframe=True)) == 0


def test_a_full_queue_drops_up_to_the_next_keyframe() -> None:
    queue = PacketQueue(pictures=True)
    index = 0
    while not queue.dropped:
        queue.put(sound(index * PICTURE))
        queue.put(picture(index * PICTURE, keyframe=index % 50 == 0))
        index += 1
    left = drained(queue)
    assert queue.dropped == 100  # two seconds, sound and pictures
    # The sound of the keyframe's own time stays with it.
    assert (left[0].sound, left[0].position) == (True, 50 * PICTURE)
    assert (left[1].keyframe, left[1].position) == (True, 50 * PICTURE)


def test_without_another_keyframe_all_goes_until_one_comes() -> None:
    queue = PacketQueue(pictures=True)
    queue.put(picture(0, keyframe=True))
    beyond = round(QUEUE_SECONDS * WIRE_RATE) + PICTURE
    assert queue.put(picture(beyond)) == 2
    assert queue.put(picture(beyond + PICTURE)) == 1
    assert queue.put(picture(beyond + 2 * PICTURE, keyframe=True)) == 0
    assert [packet.position for packet in drained(queue)] == [beyond + 2 * PICTURE]


def test_pictures_that_are_large_fill_it_as_well() -> None:
    queue = PacketQueue(pictures=True)
    for index in range(20):
        queue.put(picture(index * PICTURE, keyframe=True, size=QUEUE_BYTES // 8))
    assert len(queue) <= 8
    assert queue.dropped >= 12


def test_a_picture_that_comes_again_leads_to_the_next_keyframe() -> None:
    queue = PacketQueue(pictures=True)
    queue.put(picture(1920, keyframe=True))
    assert queue.put(picture(1920)) == 1
    assert queue.put(picture(3840)) == 1  # it builds on what was dropped
    assert queue.put(sound(960)) == 0
    assert queue.put(sound(960)) == 1
    assert queue.put(picture(5760, keyframe=True)) == 0


def test_an_output_starts_over_at_a_keyframe() -> None:
    for live, first in ((False, 2), (True, 6)):
        queue = PacketQueue(pictures=True)
        queue.put(picture(0, keyframe=True))
        queue.get(NEVER)
        for index in range(1, 9):
            queue.put(picture(index * PICTURE, keyframe=index in (2, 6)))
        assert queue.start_over(live=live) == first * PICTURE
        assert [p.position // PICTURE for p in drained(queue)] == list(range(first, 9))
        assert queue.start_over(live=live) is None
        assert queue.put(picture(9 * PICTURE)) == 1  # no output has what it builds on


def test_sound_alone_drops_the_oldest() -> None:
    queue = PacketQueue(pictures=False)
    for index in range(600):
        queue.put(sound(index * 960))
    assert len(queue) == QUEUE_SECONDS * 50 + 1
    assert queue.dropped == 600 - len(queue)
    assert drained(queue)[-1].position == 599 * 960


def test_getting_ends_with_the_queue_or_when_given_up() -> None:
    queue, given_up = PacketQueue(pictures=True), Event()
    got: list[Packet | None] = []
    thread = Thread(target=lambda: got.append(queue.get(given_up)))
    thread.start()
    given_up.set()
    queue.wake()
    thread.join(5)
    assert got == [None]
    queue.put(picture(0, keyframe=True))
    queue.finish()
    assert queue.put(sound(0)) == 1
    assert len(drained(queue)) == 1
    assert queue.get(NEVER) is None


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 60 * WIRE_RATE)), max_size=200)
)
def test_it_stays_bounded_and_in_order_whatever_comes(
    coming: list[tuple[bool, bool, int]],
) -> None:
    queue = PacketQueue(pictures=True)
    for is_sound, keyframe, position in coming:
        queue.put(sound(position) if is_sound else picture(position, keyframe=keyframe))
    left = drained(queue)
    assert len(left) + queue.dropped == len(coming)
    for kind in (True, False):
        positions = [packet.position for packet in left if packet.sound == kind]
        assert positions == sorted(set(positions))
    shown = [packet for packet in left if not packet.sound]
    assert not shown or shown[0].keyframe


def keyframes(
    cadence: KeyframeCadence, seconds: int, delay: int, extra: frozenset[int] = frozenset()
) -> list[int]:
    """Return which pictures of a source are keyframes that takes `delay` pictures to make one."""
    found, coming = [], None
    for index in range(seconds * 25):
        keyframe = index == 0 or index in extra or index == coming
        if keyframe:
            found.append(index)
        coming = None if index == coming else coming
        if cadence.wants(index * PICTURE, keyframe=keyframe):
            coming = index + delay
    return found


def test_keyframes_stay_on_their_grid() -> None:
    assert keyframes(KeyframeCadence(), 9, delay=3) == [0, 53, 103, 153, 203]


def test_keyframes_of_others_do_not_move_the_grid() -> None:
    extra = frozenset({20, 49, 97})
    found = keyframes(KeyframeCadence(), 6, delay=3, extra=extra)
    assert found == [0, 20, 49, 53, 97, 103]


def test_a_keyframe_that_comes_when_one_is_due_is_taken() -> None:
    assert keyframes(KeyframeCadence(), 4, delay=30, extra=frozenset({50})) == [0, 50]


def test_a_request_that_was_lost_is_made_again() -> None:
    cadence = KeyframeCadence()
    cadence.wants(0, keyframe=True)
    asked = [
        position
        for position in range(0, 3 * INTERVAL // 2 + 1, PICTURE)
        if cadence.wants(position, keyframe=False)
    ]
    assert asked[0] == INTERVAL
    assert 0 < asked[1] - asked[0] - ASK_AGAIN < PICTURE or asked[1] - asked[0] == ASK_AGAIN


def test_another_output_begins_another_grid() -> None:
    cadence = KeyframeCadence()
    cadence.wants(0, keyframe=True)
    cadence.start_over(30 * PICTURE)
    assert not cadence.wants(79 * PICTURE, keyframe=False)
    assert cadence.wants(80 * PICTURE, keyframe=False)
