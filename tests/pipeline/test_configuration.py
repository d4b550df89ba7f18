"""The configuration file: every wrong value is named, and what is accepted."""

from pathlib import Path

import pytest

from pipeline.configuration import Configuration, load_configuration
from pipeline.errors import ConfigurationError


def load(folder: Path, text: str) -> Configuration:
    path = folder / "vivant.toml"
    path.write_text(text, "utf-8")
    return load_configuration(path)


def test_the_defaults_need_no_file() -> None:
    configuration = load_configuration(None)
    assert configuration.speak.voices == ("kokoro", "light")
    assert (configuration.draw.width, configuration.draw.height) == (540, 960)


def test_everything_can_be_set(tmp_path: Path) -> None:
    configuration = load(
        tmp_path,
        """
        cache = "/somewhere"
        [server]
        sessions = 4
        [hear]
        threads = 1
        [think]
        model = "endpoint"
        url = "http://127.0.0.1:1/v1"
        name = "chat"
        catalogue = "shop.json"
        [speak]
        voices = ["light", "kokoro:af_bella"]
        lexicon = { Vivant = "vee-vaunt" }
        [draw]
        renderer = "none"
        width = 720
        height = 1280
        """,
    )
    assert configuration.cache == Path("/somewhere")
    assert configuration.server.sessions == 4
    assert configuration.think.catalogue == Path("shop.json")
    assert configuration.speak.voices == ("light", "kokoro:af_bella")
    assert configuration.speak.lexicon == {"Vivant": "vee-vaunt"}
    assert configuration.draw.renderer == "none"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[server]\nsessions = 0", "server.sessions is 0"),
        ("[server]\nsessions = true", "server.sessions is True"),
        ("[server]\nspeed = 1", "server.speed"),
        ("[sever]\nport = 1", "sever"),
        ('[speak]\nvoices = ["robot"]', "robot"),
        ("[speak]\nvoices = []", "speak.voices is empty"),
        ('[speak]\nvoices = "light"', "speak.voices is 'light'"),
        ("[draw]\nwidth = 541", "541"),
        ('[draw]\nrenderer = "crayon"', "crayon"),
        ('[think]\nmodel = "endpoint"', "think.url"),
        ('[hear]\nrecognizer = "ear"', "ear"),
        ("[server", "cannot be read"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ConfigurationError, match=named.replace(".", r"\.")):
        load(tmp_path, text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml"):
        load_configuration(tmp_path / "nowhere.toml")
