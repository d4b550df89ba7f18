"""The network of StreamingTalk: a small transformer over anchors and active poses.

Two poses make a token. Active tokens see anchors and each other, both ways; anchors see only
anchors, so what they contribute is computed once a commit and reused for its micro-steps. Sound
enters by cross-attention, and nothing behind `Conditions.known` is looked at. Places are told by
rotary embedding (Su et al., "RoFormer", 2021), times and manners by modulating each layer from
one shared projection (Chen et al., "PixArt-alpha", 2023).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from motion.audio import AUDIO_DIM
from motion.errors import MotionValueError
from motion.streaming.conditions import (
    ACTION_COUNT,
    LONGEST_LEAD,
    LONGEST_TAIL,
    PARAMETER_DIM,
    POSTURE_INDEX,
    STYLE_DIM,
    Conditions,
)
from motion.streaming.representation import BODY_DIM

PATCH: Final = 2  # poses in a token
_TIME_WAVES: Final = 32
_STROKE_WAVES: Final = 6

Memory = list[tuple[Tensor, Tensor]]
Turns = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class NetSize:
    """How large the network is.

    Raises:
        MotionValueError: the width is no multiple of twice the heads.
    """

    dim: int = 192
    layers: int = 6
    heads: int = 6
    body: int = BODY_DIM

    def __post_init__(self) -> None:
        if self.dim % (2 * self.heads):
            raise MotionValueError(
                f"NetSize.dim: {self.dim}; accepted: multiples of {2 * self.heads} for "
                f"{self.heads} heads"
            )


class GestureNet(nn.Module):
    """Predicts the velocity that carries noisy poses to clean ones.

    Call it with anchors [B, P, D], active poses [B, N, D], the active poses' times [B, N] and the
    conditions of all P + N poses; it returns velocities [B, N, D]. `remember` and `move` are its
    two halves for streaming.
    """

    def __init__(self, size: NetSize | None = None) -> None:
        super().__init__()
        self.size = size = size or NetSize()
        dim = size.dim
        self._width = dim // size.heads  # of a head
        self.body_in = nn.Linear(PATCH * size.body, dim)
        self.body_out = nn.Linear(dim, PATCH * size.body)
        self.sound = _Sound(dim)
        self.time = nn.Sequential(nn.Linear(2 * _TIME_WAVES, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.style = nn.Linear(STYLE_DIM, dim)
        self.modulation = nn.Linear(dim, 6 * dim)
        self.action = nn.Embedding(ACTION_COUNT + 1, dim)  # the last is untold
        self.stroke = nn.Linear(1 + 2 * _STROKE_WAVES, dim)
        self.parameters_in = nn.Linear(PARAMETER_DIM, dim)
        self.posture = nn.Embedding(len(POSTURE_INDEX), dim)
        self.layers = nn.ModuleList(_Layer(dim, size.heads) for _ in range(size.layers))
        self.norm = nn.LayerNorm(dim, elementwise_affine=False)
        self._start()

    def forward(
        self, anchor: Tensor, active: Tensor, times: Tensor, conditions: Conditions
    ) -> Tensor:
        told = self.tell(conditions)
        return self.move(active, times, told, self.remember(anchor, told))

    def tell(self, conditions: Conditions) -> "Told":
        """Prepare what does not change between the micro-steps of a commit."""
        sound = self.sound(conditions.audio, conditions.heard)
        tokens = sound.shape[1]
        known = torch.arange(tokens, device=sound.device) * PATCH + PATCH - 1
        seen = known[None, :] < conditions.known[:, None]
        # Where nothing is known the first token alone is looked at, which is silence or a past.
        seen[:, 0] = True
        turns = _turns(torch.arange(tokens, device=sound.device), self._width)
        keys = [layer.hear(sound, turns) for layer in self._stack()]
        return Told(self._labels(conditions), self.style(conditions.style), keys, seen)

    def remember(self, anchor: Tensor, told: "Told") -> Memory:
        """Return each layer's keys and values of the anchors [B, P, D]."""
        tokens = anchor.shape[1] // PATCH
        at = torch.ones(anchor.shape[0], tokens, device=anchor.device)
        memory: Memory = []
        self._run(anchor, at, told, slice(0, tokens), None, memory)
        return memory

    def move(self, active: Tensor, times: Tensor, told: "Told", memory: Memory) -> Tensor:
        """Return the velocities of the active poses [B, N, D] at times [B, N]."""
        tokens, first = active.shape[1] // PATCH, memory[0][0].shape[2]
        at = times[:, ::PATCH]
        x = self._run(active, at, told, slice(first, first + tokens), memory, None)
        velocity: Tensor = self.body_out(self.norm(x))
        return velocity.reshape(active.shape)

    def _run(
        self,
        poses: Tensor,
        times: Tensor,
        told: "Told",
        where: slice,
        past: Memory | None,
        kept: Memory | None,
    ) -> Tensor:
        batch, count, dim = poses.shape
        x: Tensor = self.body_in(poses.reshape(batch, count // PATCH, PATCH * dim))
        x = x + told.labels[:, where]
        shared = self.modulation(
            functional.silu(self.time(_waves(times, _TIME_WAVES)) + told.style[:, None])
        )
        places = torch.arange(where.start, where.stop, device=poses.device)
        turns = _turns(places, self._width)
        for number, layer in enumerate(self._stack()):
            before = past[number] if past is not None else None
            x, keys = layer(x, shared, turns, before, told.keys[number], told.seen)
            if kept is not None:
                kept.append(keys)
        return x

    def _labels(self, conditions: Conditions) -> Tensor:
        action = conditions.action[:, ::PATCH]
        action = torch.where(action < 0, torch.full_like(action, ACTION_COUNT), action)
        since = conditions.since.reshape(*action.shape, PATCH).mean(-1)
        since = since.clamp(-LONGEST_LEAD, LONGEST_TAIL)
        doing = ((action > 0) & (action < ACTION_COUNT)).float()[..., None]
        stroke = torch.cat([since[..., None], _waves(since / 4.0, _STROKE_WAVES, 1.0)], -1)
        detail = self.stroke(stroke) + self.parameters_in(conditions.parameters[:, ::PATCH])
        posture = self.posture(conditions.posture[:, ::PATCH])
        labels: Tensor = self.action(action) + posture + doing * detail
        return labels

    def _stack(self) -> Iterator["_Layer"]:
        for layer in self.layers:
            assert isinstance(layer, _Layer)
            yield layer

    def _start(self) -> None:
        """Start as the identity: every layer's gates at zero, no velocity."""
        for layer in (self.modulation, self.body_out):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        for embedding in (self.action, self.posture):
            nn.init.normal_(embedding.weight, std=0.2)


@dataclass(frozen=True, slots=True)
class Told:
    """The conditions as the layers use them: labels and style, keys and values of the sound."""

    labels: Tensor
    style: Tensor
    keys: Memory
    seen: Tensor


class _Sound(nn.Module):
    """Log mel frames to tokens, causally; with a vector of its own for sound that is untold."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.first = nn.Linear(PATCH * AUDIO_DIM, dim)
        self.convolutions = nn.ModuleList(nn.Conv1d(dim, dim, 3) for _ in range(2))
        self.norm = nn.LayerNorm(dim)
        self.untold = nn.Parameter(torch.zeros(dim))

    def forward(self, audio: Tensor, heard: Tensor) -> Tensor:
        batch, poses, width = audio.shape
        x = self.first(audio.reshape(batch, poses // PATCH, PATCH * width))
        for convolution in self.convolutions:
            past = functional.pad(functional.gelu(x).transpose(1, 2), (2, 0))
            x = x + convolution(past).transpose(1, 2)
        share = heard[:, None, None]
        out: Tensor = share * self.norm(x) + (1.0 - share) * self.untold
        return out


class _Layer(nn.Module):
    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.shift = nn.Parameter(torch.zeros(6 * dim))
        self.norm = nn.LayerNorm(dim, elementwise_affine=False)
        self.hearing_norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.query = nn.Linear(dim, dim)
        self.sound = nn.Linear(dim, 2 * dim)
        self.heard = nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def hear(self, sound: Tensor, turns: Turns) -> tuple[Tensor, Tensor]:
        """Return keys and values of the sound's tokens [B, T, dim]."""
        keys, values = self.sound(sound).chunk(2, -1)
        return _turned(self._split(keys), turns), self._split(values)

    def forward(
        self,
        x: Tensor,
        shared: Tensor,
        turns: Turns,
        past: tuple[Tensor, Tensor] | None,
        sound: tuple[Tensor, Tensor],
        seen: Tensor,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        a, b, c, d, e, f = (shared + self.shift).chunk(6, -1)
        query, key, value = self.qkv(self.norm(x) * (1.0 + a) + b).chunk(3, -1)
        query = _turned(self._split(query), turns)
        own = (_turned(self._split(key), turns), self._split(value))
        keys, values = own
        if past is not None:
            keys, values = torch.cat([past[0], keys], 2), torch.cat([past[1], values], 2)
        attended = functional.scaled_dot_product_attention(query, keys, values)
        x = x + c * self.out(_joined(attended))
        query = _turned(self._split(self.query(self.hearing_norm(x))), turns)
        attended = functional.scaled_dot_product_attention(
            query, sound[0], sound[1], attn_mask=seen[:, None, None, :]
        )
        x = x + self.heard(_joined(attended))
        return x + f * self.mlp(self.norm(x) * (1.0 + d) + e), own

    def _split(self, x: Tensor) -> Tensor:
        batch, tokens, dim = x.shape
        return x.reshape(batch, tokens, self.heads, dim // self.heads).transpose(1, 2)


def _joined(x: Tensor) -> Tensor:
    batch, heads, tokens, width = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, heads * width)


def _turns(places: Tensor, width: int) -> Turns:
    """Return cosines and sines [T, width / 2] of the angles by which places are turned."""
    half = width // 2
    rates = torch.exp(torch.arange(half, device=places.device) * (-math.log(100.0) / half))
    angle = places[:, None].float() * rates
    return angle.cos(), angle.sin()


def _turned(x: Tensor, turns: Turns) -> Tensor:
    """Rotate pairs of features [B, H, T, C] by the angles of their places."""
    cos, sin = turns[0].to(x.dtype), turns[1].to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


def _waves(values: Tensor, count: int, longest: float = 1.0) -> Tensor:
    """Return sines and cosines [..., 2 count] of values, from one turn over `longest` upwards."""
    rates = (
        2.0
        * math.pi
        / longest
        * torch.exp(torch.linspace(0.0, math.log(64.0), count, device=values.device))
    )
    angle = values[..., None] * rates
    return torch.cat([angle.sin(), angle.cos()], -1)
