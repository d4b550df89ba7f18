"""Hands: how far along its finger and how far round to the back each point of them lies.

Fingers are shaped by it: fuller over the joints, slimmer between them.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.face_parts import skin_normals
from avatar.body.masks import vertex_mask
from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES, Body
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]

NAILS: Final = "mpfb_fingernails.jpg"
_FINGERS: Final = (1, 2, 3, 4, 5)  # from the thumb on


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand's points.

    Attributes:
        vertices: int [n], which body vertices they are.
        along: float64 [n, 3], how far beyond the knuckle, the middle and the last joint of their
            finger they lie, metres; negative towards the wrist.
        back: float64 [n], 1 on the back of hand and fingers, -1 on the palm.
        finger: float64 [n], 1 on fingers, 0 on the hand.
        tendon: float64 [n], distance from the nearest line from wrist to knuckle, metres.
        knuckle: float64 [n], distance from the nearest of the four knuckles, metres.
    """

    vertices: NDArray[np.intp]
    along: Floats
    back: Floats
    finger: Floats
    tendon: Floats
    knuckle: Floats

    @classmethod
    def of(cls, body: Body, side: str) -> "Hand":
        """Measure the hand of `side`, "L" or "R"."""
        names = [f"finger{finger}-" for finger in _FINGERS]
        shares = np.stack([_weight(body, name, side) for name in names], 1)
        whole = shares.sum(1) + _weight(body, "metacarpal", side) + _weight(body, "wrist", side)
        chosen = np.flatnonzero(whole[:SKIN_VERTICES] > 0.3)
        shares, points = shares[chosen], body.vertices[chosen].astype(float)
        chains = [_chain(body, finger, side, points, shares) for finger in _FINGERS]
        finger = _nearest_finger(points, shares, chains)
        along = np.zeros((len(chosen), 3))
        for number, chain in enumerate(chains):
            mine = finger == number
            along[mine] = _along(points[mine], chain)
        wrist = body.joint(f"wrist.{side}").astype(float)
        lines = np.stack([_from_line(points, wrist, chain[0]) for chain in chains[1:]], 1)
        knuckles = np.stack([chain[0] for chain in chains[1:]])
        away = np.linalg.norm(points[:, None] - knuckles, axis=2).min(1)
        back = _back(body, side, chosen, finger, shares)
        return cls(chosen, along, back, np.clip(shares.sum(1), 0.0, 1.0), lines.min(1), away)


def shaped_hands(body: Body) -> Body:
    """Return the body with fingers that are not sausages: joints stand out, shafts are slimmer."""
    vertices, normals = body.vertices.copy(), skin_normals(body)
    for side in ("L", "R"):
        hand = Hand.of(body, side)
        knuckle, middle, last = hand.along.T
        over = smoothstep(-0.1, 0.6, hand.back)
        step = 0.0011 * np.exp(-((knuckle / 0.007) ** 2)) * over
        step += 0.0007 * np.exp(-((middle / 0.0055) ** 2)) * (0.5 + 0.5 * over)
        step += 0.0004 * np.exp(-((last / 0.0045) ** 2))
        shaft = smoothstep(0.006, 0.013, middle) * smoothstep(-0.004, -0.009, last)
        base = smoothstep(0.012, 0.02, knuckle) * smoothstep(-0.005, -0.012, middle)
        step -= 0.0007 * (shaft + base) * hand.finger
        # The last joint tapers to the tip.
        step -= 0.0006 * smoothstep(0.006, 0.020, last) * smoothstep(0.5, -0.3, hand.back)
        vertices[hand.vertices] += step[:, None].astype(np.float32) * normals[hand.vertices]
    return replace(body, vertices=vertices)


def _weight(body: Body, prefix: str, side: str) -> Floats:
    chosen = [
        i for i, name in enumerate(JOINT_NAMES) if name.startswith(prefix) and name.endswith(side)
    ]
    return np.asarray(body.weights[:, chosen].sum(1))


def _chain(body: Body, finger: int, side: str, points: Floats, shares: Floats) -> Floats:
    """Return knuckle, middle and last joint and the tip of a finger [4, 3]."""
    joints = np.stack([body.joint(f"finger{finger}-{k}.{side}") for k in (1, 2, 3)]).astype(float)
    way = unit(joints[2] - joints[1])
    mine = points[shares[:, finger - 1] > 0.8]
    reach = float(((mine - joints[2]) @ way).max())
    return np.concatenate([joints, (joints[2] + reach * way)[None]])


def _nearest_finger(points: Floats, shares: Floats, chains: list[Floats]) -> NDArray[np.intp]:
    """Return which finger [n] points belong to, or lead to over the hand."""
    away = np.stack([np.linalg.norm(points - chain[0], axis=1) for chain in chains], 1)
    away[:, 0] += 0.02  # the ball of the thumb takes its share by weight
    on_finger = shares.max(1) > 0.35
    return np.asarray(np.where(on_finger, shares.argmax(1), away.argmin(1)), np.intp)


def _along(points: Floats, chain: Floats) -> Floats:
    """Return how far [n, 3] points lie beyond each joint of a finger, along it."""
    ways = np.diff(chain, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    shares = ((points[:, None] - chain[None, :3]) * (ways / lengths[:, None])).sum(2)
    low = np.array([-np.inf, 0.0, 0.0])
    travelled = np.clip(shares, low, np.array([lengths[0], lengths[1], np.inf])).sum(1)
    return np.asarray(travelled[:, None] - np.array([0.0, lengths[0], lengths[0] + lengths[1]]))


def _from_line(points: Floats, start: Floats, end: Floats) -> Floats:
    way = unit(end - start)
    away = points - start
    return np.asarray(np.linalg.norm(away - (away @ way)[:, None] * way, axis=1))


def _back(
    body: Body, side: str, chosen: NDArray[np.intp], finger: NDArray[np.intp], shares: Floats
) -> Floats:
    """Return how far round to the back [n] the chosen vertices face; nails tell where that is."""
    normals = skin_normals(body)[chosen].astype(float)
    nails = vertex_mask(body, NAILS)[chosen] > 0.5
    hand = body.joint(f"finger3-1.{side}") - body.joint(f"wrist.{side}")
    across = body.joint(f"finger2-1.{side}") - body.joint(f"finger5-1.{side}")
    sign = -1.0 if side == "L" else 1.0
    whole = sign * unit(np.cross(hand, across)).astype(float)
    out = normals @ whole
    for number in range(len(_FINGERS)):
        mine = nails & (finger == number)
        way = unit(normals[mine].mean(0))
        share = np.clip(shares[:, number], 0.0, 1.0) * (finger == number)
        out = out + share * (normals @ way - out)
    return np.asarray(out)
