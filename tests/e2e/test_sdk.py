"""The SDK's own behaviour in Chromium: its names and types, tools, refusals, waiting events."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.e2e.browser import watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine
from web.page import STATIC

TYPES = (STATIC / "vivant.d.ts").read_text("utf-8")
NAMES = """async () => {
  const module = await import("/static/vivant.js");
  const found = {};
  for (const [name, value] of Object.entries(module)) {
    const members = new Set();
    const made = { Vivant: () => new value(), Server: () => new value(),
                   WhepViewer: () => new value({ stream: "a" }) }[name]?.();
    for (let at = value.prototype; at && at !== EventTarget.prototype && at !== Object.prototype;
         at = Object.getPrototypeOf(at)) {
      Object.getOwnPropertyNames(at).forEach((member) => members.add(member));
    }
    Object.keys(made ?? {}).forEach((member) => members.add(member));
    members.delete("constructor");
    found[name] = [...members];
  }
  return found;
}"""
# What the SDK's own modules call of each other, and no page needs.
WITHIN = {
    "Server": {"key", "at", "ask", "call", "end"},
    "WhepViewer": {"server", "endpoint", "iceServers", "video"},
}
Told = dict[str, Any]


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def sdk(browser: Browser, engine: FakeEngine) -> Iterator[Page]:
    with serving(engine) as url:
        page = watched_page(browser, f"{url}/static/icon.svg")
        page.evaluate("window.watch.listenIn()")
        yield page
        page.context.close()


def _run(page: Page, code: str) -> Any:
    """Run code that has the SDK's names, and a conversation `host` that has not begun."""
    return page.evaluate(
        "async () => { const { Vivant, VivantError, Server, WhepViewer } = "
        'await import("/static/vivant.js"); const host = new Vivant({ size: "none" });'
        "const seen = (type, from = host) => { const all = []; "
        "from.on(type, (detail) => all.push(detail)); return all; };"
        "const wait = (ms) => new Promise((done) => setTimeout(done, ms));"
        f"{code} }}"
    )


def _declared() -> dict[str, set[str]]:
    """Return the exported classes with their members, and the exported functions."""
    found: dict[str, set[str]] = {}
    for name, body in re.findall(
        r"^export declare class (\w+)[^{]*\{\n(.*?)^\}", TYPES, re.DOTALL | re.MULTILINE
    ):
        members = re.findall(r"^  (?:readonly )?(\w+)(?:<[^>]*>)?[(:]", body, re.MULTILINE)
        found[name] = set(members) - {"constructor"}
    for name in re.findall(r"^export declare function (\w+)", TYPES, re.MULTILINE):
        found[name] = set()
    return found


def test_the_types_name_what_the_module_has(sdk: Page) -> None:
    found: dict[str, list[str]] = sdk.evaluate(NAMES)
    declared = _declared()
    assert set(found) == set(declared)
    for name, members in found.items():
        if name != "VivantError":
            assert set(members) - WITHIN.get(name, set()) == declared[name], name


def test_the_types_name_every_event() -> None:
    for owner, files in (
        ("VivantEvents", ("vivant.js", "conversation.js")),
        ("ViewerEvents", ("whep-viewer.js",)),
    ):
        (body,) = re.findall(rf"^export interface {owner} \{{\n(.*?)^\}}", TYPES, re.S | re.M)
        declared = set(re.findall(r"^  (\w+):", body, re.M))
        told: set[str] = set()
        for name in files:
            code = (STATIC / name).read_text("utf-8")
            told |= set(re.findall(r'\btell\([\w.]+, "(\w+)"', code))
            told |= set(re.findall(r'\b(?:grow|finish)\("(\w+)"', code))
        assert told == declared, owner


def test_kinds_of_trouble_are_those_of_the_types_and_the_guide() -> None:
    (union,) = re.findall(r"^export type TroubleKind =(.*?);", TYPES, re.S | re.M)
    declared = set(re.findall(r'"(\w+)"', union))
    made: set[str] = set()
    for path in STATIC.glob("*.js"):
        made |= set(re.findall(r'new VivantError\("(\w+)"', path.read_text("utf-8")))
    assert made <= declared
    guide = (Path(__file__).parents[2] / "docs" / "javascript-sdk.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z, ]+) \| ", guide.split("| kind |")[1], re.M)
    assert {kind for row in rows[: rows.index("server, tool") + 1] for kind in row.split(", ")} == (
        declared
    )


def test_a_tool_that_fails_tells_the_host_and_the_page(sdk: Page) -> None:
    errors, sent = _run(
        sdk,
        """
        const errors = seen("error");
        host.tool("till", { description: "Opens the till." }, () => { throw new Error("stuck"); });
        await host.connect();
        const call = (name) => ({ type: "function_call", call_id: name, name, arguments: "{}" });
        const response = { output: [call("till"), call("none")] };
        window.watch.sent.length = 0;
        for (const status of ["completed", "cancelled"]) {
          window.watch.tell({ type: "response.done", response: { ...response, status } });
        }
        await wait(100);
        host.close();
        const own = errors.filter(({ kind }) => kind === "tool");
        return [own.map(({ message }) => message), window.watch.sent];
        """,
    )
    # After that the engine here calls the tool once more.
    assert errors[:2] == ["till: stuck", "none: there is no tool none"]
    assert [event["type"] for event in sent[:3]] == [
        "conversation.item.create",
        "conversation.item.create",
        "response.create",
    ]
    assert [event["item"]["output"] for event in sent[:2]] == [
        '{"error":"stuck"}',
        '{"error":"there is no tool none"}',
    ]


def test_what_the_session_begins_with(sdk: Page, engine: FakeEngine) -> None:
    sent = _run(
        sdk,
        """
        const form = [];
        const { set } = FormData.prototype;
        FormData.prototype.set = function note(name, value) {
          if (name === "session") form.push(JSON.parse(value));
          set.call(this, name, value);
        };
        const wished = new Vivant({
          voice: "hum", speed: 1.5, language: "zh", framing: "full", size: "none",
          session: { audio: { output: { speed: 1.25 } }, avatar: { style: "calm" } },
        });
        await wished.connect();
        wished.close();
        return form;
        """,
    )
    assert sent == [
        {
            "type": "realtime",
            "audio": {
                "input": {"transcription": {"language": "zh"}},
                "output": {"voice": "hum", "speed": 1.25},
            },
            "avatar": {"framing": "full", "size": "none", "style": "calm"},
        }
    ]
    options = engine.opened[0].options
    assert (options.voice, options.speed, options.language) == ("hum", 1.25, "zh")


def test_nothing_is_sent_without_a_call(sdk: Page) -> None:
    found = _run(
        sdk,
        """
        const kinds = [];
        const tried = (act) => { try { act(); } catch ({ kind }) { kinds.push(kind); } };
        tried(() => host.ask("Hello?"));
        await host.connect();
        await host.connect().catch(({ kind }) => kinds.push(kind));
        host.close();
        tried(() => host.say("Hello!"));
        return [kinds, host.state, host.reason];
        """,
    )
    assert found == [["ended", "ended", "ended"], "closed", None]


def test_what_waits_for_a_connection_is_bounded(sdk: Page) -> None:
    sdk.route("**/calls?resume=*", lambda route: route.abort())
    found = _run(
        sdk,
        """
        await host.connect();
        window.watch.tell({ type: "session.created", session: { avatar: { resume_token: "t" } } });
        window.watch.cut();
        let kept = 0;
        try { for (; kept < 1000; kept += 1) host.say("Hello!"); } catch ({ kind }) {
          return [host.state, kept, kind];
        } finally { host.close(); }
        """,
    )
    assert found == ["reconnecting", 64, "limited"]


@pytest.mark.parametrize(
    ("status", "headers", "error", "kind", "after"),
    [
        (401, {}, {"code": "invalid_api_key"}, "unauthorized", None),
        (403, {}, {"code": "insufficient_scope"}, "forbidden", None),
        (429, {"retry-after": "7"}, {"code": "rate"}, "limited", 7),
        (503, {}, {"code": "server_full"}, "full", 5),
        (503, {"retry-after": "2"}, {"code": "avatar_preparing"}, "preparing", 2),
        (404, {}, {"code": "session_gone"}, "gone", None),
        (400, {}, {"code": "invalid_value"}, "refused", None),
        (500, {}, None, "refused", None),
    ],
)
def test_refusals_say_what_one_may_do(
    sdk: Page, status: int, headers: Told, error: Told | None, kind: str, after: int | None
) -> None:
    body = {"error": {**error, "message": "why"} if error else None}
    sdk.route(
        "**/v1/realtime/calls", lambda r: r.fulfill(status=status, headers=headers, json=body)
    )
    found = _run(
        sdk,
        """
        const closed = seen("closed");
        const error = await host.connect().catch((error) => error);
        const { kind, code, message, retryAfter = null } = error;
        return [error instanceof VivantError, closed[0] === error, kind, code, message, retryAfter];
        """,
    )
    message = "why" if error else f"the server answered {status}"
    assert found == [True, True, kind, error and error["code"], message, after]


def test_a_token_is_asked_before_every_request(sdk: Page) -> None:
    sent: list[str | None] = []

    def note(route: Route) -> None:
        sent.append(route.request.headers.get("authorization"))
        route.continue_()

    sdk.route("**/v1/**", note)
    _run(
        sdk,
        """
        let count = 0;
        const short = new Vivant({ size: "none", token: async () => `ek_${++count}` });
        await short.connect();
        short.close();
        await wait(100);
        """,
    )
    assert sent == ["Bearer ek_1", "Bearer ek_2", "Bearer ek_3"]


def test_listeners_end_where_they_are_told_to(sdk: Page) -> None:
    found = _run(
        sdk,
        """
        const states = [];
        const end = host.on("state", (state) => states.push(state));
        host.addEventListener("state", ({ detail }) => detail === "connected" && end());
        await host.connect();
        host.close();
        return states;
        """,
    )
    assert found == ["connecting", "connected"]


def test_the_microphone_that_is_refused(sdk: Page) -> None:
    found = _run(
        sdk,
        """
        navigator.mediaDevices.getUserMedia = async () => {
          throw new DOMException("no", "NotAllowedError");
        };
        const error = await host.connect({ microphone: true }).catch((error) => error);
        return [error.kind, host.state];
        """,
    )
    assert found == ["denied", "closed"]


def test_it_gives_back_only_its_own_microphone(sdk: Page) -> None:
    found = _run(
        sdk,
        """
        const ready = (stream) => stream.getTracks()[0].readyState;
        await host.connect({ microphone: true });
        const own = host.microphone;
        host.close();
        const given = await navigator.mediaDevices.getUserMedia({ audio: true });
        const other = new Vivant({ size: "none" });
        await other.connect({ microphone: given });
        other.mute();
        const muted = given.getTracks()[0].enabled;
        other.close();
        return [ready(own), ready(given), muted];
        """,
    )
    assert found == ["ended", "live", False]


@pytest.mark.parametrize(
    ("header", "servers"),
    [
        ("", []),
        ('<stun:a.example>; rel="ice-server"', [{"urls": "stun:a.example"}]),
        (
            '<turn:a.example:3478?transport=udp>; rel="ice-server"; username="1700:u, v"; '
            'credential="p\\"a;ss"; credential-type="password", <https://x>; rel="next", '
            "<turns:b.example>;rel=ice-server;username=u;credential=c",
            [
                {
                    "urls": "turn:a.example:3478?transport=udp",
                    "username": "1700:u, v",
                    "credential": 'p"a;ss',
                },
                {"urls": "turns:b.example", "username": "u", "credential": "c"},
            ],
        ),
    ],
)
def test_ice_servers_out_of_links(sdk: Page, header: str, servers: list[Told]) -> None:
    found = sdk.evaluate(
        "async (header) => (await import('/static/whep-viewer.js')).linkedIceServers(header)",
        header,
    )
    assert found == servers
