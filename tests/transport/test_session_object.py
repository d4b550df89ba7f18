"""The session object: complete for a reader, applied as a whole or not at all."""

from typing import Any

import pytest
from openai.types.realtime import RealtimeSessionCreateRequest

from agents.brief import Brief
from agents.tools import Tool
from pipeline.options import SessionOptions, TurnSettings, VideoFormat
from transport.errors import EventError
from transport.session_object import session_object, updated_options

HUGE = int("9" * 400)  # no float is so large
SCHEMA = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
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
    brief = Brief(
        "Be brief.", (Tool("stock", "How many are left.", SCHEMA),), "stock", max_tokens=64
    )
    briefed = SessionOptions(modality="text", brief=brief, motion=True)
    eager = SessionOptions(turn=TurnSettings(eagerness="high", create_response=False))
    waiting = SessionOptions(turn=TurnSettings(idle_timeout_ms=6000))
    for options in (turned, SessionOptions(turn=None), shown, briefed, eager, waiting):
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
        (audio(output={"voice": "marin"}), {"voice": None}),
        ({"output_modalities": ["text"]}, {"modality": "text"}),
        ({"model": "gpt-realtime", "instructions": "Rhyme."}, {"brief": Brief("Rhyme.")}),
        (
            {"tools": [{"type": "function", "name": "stock", "parameters": SCHEMA}]},
            {"brief": Brief("", (Tool("stock", "", SCHEMA),))},
        ),
        (
            audio(input={"turn_detection": {"type": "semantic_vad", "eagerness": "low"}}),
            {"turn": TurnSettings(eagerness="low")},
        ),
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
    session |= {"truncation": "auto", "prompt": None, "tracing": "auto"}
    update = updated_options(OPTIONS, session)
    assert update.options.voice == "hum"
    assert set(update.refused) == {
        "session.truncation",
        "session.tracing",
        "session.audio.input.noise_reduction",
    }


@pytest.mark.parametrize(
    ("session", "param"),
    [
        ({"type": "transcription"}, "session.type"),
        ({"colour": "red"}, "session.colour"),
        ({"output_modalities": ["text", "audio"]}, "session.output_modalities"),
        ({"output_modalities": ["video"]}, "session.output_modalities.0"),
        ({"instructions": 5}, "session.instructions"),
        ({"tools": [{"type": "function", "name": "a b"}]}, "session.tools.0.name"),
        ({"tools": [{"type": "mcp", "server_label": "x"}]}, "session.tools.0.type"),
        ({"tool_choice": {"type": "function", "name": "unknown"}}, "session.tool_choice"),
        (
            {
                "tools": [
                    {
                        "type": "function",
                        "name": f"t{n}",
                        "description": "x" * 1024,
                        "parameters": {
                            "type": "object",
                            "properties": {"p": {"description": "y" * 1000}},
                        },
                    }
                    for n in range(20)
                ]
            },
            "session.tools",
        ),
        ({"max_output_tokens": 0}, "session.max_output_tokens"),
        ({"audio": []}, "session.audio"),
        (audio(middle={}), "session.audio.middle"),
        (audio(output={"pitch": 2}), "session.audio.output.pitch"),
        (audio(output={"voice": 7}), "session.audio.output.voice"),
        (audio(output={"speed": "fast"}), "session.audio.output.speed"),
        (audio(output={"speed": True}), "session.audio.output.speed"),
        (audio(output={"speed": 9.0}), "session.audio.output.speed"),
        (audio(output={"speed": HUGE}), "session.audio.output.speed"),
        (
            audio(input={"turn_detection": {"threshold": HUGE}}),
            "session.audio.input.turn_detection.threshold",
        ),
        (
            audio(input={"turn_detection": {"prefix_padding_ms": HUGE}}),
            "session.audio.input.turn_detection.prefix_padding_ms",
        ),
        (audio(output={"format": {"type": "audio/pcmu"}}), "session.audio.output.format.type"),
        (
            audio(input={"transcription": {"language": "tlh"}}),
            "session.audio.input.transcription.language",
        ),
        (audio(input={"turn_detection": "off"}), "session.audio.input.turn_detection"),
        (
            audio(input={"turn_detection": {"type": "clever_vad"}}),
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
        (
            audio(input={"turn_detection": {"threshold": 2.0}}),
            "session.audio.input.turn_detection.threshold",
        ),
        (
            audio(input={"turn_detection": {"idle_timeout_ms": 100}}),
            "session.audio.input.turn_detection.idle_timeout_ms",
        ),
        ({"avatar": []}, "session.avatar"),
        ({"avatar": {"mood": "sad"}}, "session.avatar.mood"),
        ({"avatar": {"style": 7}}, "session.avatar.style"),
        ({"avatar": {"framing": "feet"}}, "session.avatar.framing"),
        ({"avatar": {"scene": ["shop"]}}, "session.avatar.scene"),
        ({"avatar": {"video": None}}, "session.avatar.video"),
        ({"avatar": {"motion": {"encoding": "json"}}}, "session.avatar.motion.encoding"),
    ],
)
def test_a_bad_value_is_named(session: dict[str, Any], param: str) -> None:
    with pytest.raises(EventError, match="accepted") as refusal:
        updated_options(OPTIONS, session)
    assert refusal.value.param == param
