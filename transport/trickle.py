"""Candidates that come after the offer: fragments of SDP (RFC 8840) by HTTP PATCH (RFC 9725, 4.3).

ICE restarts are refused, which RFC 9725 allows: aiortc has none.
"""

import ipaddress
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from aiortc import RTCIceCandidate

from transport.connection import Connection
from transport.errors import FragmentError, OutdatedError, RestartError, UnconditionalError
from transport.offer import MAX_CANDIDATES, MAX_PORT, Offer

_LINE: Final = re.compile(r"[a-z]=[^\x00-\x1f\x7f]*")
_CANDIDATE: Final = re.compile(
    r"(?P<foundation>[A-Za-z0-9+/]{1,32}) (?P<component>\d{1,5}) (?P<transport>[A-Za-z0-9-]+) "
    r"(?P<priority>\d{1,10}) (?P<address>[A-Za-z0-9.:_-]{1,255}) (?P<port>\d{1,5}) "
    r"typ (?P<type>host|srflx|prflx|relay)(?: .*)?"
)
_TAG: Final = re.compile(r'\s*(?P<tag>\*|(?:W/)?"[^"]*")\s*(?:,|$)')


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a fragment says.

    Attributes:
        ufrags, passwords: of the peer's ICE session, as far as they are named.
        candidates: those that are of use here, each with the mid of its section.
        complete: no more candidates will come.
    """

    ufrags: frozenset[str]
    passwords: frozenset[str]
    candidates: tuple[RTCIceCandidate, ...]
    complete: bool


def parse_fragment(text: str, mids: Sequence[str]) -> Fragment:
    """Read a fragment that belongs to an offer with sections `mids`.

    Candidates of a kind that is not used here (TCP, RTCP's own, names to look up) are left out, as
    RFC 9725 has it.

    Raises:
        FragmentError: it is malformed, or says nothing.
    """
    ufrags, passwords = set(), set()
    candidates: list[RTCIceCandidate] = []
    said = complete = False
    for mid, name, value in _attributes(text, mids):
        if name == "ice-ufrag":
            ufrags.add(value)
        elif name == "ice-pwd":
            passwords.add(value)
        elif name == "end-of-candidates":
            complete = True
        elif name == "candidate":
            candidate = _candidate(value)
            if candidate is not None:
                candidate.sdpMid = mid
                candidates.append(candidate)
        else:
            continue
        said = True
    if not said:
        raise FragmentError("the fragment names no candidate, and not that there are no more")
    return Fragment(frozenset(ufrags), frozenset(passwords), tuple(candidates), complete)


class Trickle:
    """Takes fragments for one connection.

    Attributes:
        etag: the strong entity tag of its ICE session, quoted.
    """

    def __init__(self, connection: Connection, offer: Offer) -> None:
        self.etag = f'"{secrets.token_urlsafe(9)}"'
        self._connection = connection
        self._offer = offer
        self._named = offer.sdp.count("a=candidate:")
        self._reachable = offer.candidates

    async def take(self, condition: str | None, text: str) -> None:
        """Add the candidates of a fragment.

        Args:
            condition: the value of If-Match (RFC 9110, 13.1.1), or None.

        Raises:
            UnconditionalError: there is no condition.
            OutdatedError: it does not hold.
            FragmentError: the fragment cannot be read, or there are too many candidates.
            RestartError: it would begin ICE again.
        """
        if condition is None:
            raise UnconditionalError(f"If-Match is missing; accepted: {self.etag}")
        tags = _tags(condition)
        if not tags & {self.etag, "*"}:
            raise OutdatedError(f"If-Match is {condition[:80]!r}; accepted: {self.etag}")
        fragment = parse_fragment(text, self._offer.mids)
        if self._restarts(fragment, explicit=self.etag not in tags):
            raise RestartError("ICE is not restarted here; end this connection and make a new one")
        self._named += len(fragment.candidates)
        if self._named > MAX_CANDIDATES:
            raise FragmentError(f"{self._named} candidates; accepted: up to {MAX_CANDIDATES}")
        await self._add(fragment)

    def _restarts(self, fragment: Fragment, *, explicit: bool) -> bool:
        """Whether a fragment is of another ICE session, or asks for one as RFC 9725 says, by "*"
        without naming the present one.
        """
        ufrags = {ufrag for ufrag, _ in self._offer.credentials}
        passwords = {password for _, password in self._offer.credentials}
        known = fragment.ufrags <= ufrags and fragment.passwords <= passwords
        return not known or (explicit and not fragment.ufrags)

    async def _add(self, fragment: Fragment) -> None:
        rtc = self._connection.rtc
        for candidate in fragment.candidates:
            await rtc.addIceCandidate(candidate)
        self._reachable = self._reachable or bool(fragment.candidates)
        # A peer that named no address of use is found by its own checks: it is not to be given up.
        if fragment.complete and self._reachable:
            await rtc.addIceCandidate(None)


def _tags(condition: str) -> set[str]:
    """Return the tags of an If-Match. `"*"` in quotes is how RFC 9725 prints what it calls "*"."""
    tags = {match["tag"] for match in _TAG.finditer(condition)}
    return {"*" if tag == '"*"' else tag for tag in tags}


def _attributes(text: str, mids: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (mid of the section, name, value) of a fragment's attributes."""
    mid, sections = mids[0], 0
    lines = text.splitlines()
    if not lines:
        raise FragmentError("the fragment is empty")
    for line in lines:
        if not _LINE.fullmatch(line):
            raise FragmentError(f"the fragment has the line {line[:80]!r}, which is not SDP")
        kind, _, rest = line.partition("=")
        if kind == "m":
            if sections >= len(mids):
                raise FragmentError(f"the fragment has more than the offer's {len(mids)} sections")
            mid = mids[sections]
            sections += 1
        elif kind == "a":
            name, _, value = rest.partition(":")
            if name == "mid":
                if value not in mids:
                    raise FragmentError(f"mid is {value[:80]!r}; accepted: {', '.join(mids)}")
                mid = value
            yield mid, name, value.strip()


def _candidate(value: str) -> RTCIceCandidate | None:
    """Read a candidate (RFC 8839, 5.1); None when it is of no use here."""
    match = _CANDIDATE.fullmatch(value)
    if match is None or int(match["port"]) > MAX_PORT:
        raise FragmentError(f"the fragment has the candidate {value[:120]!r}, which is malformed")
    if match["transport"].lower() != "udp" or match["component"] != "1":
        return None
    try:
        address = ipaddress.ip_address(match["address"])
    except ValueError:  # a name
        return None
    if address.is_unspecified or address.is_multicast:
        return None
    return RTCIceCandidate(
        component=1,
        foundation=match["foundation"],
        ip=str(address),
        port=int(match["port"]),
        priority=int(match["priority"]),
        protocol="udp",
        type=match["type"],
    )
