"""Media of the wire that are not as they should be."""

import pytest

import vivant
from tests.transport.client.server import FakeServer, floats
from transport.client.media import audio_chunk, motion_format, motion_frame, video_packet

FORMAT = motion_format(
    {
        "joints": ["root", "head"],
        "parents": [-1, 0],
        "rest": floats([[0, 0, 0], [0, 0, 1]]),
        "blendshapes": ["jawOpen"],
        "poses_per_second": 25,
    }
)
POSE = {
    "position_ms": 40,
    "rotations": floats([[1, 0, 0, 0], [0, 1, 0, 0]]),
    "translation": [0, 0, 1],
    "face": floats([0.5]),
}


def test_a_pose_fits_its_format() -> None:
    frame = motion_frame(POSE, FORMAT)
    assert FORMAT.rest.tolist() == [[0, 0, 0], [0, 0, 1]]
    assert frame.rotations.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
    assert not frame.rotations.flags.writeable


@pytest.mark.parametrize(
    "change",
    [
        {"rotations": floats([1, 0, 0, 0])},
        {"face": floats([0, 1])},
        {"face": "?"},
        {"translation": [1]},
        {"position_ms": "soon"},
    ],
)
def test_one_that_does_not_fit_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"reshape|base64|convert"):
        motion_frame({**POSE, **change}, FORMAT)


def test_so_are_sound_and_pictures() -> None:
    place = {"response_id": "resp_1", "item_id": "item_1"}
    with pytest.raises(ValueError, match="buffer size"):
        audio_chunk({"delta": "AAAA", **place})
    with pytest.raises(ValueError, match="base64"):
        video_packet({"data": "%", "codec": "h264", "keyframe": True, "position_ms": 0})


async def test_what_cannot_be_read_is_handed_on_as_it_was(server: FakeServer) -> None:
    async with vivant.connect(server.url, motion=True) as conversation:
        server.motion_format()
        server.send_raw('{"type": "avatar.motion.delta", "position_ms": 1}')
        server.pose(80)
        assert (await anext(conversation.motion())).position_ms == 80
        events = [await anext(aiter(conversation)) for _ in range(2)]
    assert isinstance(events[1], vivant.UnknownEvent)
    assert events[1].type == "avatar.motion.delta"
