"""Models used once at their largest before anybody talks to them."""

from threading import Event
from typing import Final

import numpy as np

from agents.clause import Language
from avatar.voice import Voice
from encoder.options import TurnOptions
from encoder.recognizer import HEARING_RATE, Recognizer

# The first is long enough without a mark for a voice to make its longest piece of it.
LONG: Final[dict[Language, str]] = {
    "en": (
        "We open at eleven every morning and we close at ten in the evening and our kitchen takes "
        "the last order half an hour before that because the oven needs some time to cool down "
        "and everybody wants to go home with a warm pizza"
    ),
    "zh": (
        "我们每天上午十一点开门晚上十点关门厨房在关门前半小时接最后一单因为烤炉需要一些时间冷却"
        "在这里工作的每一个人都想带一份热披萨回家给家人吃"
    ),
}
SHORT: Final[dict[Language, str]] = {"en": "We open at eleven.", "zh": "你好。"}


def warm_recognizer(recognizer: Recognizer) -> None:
    """Recognise the longest utterance there may be.

    A first call takes many times as long as later ones. And the runtimes keep the memory of their
    largest call for good: taken now, it is not taken piece by piece during the first hour.
    """
    longest = int(TurnOptions().maximum_turn * HEARING_RATE)
    noise = np.random.default_rng(1).standard_normal(longest) * 0.05
    recognizer.open().final(noise.astype(np.float32))


def warm_voice(voice: Voice, *, briefly: bool = False) -> None:
    """Speak the longest passage there may be, for the same reasons.

    Args:
        briefly: speak a short one in its first language only, so that it can soon speak.
    """
    if not voice.info.phones:
        from pipeline.mouthing import listening_lips  # torch: nothing for who needs it not

        listening_lips()
    if voice.info.backend == "endpoint":
        return  # it may cost money, and warms up nothing here
    spoken = [language for language in LONG if language in voice.info.languages]
    for index, language in enumerate(spoken[:1] if briefly else spoken):
        # One long text is enough for the model, a short one for another language's words.
        text = LONG[language] if index == 0 and not briefly else SHORT[language]
        for _ in voice.speak(text, language, cancelled=Event()):
            pass
