"""The session object: complete for a reader, applied as a whole or not at all."""

from typing import Any

import pytest
from openai.types.realtime import RealtimeSessionCreateRequest

from pipeline.options import SessionOptions, TurnSettings, VideoFormat
from transport.errors import EventError
from transport.session_object import session_object, updated_options

HUGE = int("9" * 400)  # no float is so large
OPTIONS = SessionOptions(voice="tone", video=VideoFormat())


def audio(**parts: Any) -> dict[str, Any]:
    return {"type": "realtime", "audio": parts}


def test_it_has_the_shape_of_the_api() -> None:
    value = session_object("sess_1", OPTIONS)
    parsed = RealtimeSessionCreateRequest.model_validate(value)
    assert parsed.audio is not None
    assert parsed.audio.output is not None
    assert parsed.audio.output.voice == "tone"
    assert value["avatar"]["video"] == {"codec": "vp8", "width": 540, "height": 960}
    assert session_object("sess_1", SessionOptions())["avatar"]["video"] is None


def test_what_was_described_can_be_sent_back() -> None:
    turned = SessionOptions(speed=1.25, language="zh", turn=TurnSettings(silence_duration_ms=400))
    shown = SessionOptions(
        avatar="lin",
        scene="shop",
        style="calm",
        framing="full",
        scene_changes={"caption": "Hello"},
        video=VideoFormat(),
    )
    for options in (turned, SessionOptions(turn=None), shown):
        value = session_object("sess_1", options)
        update = updated_options(options, value)
        assert update.options == options
        assert update.refused == ()


def test_absent_fields_stay() -> None:
    assert updated_options(OPTIONS, {}).options == OPTIONS


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        (audio(output={"voice": "hum"}), {"voice": "hum"}),
        (audio(output={"voice": {"id": "hum"}}), {"voice": "hum"}),
        (audio(output={"speed": 1.5}), {"speed": 1.5}),
        (audio(input={"transcription": {"language": "zh"}}), {"language": "zh"}),
        (audio(input={"turn_detection": None}), {"turn": None}),
        (
            audio(input={"turn_detection": {"type": "server_vad", "threshold": 0.7}}),
            {"turn": TurnSettings(threshold=0.7)},
        ),
        (
            audio(
                input={
                    "format": {"type": "audio/pcm", "rate": 24000},
                    "turn_detection": {
                        "silence_duration_ms": 600,
                        "prefix_padding_ms": 100,
                        "create_response": False,
                        "interrupt_response": False,
                    },
                }
            ),
            {"turn": TurnSettings(0.5, 100, 600, False, False)},
        ),
    ],
)
def test_fields_are_applied(session: dict[str, Any], expected: dict[str, Any]) -> None:
    options = updated_options(OPTIONS, session).options
    assert {name: getattr(options, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        ("kitchen", ("kitchen", {}, None)),
        ({"name": "kitchen"}, ("kitchen", {}, None)),
        ({"name": "kitchen", "mark": False}, ("kitchen", {"mark": False}, None)),
        ({"caption": "Now"}, ("shop", {"card": {"name": "Tea"}, "caption": "Now"}, "full")),
        ({"card": None}, ("shop", {"card": None, "caption": "Hello"}, "full")),
    ],
)
def test_a_scene_is_another_one_or_changes_of_this(scene: Any, expected: tuple[Any, ...]) -> None:
    before = SessionOptions(
        scene="shop", framing="full", scene_changes={"card": {"name": "Tea"}, "caption": "Hello"}
    )
    options = updated_options(before, {"avatar": {"scene": scene}}).options
    assert (options.scene, options.scene_changes, options.framing) == expected


def test_a_look_is_named_and_the_rest_stays() -> None:
    session = {"avatar": {"style": "calm", "framing": "head"}}
    options = updated_options(SessionOptions(avatar="lin", scene="shop"), session).options
    assert (options.avatar, options.scene) == ("lin", "shop")
    assert (options.style, options.framing) == ("calm", "head")


def test_unsupported_fields_are_named_and_the_rest_stands() -> None:
    session = audio(output={"voice": "hum"}, input={"noise_reduction": {"type": "near_field"}})
    session |= {"instructions": "Be brief.", "tools": [], "tool_choice": "auto"}
    update = updated_options(OPTIONS, session)
    assert update.options.voice == "hum"
    assert set(update.refused) == {
        "session.instructions",
        "session.tool_choice",
        "session.audio.input.noise_reduction",
    }


@pytest.mark.parametrize(
    ("session", "param"),
    [
        ({"type": "transcription"}, "session.type"),
        ({"colour": "red"}, "session.colour"),
        ({"output_modalities": ["text"]}, "session.output_modalities"),
        ({"audio": []}, "session.audio"),
        (audio(middle={}), "session.audio.middle"),
        (audio(output={"pitch": 2}), "session.audio.output.pitch"),
        (audio(output={"voice": 7}), "session.audio.output.voice"),
        (audio(output={"speed": "fast"}), "session.audio.output.speed"),
        (audio(output={"speed": True}), "session.audio.output.speed"),
        (audio(output={"speed": 9.0}), "session"),
        (audio(output={"speed": HUGE}), "session.audio.output.speed"),
        (
            audio(input={"turn_detection": {"threshold": HUGE}}),
            "session.audio.input.turn_detection.threshold",
        ),
        (audio(input={"turn_detection": {"prefix_padding_ms": HUGE}}), "session"),
        (audio(output={"format": {"type": "audio/pcmu"}}), "session.audio.output.format"),
        (
            audio(input={"transcription": {"language": "tlh"}}),
            "session.audio.input.transcription.language",
        ),
        (audio(input={"turn_detection": "off"}), "session.audio.input.turn_detection"),
        (
            audio(input={"turn_detection": {"type": "semantic_vad"}}),
            "session.audio.input.turn_detection.type",
        ),
        (
            audio(input={"turn_detection": {"silence_duration_ms": 0.5}}),
            "session.audio.input.turn_detection.silence_duration_ms",
        ),
        (
            audio(input={"turn_detection": {"create_response": 1}}),
            "session.audio.input.turn_detection.create_response",
        ),
        (audio(input={"turn_detection": {"threshold": 2.0}}), "session"),
        ({"avatar": []}, "session.avatar"),
        ({"avatar": {"mood": "sad"}}, "session.avatar.mood"),
        ({"avatar": {"style": 7}}, "session.avatar.style"),
        ({"avatar": {"framing": "feet"}}, "session"),
        ({"avatar": {"scene": ["shop"]}}, "session.avatar.scene"),
        ({"avatar": {"video": {"codec": "h264"}}}, "session.avatar.video"),
    ],
)
def test_a_bad_value_is_named(session: dict[str, Any], param: str) -> None:
    with pytest.raises(EventError, match="accepted") as refusal:
        updated_options(OPTIONS, session)
    assert refusal.value.param == param
