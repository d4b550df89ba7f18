"""Lips learn from all voices, and are judged on what they have not learnt."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.corpus.building import takes_folder
from pipeline.corpus.lessons import lip_lessons
from pipeline.corpus.plan import plan_takes
from pipeline.corpus.speaking import speak_take
from pipeline.corpus.takes import write_take
from tests.pipeline.corpus.hum import Hum


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    takes_folder(folder).mkdir(parents=True)
    plan = next(one for one in plan_takes(share=0.01) if one.name.startswith("train-en-light"))
    take = speak_take(replace(plan, script=plan.script[:2]), Hum())
    names = [f"train-en-much-{n:04d}" for n in range(24)]
    names += [f"heard-en-much-{n:04d}" for n in range(2)]
    names += [f"train-zh-few-{n:04d}" for n in range(5)] + ["test-en-much-0000"]
    for name in names:
        write_take(replace(take, name=name), takes_folder(folder))
    return folder


def test_every_voice_is_heard_and_one_take_of_it_kept(cache: Path) -> None:
    lessons, held = lip_lessons(cache, 1)
    voices = [lesson.voice for lesson in lessons]
    counts = {voice: voices.count(voice) for voice in voices}
    assert counts == {"train-en-much": 23 * 2, "heard-en-much": 2 * 6, "train-zh-few": 4 * 6}
    assert sorted(one.voice for one in held) == ["train-en-much", "train-zh-few"]


def test_who_says_little_is_heard_otherwise_each_time(cache: Path) -> None:
    lessons, held = lip_lessons(cache, 1)
    few = [lesson for lesson in lessons if lesson.voice == "train-zh-few"]
    themselves = [one for one in few if np.array_equal(one.mouth, held[0].mouth)]
    assert len(themselves) == 4
    assert len({len(one) for one in few}) > 12
    again, _ = lip_lessons(cache, 1)
    assert all(
        np.array_equal(one.audio, other.audio) for one, other in zip(lessons, again, strict=True)
    )
