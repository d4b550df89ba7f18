"""One example of every event, as the reference shows them; each is accepted by its model."""

from collections.abc import Mapping
from typing import Any, Final

Event = dict[str, Any]

_USER: Final[Event] = {
    "id": "item_7Q",
    "object": "realtime.item",
    "type": "message",
    "status": "completed",
    "role": "user",
    "content": [{"type": "input_audio", "transcript": "What is on this pizza?"}],
}
_BEGUN: Final[Event] = {
    "id": "item_8R",
    "object": "realtime.item",
    "type": "message",
    "status": "in_progress",
    "role": "assistant",
    "content": [],
}
_SAID: Final = "Tomato, mozzarella and basil."
_HOST: Final[Event] = {
    **_BEGUN,
    "status": "completed",
    "content": [{"type": "output_audio", "transcript": _SAID}],
}
_RESPONSE: Final[Event] = {
    "id": "resp_3K",
    "object": "realtime.response",
    "status": "in_progress",
    "status_details": None,
    "output": [],
    "output_modalities": ["audio"],
}
_DONE: Final[Event] = {
    **_RESPONSE,
    "status": "completed",
    "output": [_HOST],
    "usage": {
        "total_tokens": 71,
        "input_tokens": 18,
        "output_tokens": 53,
        "input_token_details": {"text_tokens": 0, "audio_tokens": 18},
        "output_token_details": {"text_tokens": 7, "audio_tokens": 46},
    },
}
_PLACE: Final[Event] = {
    "response_id": "resp_3K",
    "item_id": "item_8R",
    "output_index": 0,
    "content_index": 0,
}
_CALL: Final[Event] = {
    "response_id": "resp_3K",
    "item_id": "item_9S",
    "output_index": 0,
    "call_id": "call_5T",
}
_SESSION: Final[Event] = {
    "type": "realtime",
    "object": "realtime.session",
    "id": "sess_Xw4k1",
    "output_modalities": ["audio"],
    "audio": {
        "input": {
            "format": {"type": "audio/pcm", "rate": 24000},
            "transcription": {"language": "auto"},
            "turn_detection": {"type": "server_vad", "threshold": 0.5},
        },
        "output": {"format": {"type": "audio/pcm", "rate": 24000}, "voice": "kokoro"},
    },
    "avatar": {"name": "mia", "scene": {"name": "shop"}, "protocol": "1.0", "resumed": False},
}

# By type, without it and without `event_id`.
_CLIENT: Final[Mapping[str, Event]] = {
    "session.update": {
        "session": {
            "audio": {"input": {"turn_detection": {"type": "server_vad", "threshold": 0.6}}},
            "avatar": {"scene": "kitchen", "framing": "half"},
        }
    },
    "input_audio_buffer.append": {"audio": "AAABAAIAAwAEAAUA"},
    "input_audio_buffer.commit": {},
    "input_audio_buffer.clear": {},
    "conversation.item.create": {
        "item": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "What is on this pizza?"}],
        }
    },
    "conversation.item.retrieve": {"item_id": "item_8R"},
    "conversation.item.delete": {"item_id": "item_8R"},
    "conversation.item.truncate": {"item_id": "item_8R", "content_index": 0, "audio_end_ms": 840},
    "response.create": {"response": {"output_modalities": ["text"], "metadata": {"from": "menu"}}},
    "response.cancel": {"response_id": "resp_3K"},
    "output_audio_buffer.clear": {},
    "avatar.say": {"text": "The kitchen closes in ten minutes.", "interrupt": False},
    "avatar.action": {"action": "wave", "parameters": {"hand": "left"}},
    "avatar.scene.update": {"scene": {"card": {"title": "Margherita", "price": "9.50"}}},
    "avatar.notes": {},
    "avatar.heard": {"position_ms": 5240.0},
}
_SERVER: Final[Mapping[str, Event]] = {
    "error": {
        "error": {
            "type": "invalid_request_error",
            "code": "invalid_value",
            "message": "session.audio.output.speed is 9; accepted: less than or equal to 2",
            "param": "session.audio.output.speed",
            "event_id": "mine-1",
        }
    },
    "session.created": {"session": _SESSION},
    "session.updated": {"session": _SESSION},
    "input_audio_buffer.speech_started": {"item_id": "item_7Q", "audio_start_ms": 1240},
    "input_audio_buffer.speech_stopped": {"item_id": "item_7Q", "audio_end_ms": 3020},
    "input_audio_buffer.committed": {"item_id": "item_7Q", "previous_item_id": None},
    "input_audio_buffer.cleared": {},
    "input_audio_buffer.timeout_triggered": {
        "item_id": "item_9S",
        "audio_start_ms": 9000,
        "audio_end_ms": 19000,
    },
    "conversation.item.added": {"item": _USER, "previous_item_id": None},
    "conversation.item.done": {"item": _HOST, "previous_item_id": "item_7Q"},
    "conversation.item.retrieved": {"item": _HOST},
    "conversation.item.truncated": {
        "item_id": "item_8R",
        "content_index": 0,
        "audio_end_ms": 840,
        "transcript": "Tomato, —",
    },
    "conversation.item.deleted": {"item_id": "item_8R"},
    "conversation.item.input_audio_transcription.delta": {
        "item_id": "item_7Q",
        "content_index": 0,
        "delta": "What is ",
    },
    "conversation.item.input_audio_transcription.completed": {
        "item_id": "item_7Q",
        "content_index": 0,
        "transcript": "What is on this pizza?",
        "languages": [{"code": "en"}],
        "usage": {"type": "duration", "seconds": 1.78},
    },
    "conversation.item.input_audio_transcription.failed": {
        "item_id": "item_7Q",
        "content_index": 0,
        "error": {
            "type": "server_error",
            "code": "transcription_failed",
            "message": "recognition is busy; say it again",
        },
    },
    "response.created": {"response": _RESPONSE},
    "response.done": {"response": _DONE},
    "response.output_item.added": {"response_id": "resp_3K", "output_index": 0, "item": _BEGUN},
    "response.output_item.done": {"response_id": "resp_3K", "output_index": 0, "item": _HOST},
    "response.content_part.added": {**_PLACE, "part": {"type": "audio", "transcript": ""}},
    "response.content_part.done": {**_PLACE, "part": {"type": "audio", "transcript": _SAID}},
    "response.output_audio.delta": {**_PLACE, "delta": "AAABAAIAAwAEAAUA", "position_ms": 4180.0},
    "response.output_audio.done": _PLACE,
    "response.output_audio_transcript.delta": {**_PLACE, "delta": "Tomato, ", "audio_start_ms": 0},
    "response.output_audio_transcript.done": {**_PLACE, "transcript": _SAID},
    "response.output_text.delta": {**_PLACE, "delta": "Tomato, "},
    "response.output_text.done": {**_PLACE, "text": _SAID},
    "response.function_call_arguments.delta": {**_CALL, "delta": '{"order": 12}'},
    "response.function_call_arguments.done": {
        **_CALL,
        "name": "track_order",
        "arguments": '{"order": 12}',
    },
    "output_audio_buffer.started": {"response_id": "resp_3K"},
    "output_audio_buffer.stopped": {"response_id": "resp_3K"},
    "output_audio_buffer.cleared": {"response_id": "resp_3K"},
    "rate_limits.updated": {
        "rate_limits": [{"name": "events", "limit": 100, "remaining": 96, "reset_seconds": 0.2}]
    },
    "avatar.turn.measured": {
        "turn": 3,
        "response_id": "resp_3K",
        "timings": {"recognised": 0.31, "silence": 0.42, "first_audio": 0.58, "first_sound": 0.66},
    },
    "avatar.motion.format": {
        "encoding": "base64",
        "poses_per_second": 25,
        "joints": ["root", "spine1"],
        "parents": [-1, 0],
        "rest": "AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAA",
        "blendshapes": ["browDownLeft", "browDownRight"],
    },
    "avatar.motion.delta": {
        "position_ms": 4200.0,
        "rotations": "AACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAA=",
        "translation": [0.0, 0.94, 0.0],
        "face": "AAAAAM3MTD4=",
    },
    "avatar.video.delta": {
        "position_ms": 4200.0,
        "keyframe": False,
        "codec": "h264",
        "data": "AAAAAUGaJGxB",
    },
    "avatar.notes": {"seeing": False, "notes": []},
    "avatar.lagging": {"motion": 12, "video": 0},
}


def client_example(kind: str) -> Event:
    """Return an example of a client event."""
    return {"type": kind, **_CLIENT[kind]}


def server_example(kind: str) -> Event:
    """Return an example of a server event."""
    return {"type": kind, "event_id": "event_4f1c", **_SERVER[kind]}
