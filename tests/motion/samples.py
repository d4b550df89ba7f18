"""Speech and measurements that several tests of motion share."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, get_args

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion.actions import ACTION_IDS
from motion.bodies import BASE, Body
from motion.kinematics import joint_transforms
from motion.phones import CONSONANTS, VOWELS
from motion.pose import Pose
from motion.procedural import ProceduralMover
from motion.skeleton import joint_index
from motion.speech import Emotion, SpokenAction, SpokenPassage, SpokenPhone

Array = NDArray[np.float32]

ENGLISH: Final = "h ə l ˈoʊ w ˈɛ l k ə m t ə ð ə p ˈiː t s ə ʃ ˈɑ p m ˈɑː ɹ ɡ ə ɹ ˈiː t ə f ɹ ˈɛ ʃ"
MANDARIN: Final = (
    "x w a n i ŋ k w ɑ ŋ l i n w o m ə n tʂ ɤ k ɤ p i s a s ɹ̩ ʂ ɻ̩ ɕ y e n tɕʰ i ŋ m a i"
)

Event = tuple[float, Callable[[ProceduralMover], None]]


def phones(text: str, start: float, seconds: float = 0.08) -> tuple[SpokenPhone, ...]:
    """Time the phones of `text`, separated by blanks; ˈ marks stress, _ is silence."""
    timed = []
    for i, written in enumerate(text.split()):
        ipa = written.lstrip("ˈ").replace("_", "")
        begin = start + i * seconds
        timed.append(SpokenPhone(ipa, begin, begin + seconds, int(written.startswith("ˈ"))))
    return tuple(timed)


def passage(
    start: float, text: str = ENGLISH, *actions: SpokenAction, seconds: float = 0.08
) -> SpokenPassage:
    spoken = phones(text, start, seconds)
    return SpokenPassage(start, spoken[-1].end, spoken, "en", actions=actions)


def film(mover: ProceduralMover, times: Iterable[float], events: Sequence[Event] = ()) -> Pose:
    """Return the poses at `times`, stacked, each event applied before the first later pose."""
    pending = sorted(events, key=lambda event: event[0])
    taken = []
    for at in times:
        while pending and pending[0][0] <= at:
            pending.pop(0)[1](mover)
        taken.append(mover.pose(float(at)))
    return Pose.stacked(taken)


def hand_points(pose: Pose, body: Body = BASE) -> tuple[Array, Array]:
    """Return points [..., 21, 3] along the left and the right hand, fingertips included."""
    placed = joint_transforms(pose.rotations, body.offsets, pose.translation)
    hands = []
    for letter in "LR":
        points = [placed[..., joint_index(f"wrist.{letter}"), :3, 3]]
        for finger in range(1, 6):
            parts = [joint_index(f"finger{finger}-{part}.{letter}") for part in (1, 2, 3)]
            points.extend(placed[..., part, :3, 3] for part in parts)
            before, tip = parts[1:]
            along = body.positions[tip] - body.positions[before]
            reach = 0.025 * along / np.linalg.norm(along)
            points.append(placed[..., tip, :3, 3] + placed[..., tip, :3, :3] @ reach)
        hands.append(np.stack(points, -2))
    return hands[0], hands[1]


def hand_gap(pose: Pose) -> Array:
    """Return the least distance [...] between points of the two hands, metres."""
    left, right = hand_points(pose)
    apart = np.linalg.norm(left[..., :, None, :] - right[..., None, :, :], axis=-1)
    return np.asarray(apart.min((-1, -2)), np.float32)


# Hands that meet on purpose: those of these actions touch or pass through each other's fingers.
MEETING: Final = {
    "applause", "bow", "cross_arms", "feel_texture", "heart_hands", "list_fingers", "next",
    "stack", "thanks", "together", "hand_on_heart", "fist_palm", "hurry", "write_order",
    "tap_phone", "twist_open", "split", "pour", "pick_present",
}  # fmt: skip

_IPA: Final = st.sampled_from([*VOWELS, *CONSONANTS, "", "aɪ", "tʂʰ", "oʊ", "ɻ̩", "ŋ̍", "ʨ", "A"])
_ACTION: Final = st.sampled_from([*ACTION_IDS, "no such action"])
_PARAMETERS: Final = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["hand", "side"]), st.sampled_from(["left", "right", "up"])),
        st.tuples(
            st.sampled_from(["size", "number"]),
            st.one_of(st.floats(), st.just("3"), st.just("some")),
        ),
    ),
    max_size=3,
).map(tuple)


@st.composite
def passages(draw: st.DrawFn, start: float) -> SpokenPassage:
    """Draw a passage that starts at `start`: any phones, stresses, emotions and actions."""
    at, spoken = start, []
    for _ in range(draw(st.integers(0, 25))):
        seconds = draw(st.sampled_from([0.0, 0.03, 0.05, 0.08, 0.12, 0.3]))
        spoken.append(SpokenPhone(draw(_IPA), at, at + seconds, draw(st.integers(0, 2))))
        at += seconds
    end = max(at, start + draw(st.floats(0.0, 1.0)))
    loud = draw(st.lists(st.floats(0.0, 1.0), max_size=40)) if not spoken else []
    actions = tuple(
        SpokenAction(draw(_ACTION), draw(st.floats(start, end)), draw(_PARAMETERS))
        for _ in range(draw(st.integers(0, 2)))
    )
    emotion = draw(st.sampled_from(get_args(Emotion)))
    language = draw(st.sampled_from(["en", "zh"]))
    return SpokenPassage(start, end, tuple(spoken), language, emotion, actions, tuple(loud))
