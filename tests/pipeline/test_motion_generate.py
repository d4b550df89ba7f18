"""Motion for a recording: every format, the same for a seed, in time with who speaks."""

import wave
from pathlib import Path

import av
import numpy as np
import pytest

from agents.clause import Feeling
from avatar.spec import AvatarSpec
from motion.errors import MotionValueError
from motion.formats import Clip, read_motion
from motion.pose import POSES_PER_SECOND
from motion.skeleton import FACE_INDEX
from motion.speech import SpokenAction
from pipeline import motion_generate, preview
from pipeline.configuration import RULES, TRAINED, Configuration, MoveSettings
from pipeline.errors import ConfigurationError
from pipeline.motion_generate import AskedAction, Look, generate
from pipeline.recording import passages_of, read_recording
from pipeline.script import clauses_of
from tests.pipeline.test_preview import Drawn, drawing

RATE = 22_050
SPEAKS = ((0.6, 2.2), (3.4, 5.0))
SECONDS = 5.8


def sound(loud: float = 0.3) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return syllables of 0.2 s where somebody speaks, in a little noise."""
    at = np.arange(round(SECONDS * RATE)) / RATE
    voiced = sum((at >= a) & (at < b) for a, b in SPEAKS)
    tone = np.sign(np.sin(2 * np.pi * 150.0 * at)) * (0.4 + 0.6 * np.sin(np.pi * at / 0.2) ** 2)
    noise = np.random.default_rng(0).normal(size=len(at))
    return loud * (voiced * tone + 0.003 * noise)


def written(path: Path, samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        pcm = np.repeat((samples * 32_000).astype("<i2")[:, None], 2, axis=1)
        file.writeframes(pcm.tobytes())
    return path


@pytest.fixture
def audio(tmp_path: Path) -> Path:
    return written(tmp_path / "speech.wav", sound())


def made(
    audio: Path, name: str = "out.safetensors", gestures: str = RULES, **options: object
) -> tuple[dict[str, object], Path]:
    output = audio.with_name(name)
    configuration = Configuration(cache=audio.parent, move=MoveSettings(gestures))
    report = generate(
        audio,
        output,
        configuration=configuration,
        progress=_untold,
        **options,  # type: ignore[arg-type]
    )
    return report, output


def _untold(what: str, share: float) -> None:
    assert what in ("moving", "drawing")
    assert 0.0 < share <= 1.0


def clip(audio: Path, **options: object) -> Clip:
    return read_motion(made(audio, "clip.safetensors", RULES, **options)[1])


@pytest.mark.parametrize("ending", [".safetensors", ".bvh", ".npz", ".npy"])
def test_every_format_holds_the_whole_recording(ending: str, audio: Path) -> None:
    report, output = made(audio, f"out{ending}")
    assert report["seconds"] == pytest.approx(SECONDS, abs=0.04)
    assert report["mover"] == "rules"
    kept = read_motion(output)
    # HumanML3D has 20 poses a second and none for the last.
    assert len(kept.rotations) == pytest.approx(SECONDS * POSES_PER_SECOND, abs=3)
    assert np.abs(np.diff(kept.rotations, axis=0)).max() > 1e-3


def test_speech_is_found_however_loud_it_is(tmp_path: Path) -> None:
    for loud in (0.01, 0.3, 0.9):
        recording = read_recording(written(tmp_path / "a.wav", sound(loud)))
        np.testing.assert_allclose(recording.spans, SPEAKS, atol=0.09)
        assert recording.seconds == pytest.approx(SECONDS, abs=1e-3)
        assert max(recording.loudness) == pytest.approx(0.2, rel=0.3)


def test_the_mouth_moves_where_somebody_speaks_and_hands_with_it(audio: Path) -> None:
    moved = clip(audio)
    jaw = moved.face[:, FACE_INDEX["jawOpen"]]
    at = np.arange(len(jaw)) / POSES_PER_SECOND
    silent = (at < 0.3) | ((at > 2.6) & (at < 3.1)) | (at > 5.4)
    spoken = ((at > 0.8) & (at < 2.0)) | ((at > 3.6) & (at < 4.8))
    assert jaw[spoken].mean() > jaw[silent].mean() + 0.05


def test_a_seed_decides_the_motion(audio: Path) -> None:
    one, same, other = (clip(audio, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.rotations, same.rotations)
    np.testing.assert_array_equal(one.face, same.face)
    assert np.abs(one.rotations - other.rotations).max() > 0.01


def test_the_network_that_ships_moves_it_the_same_for_a_seed(audio: Path) -> None:
    report, output = made(audio, "net.safetensors", TRAINED, seed=3)
    assert report["mover"] == "network"
    one, rules = read_motion(output), clip(audio, seed=3)
    same = read_motion(made(audio, "again.safetensors", TRAINED, seed=3)[1])
    np.testing.assert_array_equal(one.rotations, same.rotations)
    assert np.abs(one.rotations - rules.rotations).max() > 0.01


def test_style_and_emotion_show(audio: Path) -> None:
    plain, calm = clip(audio), clip(audio, style="calm")
    assert np.abs(plain.rotations - calm.rotations).max() > 0.01
    smile = FACE_INDEX["mouthSmileLeft"]
    little, much = (clip(audio, emotion=f"happy:{v}").face[30, smile] for v in (0.3, 1))
    assert plain.face[30, smile] + 0.05 < little < much - 0.1


def test_actions_are_made_at_their_times(audio: Path) -> None:
    asked = [AskedAction("wave", 1.5), AskedAction("show_size", 5.6, (("size", "0.4"),))]
    report, output = made(audio, actions=asked)
    assert report["actions"] == ["wave@1.50", "show_size@5.60"]
    assert report["left_out"] == []
    acted, plain = read_motion(output), clip(audio)
    assert [label.text for label in acted.labels] == ["wave", "show_size"]
    label = acted.labels[0]
    assert label.start < 1.5 < label.end
    away = np.abs(acted.rotations - plain.rotations).max((1, 2))
    at = np.arange(len(away)) / POSES_PER_SECOND
    assert away[(at > 1.2) & (at < 1.8)].min() > 0.1


def test_an_action_for_which_no_hand_is_free_is_told(audio: Path) -> None:
    report, _ = made(audio, actions=[AskedAction("wave", 1.5), AskedAction("count", 1.6)])
    assert report["actions"] == ["wave@1.50"]
    assert report["left_out"] == ["count@1.60"]


def test_words_of_the_text_ask_for_actions_and_emotions(audio: Path) -> None:
    recording = read_recording(audio)
    text = "I'm so sorry about that. Have a look at the link below."
    told = passages_of(recording, list(clauses_of(text)))
    assert [passage.emotion for passage in told] == ["caring", "neutral"]
    assert told[0].start == pytest.approx(SPEAKS[0][0], abs=0.09)
    assert told[-1].end == pytest.approx(SPEAKS[1][1], abs=0.09)
    ((action,),) = [passage.actions for passage in told if passage.actions]
    assert action.action == "point_link"
    # The clause is the last five ninths of the letters, most of it in the second stretch.
    assert SPEAKS[1][0] < action.at < SPEAKS[1][1]
    forced = passages_of(recording, list(clauses_of(text)), Feeling("excited", 0.5))
    assert {(passage.emotion, passage.intensity) for passage in forced} == {("excited", 0.5)}
    asked = passages_of(recording, list(clauses_of(text)), None, [SpokenAction("wave", action.at)])
    assert [a.action for passage in asked for a in passage.actions] == ["wave"]


def test_words_in_mandarin_are_spread_by_character(audio: Path) -> None:
    told = passages_of(read_recording(audio), list(clauses_of("大家好，请看下方链接。")))
    assert {passage.language for passage in told} == {"zh"}
    assert [a.action for passage in told for a in passage.actions] == ["welcome", "point_link"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": [AskedAction("moonwalk", 1.0)]}, "action 'moonwalk'; accepted: "),
        ({"actions": [AskedAction("wave", 9.0)]}, "wave at 9 s; accepted: 0 to 5.80"),
        ({"actions": [AskedAction("wave", 1.0, (("width", "1"),))]}, "wave takes no 'width'"),
        ({"actions": [AskedAction("show_size", 1.0, (("size", "x"),))]}, "size 'x'; accepted: "),
        ({"emotion": "angry"}, "emotion 'angry'; accepted are neutral"),
        ({"style": "none"}, "style is 'none'; accepted: "),
        ({"text": "[happy:3] Hello."}, "text: 'happy:3'; accepted are"),
    ],
)
def test_what_is_not_accepted_is_named(
    options: dict[str, object], message: str, audio: Path
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        made(audio, **options)  # type: ignore[arg-type]
    assert message in str(raised.value)
    assert not audio.with_name("out.safetensors").exists()


def test_files_without_speech_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="holds no speech"):
        made(written(tmp_path / "silent.wav", np.zeros(RATE)))
    text = tmp_path / "no.wav"
    text.write_text("hello")
    with pytest.raises(ConfigurationError, match="cannot be read as sound"):
        made(text)
    with pytest.raises(MotionValueError, match=r"'\.fbx'; accepted"):
        made(text, "out.fbx")


def test_a_video_has_the_sound(audio: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def built(who: AvatarSpec, *_: object) -> None:
        assert who.name == "leo"

    monkeypatch.setattr(motion_generate, "prepare_figure", built)
    drawn = drawing(monkeypatch, Drawn())
    assert preview.SOUND_RATE == 24_000
    report, output = made(audio, "out.mp4", look=Look(avatar="leo", size=(128, 224)))
    assert len(drawn.poses) == report["poses"] == 145
    assert drawn.opened[0][1].framing == "half"
    with av.open(str(output)) as file:
        heard = np.concatenate([f.to_ndarray()[0] for f in file.decode(audio=0)])
    level = np.sqrt(np.mean(heard[: 5 * 24_000].reshape(-1, 2_400) ** 2, axis=1))
    assert level[1:5].max() < 0.02
    assert level[8:20].min() > 0.1
