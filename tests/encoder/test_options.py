import dataclasses

import pytest

from encoder.errors import EncoderValueError
from encoder.options import TurnOptions


def test_the_defaults_hold_together() -> None:
    options = TurnOptions()
    assert (options.enter, options.leave) == (0.5, 0.35)
    assert dataclasses.replace(options) == options


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("enter", 0.0),
        ("enter", 1.5),
        ("enter", 0.2),
        ("barge_in_enter", 0.4),
        ("minimum_speech", 0.0),
        ("minimum_speech", 0.3),
        ("pause", 0.4),
        ("minimum_silence", 0.6),
        ("maximum_silence", 20.0),
        ("maximum_turn", 29.0),
        ("maximum_turn", 1.0),
        ("prefix", -0.1),
        ("prefix", 3.0),
        ("barge_in_grace", -1.0),
        ("false_start", 0.0),
        ("unconfirmed_turn", 0.1),
        ("leave", float("nan")),
        ("enter", float("nan")),
        ("barge_in_enter", float("nan")),
        ("prefix", float("nan")),
    ],
)
def test_values_that_do_not_fit_are_named(field: str, value: float) -> None:
    with pytest.raises(EncoderValueError, match=f"{field} {value}"):
        dataclasses.replace(TurnOptions(), **{field: value})


def test_a_client_names_threshold_and_padding_and_leaves_the_silence_to_the_text() -> None:
    options = TurnOptions.server_vad(threshold=0.7, prefix_padding_ms=200)
    assert (options.enter, options.prefix) == (0.7, 0.2)
    assert options.leave == pytest.approx(0.55)
    assert options.barge_in_enter > options.enter
    assert options.minimum_silence == TurnOptions().minimum_silence
    assert options.maximum_silence == TurnOptions().maximum_silence


@pytest.mark.parametrize("milliseconds", [200, 500, 5000])
def test_a_client_s_silence_ends_every_turn(milliseconds: float) -> None:
    options = TurnOptions.server_vad(silence_duration_ms=milliseconds)
    silences = {options.minimum_silence, options.unknown_silence, options.maximum_silence}
    assert silences == {milliseconds / 1000}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threshold", 0.0),
        ("threshold", 1.0),
        ("silence_duration_ms", 50),
        ("silence_duration_ms", 9000),
        ("prefix_padding_ms", -1),
    ],
)
def test_a_client_s_values_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(EncoderValueError, match="accepted"):
        TurnOptions.server_vad(**{name: value})


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.5, 0.9, 0.95])
def test_every_accepted_threshold_makes_options(threshold: float) -> None:
    options = TurnOptions.server_vad(threshold=threshold)
    assert 0 < options.leave < options.enter < options.barge_in_enter < 1
