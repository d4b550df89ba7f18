"""From a plan to bodies in motion: spoken by a voice, kept, set in motion, the same each time."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motion.actions import ACTION_IDS
from motion.lips.track import touched
from motion.lips.visemes import PART
from motion.streaming.conditions import POSTURE_INDEX
from pipeline.corpus.building import (
    load_motion,
    motion_folder,
    move_corpus,
    moved_seconds,
    takes_folder,
)
from pipeline.corpus.choreography import choreographed
from pipeline.corpus.mouths import mouths_of
from pipeline.corpus.plan import TakePlan, plan_takes
from pipeline.corpus.speaking import speak_take
from pipeline.corpus.takes import TAKE_RATE, CorpusError, Take, read_take, write_take
from tests.pipeline.corpus.hum import Hum


def plan() -> TakePlan:
    return next(take for take in plan_takes(share=0.01) if take.name.startswith("train-en-light"))


@pytest.fixture(scope="module")
def take() -> Take:
    return speak_take(plan(), Hum())


def test_a_take_holds_the_script_in_time(take: Take) -> None:
    said = " ".join(line.text for line in take.lines)
    assert said.split() == " ".join(s.text for s in plan().script).split()
    ends = 0.0
    for line in take.lines:
        assert line.start >= ends
        ends = line.end
        first, last = round(line.start * TAKE_RATE), round(line.end * TAKE_RATE)
        assert np.abs(take.samples[first + 200 : last - 200]).max() > 4000
        assert line.words[0].start == pytest.approx(line.start, abs=1e-6)
        assert line.phones[-1].end <= line.end + 1e-4
    assert ends < take.seconds


def test_a_take_is_read_as_it_was_written(take: Take, tmp_path: Path) -> None:
    found = read_take(write_take(take, tmp_path))
    np.testing.assert_array_equal(found.samples, take.samples)
    assert [line.text for line in found.lines] == [line.text for line in take.lines]
    assert found.lines[1].phones[0].start == pytest.approx(take.lines[1].phones[0].start, abs=1e-4)
    (tmp_path / "broken.safetensors").write_bytes(b"x" * 40)
    with pytest.raises(CorpusError, match=r"broken.safetensors: .*accepted: a take"):
        read_take(tmp_path / "broken.safetensors")


def test_another_seed_is_another_person(take: Take) -> None:
    one, again, other = (choreographed(take, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.body, again.body)
    assert (one.style != other.style).any()
    assert np.abs(one.body.astype(float) - other.body.astype(float)).mean() > 1.0
    np.testing.assert_array_equal(one.audio, other.audio)


def test_labels_say_what_the_body_does(take: Take) -> None:
    made = [choreographed(take, seed) for seed in range(6)]
    acted = np.concatenate([sequence.action for sequence in made])
    assert acted.max() <= len(ACTION_IDS)
    assert len(set(acted) - {0}) > 5
    for sequence in made:
        assert len(sequence) == int(take.seconds * 25)
        assert np.isfinite(sequence.body.astype(float)).all()
        speaking = sequence.posture == POSTURE_INDEX["speaking"]
        np.testing.assert_array_equal(speaking, sequence.speech)
        strokes = (sequence.since[:-1] < 0) & (sequence.since[1:] >= 0) & (sequence.action[1:] > 0)
        # Hands move more in the half second after a stroke begins than in silence.
        speed = np.abs(np.diff(sequence.body.astype(float), axis=0)).sum(1)
        for stroke in np.flatnonzero(strokes):
            assert speed[stroke - 8 : stroke + 12].max() > np.median(speed)


def test_the_mouth_of_a_take_closes_on_its_closures(take: Take) -> None:
    mouth = mouths_of(take).mouth.astype(float)
    for line in take.lines:
        for phone in line.phones:
            if phone.ipa == "m":
                pose = round((phone.start + phone.end) / 2 * 25)
                row = mouth[pose]
                assert row[-2] > 0.8
                shape = touched(row[:-2], row[-2], row[-1])
                assert shape[PART["jaw"]] - shape[PART["close"]] < 0.1


def test_a_corpus_is_built_once_and_goes_on_where_it_was(take: Take, tmp_path: Path) -> None:
    takes_folder(tmp_path).mkdir(parents=True)
    write_take(take, takes_folder(tmp_path))
    write_take(replace(take, name="test-en-hum-0000"), takes_folder(tmp_path))
    made = dict(move_corpus(tmp_path))
    assert made == {take.name: 3, "test-en-hum-0000": 1}
    written = {path: path.stat().st_mtime_ns for path in motion_folder(tmp_path).iterdir()}
    assert dict(move_corpus(tmp_path)) == {take.name: 0, "test-en-hum-0000": 0}
    assert written == {path: path.stat().st_mtime_ns for path in motion_folder(tmp_path).iterdir()}
    (name, sequence), *_ = load_motion(tmp_path, "train")
    assert name == f"{take.name}-0"
    assert len(load_motion(tmp_path, "train")) == 3
    assert moved_seconds(tmp_path, "train") == pytest.approx(3 * len(sequence) / 25)
    assert len(sequence) == int(take.seconds * 25)
