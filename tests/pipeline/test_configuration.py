"""The configuration file: every wrong value is named, and what is accepted."""

from pathlib import Path

import pytest

from pipeline.configuration import Configuration, load_configuration
from pipeline.errors import ConfigurationError
from pipeline.options import IceServer


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


def test_ice_servers_are_read(tmp_path: Path) -> None:
    configuration = load(
        tmp_path,
        """
        [[server.ice_servers]]
        urls = ["stun:stun.example:3478"]
        [[server.ice_servers]]
        urls = ["turn:turn.example:3478?transport=udp", "turns:turn.example:5349"]
        username = "me"
        credential = "secret"
        """,
    )
    plain, turn = configuration.server.ice_servers
    assert plain == IceServer(("stun:stun.example:3478",))
    assert (turn.username, turn.credential, len(turn.urls)) == ("me", "secret", 2)


def test_the_way_through_nat_is_read(tmp_path: Path) -> None:
    configuration = load(
        tmp_path,
        """
        [server]
        candidates = "relay"
        public_addresses = ["203.0.113.7"]
        [[server.ice_servers]]
        urls = ["turn:turn.example"]
        secret_variable = "TURN_SECRET"
        lifetime_s = 600
        """,
    )
    server = configuration.server
    assert (server.candidates, server.public_addresses) == ("relay", ("203.0.113.7",))
    assert (server.ice_servers[0].secret_variable, server.ice_servers[0].lifetime_s) == (
        "TURN_SECRET",
        600,
    )


def test_a_credential_is_not_shown() -> None:
    assert "hush" not in repr(IceServer(("turn:turn.example",), "me", "hush"))


def test_the_default_picture_is_never_too_large(tmp_path: Path) -> None:
    draw = load(tmp_path, "[draw]\nwidth = 1080\nheight = 1920").draw
    assert draw.most_pixels == 1080 * 1920


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
        ("[draw]\nmost_pixels = 12", "draw.most_pixels is 12"),
        ('[server]\nice_servers = ["stun:a"]', "server.ice_servers has 'stun:a'"),
        ('[[server.ice_servers]]\nurls = ["http://a"]', "http://a"),
        ('[[server.ice_servers]]\nusername = "me"', "no urls"),
        ('[server]\ncandidates = "host"', "server.candidates is 'host'"),
        ('[server]\npublic_addresses = ["::1"]', "server.public_addresses has '::1'"),
        ('[[server.ice_servers]]\nurls = ["turn:a"]\nlifetime_s = 1', "lifetime_s is 1"),
        ('[[server.ice_servers]]\nurls = ["turn:a"]\nsecret_variable = "a-b"', "'a-b'"),
        (
            '[[server.ice_servers]]\nurls = ["turn:a"]\nsecret_variable = "A"\nusername = "b"',
            "one or the other",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ConfigurationError, match=named.replace(".", r"\.")):
        load(tmp_path, text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml"):
        load_configuration(tmp_path / "nowhere.toml")


def test_values_of_another_kind_are_refused_in_plain_words(tmp_path: Path) -> None:
    for written, message in (
        ("[move]\ngestures = 5", "move.gestures is 5; accepted: text"),
        ("[speak]\nvoices = 5", "speak.voices is 5; accepted: a list of texts"),
        ("[server]\nsessions = true", "server.sessions is True; accepted: a whole number"),
    ):
        (tmp_path / "v.toml").write_text(written)
        with pytest.raises(ConfigurationError, match=message):
            load_configuration(tmp_path / "v.toml")


def test_rooms_have_a_database_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rooms.toml"
    file.write_text('[rooms]\ndatabase = "sqlite:////srv/rooms.db"\nfolder = "/srv"\n')
    settings = load_configuration(file).rooms
    assert settings.database_url == "sqlite:////srv/rooms.db"
    assert settings.pictures_folder == Path("/srv/pictures")
    monkeypatch.setenv("VIVANT_DATABASE_URL", "postgresql+pg8000://me:pw@host/rooms")
    assert settings.database_url == "postgresql+pg8000://me:pw@host/rooms"
    file.write_text("[rooms]\nkeep_days = 0\n")
    with pytest.raises(ConfigurationError, match=r"rooms\.keep_days is 0; accepted: 1 to"):
        load_configuration(file)
