"""`vivant keys`, and the server's reach."""

import json
import logging
from pathlib import Path

import pytest

from pipeline.configuration import (
    AccessSettings,
    Configuration,
    ServerSettings,
    WebhookSettings,
    load_configuration,
)
from pipeline.errors import ConfigurationError
from transport.access.access import open_access
from web.command import main
from web.command.child import without_keys
from web.command.door import check_reach, open_door
from web.command.main import build_parser
from web.command.outcome import CommandError
from web.command.serve import listen, uvicorn_settings, without_queries

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VIVANT_CONFIG", str(tmp_path / "settings"))
    monkeypatch.delenv("VIVANT_API_KEY", raising=False)
    return tmp_path / "settings"


def _create(capture: Capture, *arguments: str) -> str:
    assert main(["keys", "create", *arguments]) == 0
    return capture.readouterr().out.strip()


def test_a_key_is_printed_once_and_opens_the_server(folder: Path, capsys: Capture) -> None:
    key = _create(capsys, "shop", "--scope", "talk", "--sessions", "2", "--days", "1")
    assert key.startswith("vk_")
    assert "\n" not in key
    assert main(["keys", "list"]) == 0
    listed = capsys.readouterr().out
    assert all(word in listed for word in ("shop", "talk", "2 sessions", "in force until"))
    assert key not in listed
    door = open_door(Configuration())
    assert door.access.identify(key).limits.sessions == 2
    assert main(["keys", "revoke", "shop"]) == 0
    assert main(["keys", "list"]) == 0
    assert "revoked" in capsys.readouterr().out
    lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert [line["act"] for line in lines] == ["keys create", "keys revoke"]
    assert lines[0]["target"] == lines[1]["target"]
    assert lines[0]["key"] == "command"


def test_a_token_opens_the_page(capsys: Capture) -> None:
    _create(capsys, "shop")
    assert main(["keys", "token", "shop", "--minutes", "5"]) == 0
    fragment = capsys.readouterr().out.strip()
    assert fragment.startswith("#token=ek_")
    grant = open_door(Configuration()).access.identify(fragment.removeprefix("#token="))
    assert grant.scopes == {"talk", "watch"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["create", "Shop"], "a-z, 0-9"),
        (["create", "../shop"], "a-z, 0-9"),
        (["create", "here"], "another name"),
        (["revoke", "nobody"], "vivant keys list"),
        (["token", "nobody"], "vivant keys list"),
        (["token", "here", "--scope", "operate"], "accepted for here: talk"),
        (["token", "here", "--minutes", "121"], "10 to 7200"),
        (["create", "x", "--sessions", "1000000000"], "sessions is"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(line: list[str], told: str, capsys: Capture) -> None:
    _create(capsys, "here", "--scope", "talk")
    assert main(["keys", *line]) == 1
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--scope", "admin"], ["--sessions", "0"], ["--days", "-1"]])
def test_wrong_usage(arguments: list[str], capsys: Capture) -> None:
    assert main(["keys", "create", "x", *arguments]) == 2
    capsys.readouterr()


def test_the_files_can_be_elsewhere(tmp_path: Path, folder: Path, capsys: Capture) -> None:
    config = tmp_path / "vivant.toml"
    config.write_text(f'[access]\nkeys = "{tmp_path}/own/keys.json"\n')
    assert main(["keys", "create", "shop", "--config", str(config)]) == 0
    capsys.readouterr()
    assert not folder.exists()
    settings = load_configuration(config).access
    assert open_door(Configuration(access=settings)).access.required
    names = {path.name for path in (tmp_path / "own").iterdir()}
    assert names == {"keys.json", ".keys.json.lock", "token-secret", "audit.jsonl"}


@pytest.mark.parametrize("address", ["0.0.0.0", "::", ""])
def test_no_public_address_without_a_key(address: str, capsys: Capture) -> None:
    with listen(address or None, 0) as listener:  # type: ignore[arg-type]
        with pytest.raises(CommandError, match="vivant keys create NAME") as caught:
            check_reach(listener, open_door(Configuration()).access, tls=True)
        assert caught.value.code == 2
        assert "VIVANT_API_KEY" in str(caught.value)
        _create(capsys, "shop")
        check_reach(listener, open_door(Configuration()).access, tls=True)
        assert capsys.readouterr().err == ""
        check_reach(listener, open_door(Configuration()).access, tls=False)
        assert "in the clear" in capsys.readouterr().err


def test_a_key_of_the_environment_opens_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIVANT_API_KEY", "k" * 40)
    with listen("0.0.0.0", 0) as listener:
        check_reach(listener, open_door(Configuration()).access, tls=True)
    monkeypatch.setenv("VIVANT_API_KEY", "short")
    with pytest.raises(ConfigurationError, match="nobody can guess"):
        open_door(Configuration())


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "localhost"])
def test_this_machine_alone_needs_no_key(address: str) -> None:
    with listen(address, 0) as listener:
        check_reach(listener, open_door(Configuration()).access, tls=False)


def test_serve_refuses_before_it_loads_models(capsys: Capture) -> None:
    assert main(["serve", "--host", "0.0.0.0", "--port", "0"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("vivant: other machines can reach 0.0.0.0")
    assert error.count("\n") == 1


def test_a_webhook_needs_its_host_allowed_and_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    url, hosts = "https://hooks.example/x", ("hooks.example",)
    monkeypatch.delenv("VIVANT_WEBHOOK_SECRET", raising=False)

    def opened(settings: WebhookSettings) -> object:
        return open_door(Configuration(webhooks=settings)).webhooks

    assert opened(WebhookSettings()) is None
    with pytest.raises(ConfigurationError, match="allowed_hosts"):
        opened(WebhookSettings(url))
    with pytest.raises(ConfigurationError, match="VIVANT_WEBHOOK_SECRET"):
        opened(WebhookSettings(url, allowed_hosts=hosts))
    monkeypatch.setenv("VIVANT_WEBHOOK_SECRET", "whsec_" + "A" * 32)
    assert opened(WebhookSettings(url, allowed_hosts=hosts)) is not None
    with pytest.raises(ConfigurationError, match=r"session\.started"):
        opened(WebhookSettings(url, ("session.begun",), allowed_hosts=hosts))


def test_proxies_are_addresses() -> None:
    assert ServerSettings(trusted_proxies=("10.0.0.0/8", "::1")).trusted_proxies
    for wrong in ("*", "proxy.example", "10.0.0.1/8", ""):
        with pytest.raises(ConfigurationError, match="trusted_proxies"):
            ServerSettings(trusted_proxies=(wrong,))


def test_nobody_in_front_is_believed_unless_named() -> None:
    chosen = build_parser().parse_args(["serve"])

    async def app(*_: object) -> None: ...

    assert not uvicorn_settings(app, (), chosen).proxy_headers
    settings = uvicorn_settings(app, ("10.0.0.1",), chosen)
    assert settings.proxy_headers
    assert settings.forwarded_allow_ips == ["10.0.0.1"]


@pytest.mark.parametrize(
    ("message", "args", "told"),
    [
        (
            "%s %s %s %s %d",
            ("127.0.0.1:5", "POST", "/v1/realtime/calls?resume=line_x", "1.1", 201),
            "127.0.0.1:5 POST /v1/realtime/calls 1.1 201",
        ),
        (
            '1 - "WebSocket /v1/realtime?resume=line_x&b=?c" 401',
            (),
            '1 - "WebSocket /v1/realtime" 401',
        ),
        (
            '%s - "WebSocket %s"',
            ("1", "/v1/realtime?resume=line_x"),
            '1 - "WebSocket /v1/realtime"',
        ),
        ("did it stop ?", (), "did it stop ?"),
    ],
)
def test_queries_are_not_logged(message: str, args: tuple[object, ...], told: str) -> None:
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 0, message, args, None)
    assert without_queries(record)
    assert record.getMessage() == told


def test_the_secret_of_a_default_server_is_kept(folder: Path) -> None:
    settings = AccessSettings()
    open_access(settings.keys_file, settings.secret_file)
    assert (folder / "token-secret").stat().st_mode & 0o777 == 0o600


def test_acts_on_somebodys_data_are_recorded(tmp_path: Path, folder: Path, capsys: Capture) -> None:
    config = tmp_path / "vivant.toml"
    config.write_text(f'cache = "{tmp_path}/cache"\n[privacy]\nfolder = "{tmp_path}/people"\n')
    out = tmp_path / "out.json"
    assert main(["data", "export", "ann", "-o", str(out), "--config", str(config)]) == 0
    assert main(["data", "delete", "ann", "--config", str(config)]) == 0
    assert main(["data", "delete", "../ann", "--config", str(config)]) == 1
    capsys.readouterr()
    lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert [(line["key"], line["act"], line["target"]) for line in lines] == [
        ("command", "data export", "ann"),
        ("command", "data delete", "ann"),
    ]


def test_a_commands_own_server_asks_for_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """`vivant talk` and the benchmarks talk to a server of their own, whatever keys there are."""
    _create(capsys, "shop")
    monkeypatch.setenv("VIVANT_API_KEY", "k" * 40)
    environment = without_keys(str(tmp_path / "empty"))
    assert open_door(Configuration()).access.required
    monkeypatch.setenv("VIVANT_CONFIG", environment["VIVANT_CONFIG"])
    monkeypatch.delenv("VIVANT_API_KEY")
    assert "VIVANT_API_KEY" not in environment
    assert not open_door(Configuration()).access.required
