"""WHIP and WHEP to the letter of RFC 9725 and draft-ietf-wish-whep, by plain HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from aiortc import RTCPeerConnection

from pipeline.options import IceServer
from tests.transport.access.doors import Door
from tests.transport.offers import REFUSED, VP8, audio_section, sdp, video_section
from tests.transport.publishing import HUM, Speaker
from tests.transport.watcher import Watcher
from tests.web.broadcasting import SDP, WHEP, WHIP, Studio, studio
from transport.access.grant import Limits
from transport.nat import DIRECT
from web.body import BODY_LIMIT
from web.whip import FRAGMENT

PATCH = {"Content-Type": FRAGMENT}
WATCH = sdp(audio_section("a=ice-options:trickle", direction="recvonly"))
PUBLISH = sdp(audio_section("a=ice-options:trickle", direction="sendonly"))
OFFERS = {WHEP: WATCH, WHIP: PUBLISH}
# The credentials and the mid of both offers.
SAME = "a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\n"
OTHER = "a=ice-ufrag:efgh\r\na=ice-pwd:zyxwvutsrqponmlkjihgfedc\r\n"
SECTION = "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n"
CANDIDATE = "a=candidate:1 1 udp 2122260223 127.0.0.1 9 typ host generation 0 ufrag abcd\r\n"
LAST = "a=end-of-candidates\r\n"

both = pytest.mark.parametrize("endpoint", [WHEP, WHIP])


@pytest.fixture
async def made() -> AsyncIterator[Studio]:
    async with studio() as made:
        yield made


async def post(made: Studio, endpoint: str) -> httpx.Response:
    response = await made.client.post(endpoint, content=OFFERS[endpoint], headers=SDP)
    assert response.status_code == 201, response.text
    return response


async def patch(
    made: Studio, posted: httpx.Response, fragment: str, condition: str | None = None
) -> httpx.Response:
    headers = dict(PATCH)
    if condition is not None:
        headers["If-Match"] = condition
    place = posted.headers["Location"]
    return await made.client.patch(place, content=fragment, headers=headers)


def error(response: httpx.Response) -> dict[str, str]:
    told: dict[str, str] = response.json()["error"]
    assert set(told) == {"type", "code", "message", "param"}
    return told


def remote_candidates(made: Studio) -> list[str]:
    """Return the addresses the server knows of its only peer."""
    running = {**made.viewers._serving._running, **made.publishers._serving._running}
    ((exchange, _),) = running.values()
    transceiver = exchange._connection.rtc.getTransceivers()[0]
    ice = transceiver.receiver.transport.transport
    return [f"{each.ip} {each.port}" for each in ice.getRemoteCandidates()]


@both
async def test_an_offer_creates_a_session(made: Studio, endpoint: str) -> None:
    response = await post(made, endpoint)
    assert response.headers["Content-Type"] == "application/sdp"
    place = response.headers["Location"]
    assert re.fullmatch(re.escape(endpoint) + r"/[A-Za-z0-9_-]{20,}", place)
    assert re.fullmatch(r'"[^"]+"', response.headers["ETag"]), "a strong entity tag"
    lines = response.text.split("\r\n")
    assert lines[0] == "v=0"
    assert ("a=sendonly" if endpoint == WHEP else "a=recvonly") in lines
    assert any(line.startswith("a=candidate:") for line in lines), "all candidates are in it"
    assert "a=end-of-candidates" in lines
    assert "a=setup:passive" in lines, "the client begins DTLS"
    again = await made.client.get(place)
    assert (again.status_code, again.content) == (204, b"")


@both
async def test_a_client_that_cannot_begin_dtls_need_not(made: Studio, endpoint: str) -> None:
    offer = OFFERS[endpoint].replace("a=setup:actpass", "a=setup:passive")
    response = await made.client.post(endpoint, content=offer, headers=SDP)
    assert response.status_code == 201
    assert "a=setup:active" in response.text


@both
async def test_names_cannot_be_guessed_and_tags_differ(made: Studio, endpoint: str) -> None:
    first = await post(made, endpoint)
    if endpoint == WHIP:
        await made.client.delete(first.headers["Location"])
    second = await post(made, endpoint)
    assert first.headers["Location"] != second.headers["Location"]
    assert first.headers["ETag"] != second.headers["ETag"]


@both
async def test_sound_and_pictures_share_one_bundle(made: Studio, endpoint: str) -> None:
    rtc = RTCPeerConnection(DIRECT.configuration())
    direction = "recvonly" if endpoint == WHEP else "sendonly"
    rtc.addTransceiver("audio", direction)
    rtc.addTransceiver("video", direction)
    await rtc.setLocalDescription(await rtc.createOffer())
    offer = rtc.localDescription.sdp
    response = await made.client.post(endpoint, content=offer, headers=SDP)
    await rtc.close()
    assert response.status_code == 201, response.text
    lines = response.text.split("\r\n")
    assert "a=group:BUNDLE 0 1" in lines
    assert lines.count("a=sendonly" if endpoint == WHEP else "a=recvonly") == 2, "none is refused"
    assert lines.count("a=rtcp-mux") == 2
    streams = {line.split()[0] for line in lines if line.startswith("a=msid:")}
    assert len(streams) == 1, "one MediaStream"


@both
async def test_delete_ends_it_once_whatever_the_tag(made: Studio, endpoint: str) -> None:
    before = made.held
    place = (await post(made, endpoint)).headers["Location"]
    response = await made.client.delete(place, headers={"If-Match": '"other"'})
    assert response.status_code == 200
    await asyncio.sleep(0)
    assert made.held == before
    again = await made.client.delete(place)
    assert again.status_code == 404
    assert error(again)["code"] == "not_found"
    assert (await patch(made, response_to(place), SAME + SECTION + CANDIDATE)).status_code == 404


def response_to(place: str) -> httpx.Response:
    """Return what a client would remember of a session."""
    return httpx.Response(201, headers={"Location": place, "ETag": '"gone"'})


@both
@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/json", "application/sdpx", FRAGMENT]
)
async def test_another_type_than_sdp_is_refused(made: Studio, endpoint: str, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    response = await made.client.post(endpoint, content=OFFERS[endpoint], headers=headers)
    assert response.status_code == 415
    assert response.headers["Accept-Post"] == "application/sdp"


@both
async def test_the_type_may_have_parameters(made: Studio, endpoint: str) -> None:
    headers = {"Content-Type": "Application/SDP; charset=utf-8"}
    response = await made.client.post(endpoint, content=OFFERS[endpoint], headers=headers)
    assert response.status_code == 201


@both
@pytest.mark.parametrize(
    "name", [name for name in REFUSED if name not in ("video alone", "too long")]
)
async def test_bad_sdp_is_refused_and_leaves_nothing(
    made: Studio, endpoint: str, name: str
) -> None:
    before = made.held
    body = REFUSED[name].encode("utf-8", "surrogatepass")
    response = await made.client.post(endpoint, content=body, headers=SDP)
    assert response.status_code == 400, response.text
    await asyncio.sleep(0)
    assert made.held == before


@pytest.mark.parametrize(
    ("endpoint", "offer"),
    [
        (WHEP, PUBLISH),
        (WHIP, WATCH),
        (WHEP, sdp(audio_section(direction="recvonly"), video_section(VP8))),
        (WHIP, sdp(video_section(VP8, direction="sendonly"))),
        (
            WHIP,
            sdp(
                audio_section(direction="sendonly"),
                video_section((98, "VP9", ""), direction="sendonly"),
            ),
        ),
    ],
)
async def test_an_offer_for_something_else_is_refused_whole(
    made: Studio, endpoint: str, offer: str
) -> None:
    before = made.held
    response = await made.client.post(endpoint, content=offer, headers=SDP)
    assert response.status_code == 400
    assert error(response)["code"] == "bad_offer"
    await asyncio.sleep(0)
    assert made.held == before


@both
async def test_a_body_too_big_is_refused(made: Studio, endpoint: str) -> None:
    body = OFFERS[endpoint] + "a" * BODY_LIMIT
    response = await made.client.post(endpoint, content=body, headers=SDP)
    assert response.status_code == 413
    body = OFFERS[endpoint] + "a=x:" + "y" * 70_000 + "\r\n"
    response = await made.client.post(endpoint, content=body, headers=SDP)
    assert response.status_code == 400


@pytest.mark.parametrize("endpoint", ["/v1/whep/attic", "/v1/whip/attic"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
async def test_there_is_no_such_stream(made: Studio, endpoint: str, method: str) -> None:
    response = await made.client.request(method, endpoint, content=WATCH, headers=SDP)
    assert response.status_code == 404


@both
async def test_there_is_no_such_session(made: Studio, endpoint: str) -> None:
    other = WHIP if endpoint == WHEP else WHEP
    session = (await post(made, endpoint)).headers["Location"].rsplit("/", 1)[1]
    for place in (f"{endpoint}/nobody", f"{other}/{session}", f"{endpoint}/{'a' * 200}"):
        for method in ("GET", "PATCH", "DELETE", "OPTIONS"):
            response = await made.client.request(method, place, content=LAST, headers=PATCH)
            assert response.status_code == 404, (method, place)


@both
async def test_methods_without_a_meaning_say_which_have_one(made: Studio, endpoint: str) -> None:
    place = (await post(made, endpoint)).headers["Location"]
    for method in ("PUT", "PATCH", "DELETE"):
        response = await made.client.request(method, endpoint)
        assert response.status_code == 405
        assert {"POST", "OPTIONS"} <= set(response.headers["Allow"].split(", "))
        assert method not in response.headers["Allow"]
    for method in ("PUT", "POST"):
        response = await made.client.request(method, place)
        assert response.status_code == 405
        assert {"PATCH", "DELETE"} <= set(response.headers["Allow"].split(", "))
        assert method not in response.headers["Allow"]


@both
async def test_options_say_what_may_be_posted(made: Studio, endpoint: str) -> None:
    response = await made.client.options(endpoint)
    assert response.status_code == 200
    assert response.headers["Accept-Post"] == "application/sdp"
    assert "POST" in response.headers["Allow"]
    place = (await post(made, endpoint)).headers["Location"]
    response = await made.client.options(place)
    assert response.status_code == 200
    assert response.headers["Accept-Patch"] == FRAGMENT


@both
async def test_servers_are_named_in_links(endpoint: str) -> None:
    servers = [
        IceServer(("stun:stun.example.net",)),
        IceServer(
            ("turn:turn.example.net?transport=udp", "turns:turn.example.net?transport=tcp"),
            "user",
            'my"Password',
        ),
    ]
    secret = 'username="user"; credential="my\\"Password"; credential-type="password"'
    expected = [
        '<stun:stun.example.net>; rel="ice-server"',
        f'<turn:turn.example.net?transport=udp>; rel="ice-server"; {secret}',
        f'<turns:turn.example.net?transport=tcp>; rel="ice-server"; {secret}',
    ]
    async with studio(ice_servers=servers) as made:
        response = await post(made, endpoint)
        assert response.headers.get_list("Link") == expected
        options = await made.client.options(endpoint)
        assert options.headers.get_list("Link") == expected
        preflight = {"Origin": "https://x.example", "Access-Control-Request-Method": "POST"}
        asked = await made.client.options(endpoint, headers=preflight)
        assert asked.headers.get_list("Link") == []


@both
async def test_candidates_may_follow(made: Studio, endpoint: str) -> None:
    posted = await post(made, endpoint)
    tag = posted.headers["ETag"]
    response = await patch(made, posted, SAME + SECTION + CANDIDATE, tag)
    assert (response.status_code, response.content) == (204, b"")
    assert "ETag" not in response.headers
    assert remote_candidates(made) == ["127.0.0.1 9"]
    more = CANDIDATE.replace(" 9 typ", " 10 typ")
    assert (await patch(made, posted, SECTION + more, f'"x", {tag}')).status_code == 204
    assert remote_candidates(made) == ["127.0.0.1 9", "127.0.0.1 10"]
    assert (await patch(made, posted, SAME + SECTION + LAST, tag)).status_code == 204
    late = CANDIDATE.replace(" 9 typ", " 11 typ")
    assert (await patch(made, posted, SAME + SECTION + late, tag)).status_code == 204
    assert len(remote_candidates(made)) == 2, "there are none after the last"


@both
async def test_an_end_without_any_address_gives_nobody_up(made: Studio, endpoint: str) -> None:
    posted = await post(made, endpoint)
    hidden = CANDIDATE.replace("127.0.0.1", "4a1d.local")
    fragment = SAME + SECTION + hidden + LAST
    assert (await patch(made, posted, fragment, posted.headers["ETag"])).status_code == 204
    assert (await made.client.get(posted.headers["Location"])).status_code == 204
    assert (
        await patch(made, posted, SAME + SECTION + CANDIDATE, posted.headers["ETag"])
    ).status_code == 204
    assert remote_candidates(made) == ["127.0.0.1 9"]


@both
@pytest.mark.parametrize(
    "line",
    [
        CANDIDATE.replace(" udp ", " tcp ").replace("typ host", "typ host tcptype active"),
        CANDIDATE.replace("127.0.0.1", "4a1d6b0e.local"),
        CANDIDATE.replace("127.0.0.1", "nowhere.example"),
        CANDIDATE.replace("1 1 udp", "1 2 udp"),
        CANDIDATE.replace("127.0.0.1", "0.0.0.0"),
        CANDIDATE.replace("127.0.0.1", "224.0.0.1"),
    ],
)
async def test_candidates_of_no_use_are_left_out(made: Studio, endpoint: str, line: str) -> None:
    posted = await post(made, endpoint)
    fragment = SAME + SECTION + line + CANDIDATE
    assert (await patch(made, posted, fragment, posted.headers["ETag"])).status_code == 204
    assert remote_candidates(made) == ["127.0.0.1 9"]


@both
async def test_a_condition_is_needed_and_must_hold(made: Studio, endpoint: str) -> None:
    posted = await post(made, endpoint)
    fragment = SAME + SECTION + CANDIDATE
    assert (await patch(made, posted, fragment)).status_code == 428
    tag = posted.headers["ETag"]
    for condition in ('"other"', f"W/{tag}", tag.strip('"'), "", f'"{tag}"'):
        response = await patch(made, posted, fragment, condition)
        assert response.status_code == 412, condition
        assert error(response)["code"] == "precondition_failed"
    assert remote_candidates(made) == []
    assert (await patch(made, posted, fragment, tag)).status_code == 204


@both
async def test_ice_is_not_restarted_and_what_is_goes_on(made: Studio, endpoint: str) -> None:
    posted = await post(made, endpoint)
    tag = posted.headers["ETag"]
    for condition, fragment in (
        ("*", OTHER),
        ('"*"', OTHER),
        ("*", OTHER + SECTION + CANDIDATE),
        (tag, OTHER + SECTION + CANDIDATE),
        (tag, "a=ice-ufrag:abcd\r\na=ice-pwd:zyxwvutsrqponmlkjihgfedc\r\n" + SECTION + CANDIDATE),
        ("*", SECTION + CANDIDATE),
    ):
        response = await patch(made, posted, fragment, condition)
        assert response.status_code == 422, (condition, fragment)
        assert "ETag" not in response.headers
    assert remote_candidates(made) == []
    assert (await patch(made, posted, SAME + SECTION + CANDIDATE, tag)).status_code == 204
    assert (await patch(made, posted, SAME + SECTION + CANDIDATE, "*")).status_code == 204


@both
@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "\r\n",
        "candidate",
        "<html></html>",
        "a=candidate:1 1 udp\r\n",
        SECTION + CANDIDATE.replace(" 9 typ", " 65536 typ"),
        SECTION + CANDIDATE.replace("typ host", "typ ghost"),
        SECTION.replace("mid:0", "mid:7") + CANDIDATE,
        SECTION + SECTION + CANDIDATE,
        SECTION + CANDIDATE * 101,
        "m=audio 9 RTP/AVP 0\r\n",
        SECTION + "a=candidate:1 1 udp 1 \x00 9 typ host\r\n",
    ],
)
async def test_a_fragment_that_cannot_be_read(made: Studio, endpoint: str, fragment: str) -> None:
    posted = await post(made, endpoint)
    response = await patch(made, posted, fragment, posted.headers["ETag"])
    assert response.status_code == 400
    assert error(response)["code"] == "bad_fragment"
    assert (await made.client.get(posted.headers["Location"])).status_code == 204


@both
async def test_a_fragment_of_another_type(made: Studio, endpoint: str) -> None:
    posted = await post(made, endpoint)
    headers = {"If-Match": posted.headers["ETag"], "Content-Type": "application/sdp"}
    place = posted.headers["Location"]
    response = await made.client.patch(place, content=SAME + SECTION + CANDIDATE, headers=headers)
    assert response.status_code == 415
    assert response.headers["Accept-Patch"] == FRAGMENT


async def test_a_full_stream_says_when_to_come_again() -> None:
    async with studio(per_stream=1) as made:
        await post(made, WHEP)
        before = made.held
        response = await made.client.post(WHEP, content=WATCH, headers=SDP)
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) > 0
        assert error(response)["code"] == "viewers_full"
        await asyncio.sleep(0)
        assert made.held == before


async def test_one_publishes_at_a_time(made: Studio) -> None:
    first = await post(made, WHIP)
    before = made.held
    response = await made.client.post(WHIP, content=PUBLISH, headers=SDP)
    assert response.status_code == 409
    await asyncio.sleep(0)
    assert made.held == before
    await made.client.delete(first.headers["Location"])
    await post(made, WHIP)


async def test_a_viewer_connects_by_candidates_that_followed_alone(made: Studio) -> None:
    async with Watcher() as watcher:
        whole = await watcher.offer()
        offer = re.sub(r"a=(candidate:.*|end-of-candidates)\r\n", "", whole)
        offer = offer.replace("a=mid:0\r\n", "a=mid:0\r\na=ice-options:trickle\r\n")
        posted = await made.client.post(WHEP, content=offer, headers=SDP)
        assert posted.status_code == 201, posted.text
        # Who is told no address can only be found.
        await watcher.take(re.sub(r"a=(candidate:.*|end-of-candidates)\r\n", "", posted.text))
        found = re.findall(r"a=(?:candidate:.*|ice-ufrag.*|ice-pwd.*)\r\n", whole)
        fragment = "m=audio 9 RTP/AVP 0\r\na=mid:0\r\n" + "".join(dict.fromkeys(found)) + LAST
        response = await patch(made, posted, fragment, posted.headers["ETag"])
        assert response.status_code == 204
        await watcher.until(lambda: watcher.pictures[10:] or None, 10)
        assert (await made.client.delete(posted.headers["Location"])).status_code == 200
        await watcher.until(lambda: watcher.failed or None, 10)


async def test_the_host_hears_a_publisher(made: Studio) -> None:
    heard: list[float] = []
    session = made.engine.opened[0]
    session.hear = lambda samples: heard.append(np.abs(samples).max())  # type: ignore[method-assign]
    async with Speaker(video=True) as speaker:
        posted = await made.client.post(WHIP, content=await speaker.offer(), headers=SDP)
        assert posted.status_code == 201, posted.text
        await speaker.take(posted.text)
        await speaker.microphone.speak(HUM)
        await speaker.microphone.speak(HUM)
        assert max(heard) > 0.1
        assert (await made.client.get("/v1/streams/lobby")).json()["published"] is True
        assert (await made.client.delete(posted.headers["Location"])).status_code == 200
        assert (await made.client.get("/v1/streams/lobby")).json()["published"] is False


async def test_the_door_lets_each_key_do_its_own(tmp_path: Path) -> None:
    door = Door(tmp_path)
    keys = {}
    for scope, sessions in (("operate", 1), ("watch", 1), ("publish", None)):
        _, key = door.file.create(scope, (scope,), Limits(sessions))
        keys[scope] = {"Authorization": f"Bearer {key}"}
    door.clock._now += 1.0
    async with studio(access=door.access) as made:
        wishes = {"name": "lobby"}
        opened = await made.client.post("/v1/streams", json=wishes, headers=keys["operate"])
        assert opened.status_code == 201
        assert (await made.client.post(WHEP, content=WATCH, headers=SDP)).status_code == 401
        for endpoint, scope, other in (
            (WHEP, "watch", "publish"),
            (WHIP, "publish", "watch"),
        ):
            for method in ("POST", "OPTIONS", "GET"):
                response = await made.client.request(
                    method, endpoint, content=OFFERS[endpoint], headers=SDP | keys[other]
                )
                assert response.status_code == 403, (method, endpoint)
            posted = await made.client.post(
                endpoint, content=OFFERS[endpoint], headers=SDP | keys[scope]
            )
            assert posted.status_code == 201
            place = posted.headers["Location"]
            assert (await made.client.delete(place)).status_code == 401
            if scope == "watch":
                full = await made.client.post(
                    endpoint, content=OFFERS[endpoint], headers=SDP | keys[scope]
                )
                assert full.status_code == 429, "the key has one place"
            assert (await made.client.delete(place, headers=keys[scope])).status_code == 200
        assert door.access.open == 1, "the stream's own"
        ended = await made.client.delete("/v1/streams/lobby", headers=keys["operate"])
        assert ended.status_code == 200
        assert door.access.open == 0
