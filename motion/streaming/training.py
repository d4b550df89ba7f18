"""Teaches StreamingTalk: flow matching on windows of the lower-triangular schedule.

A window's clean poses x1 are mixed with noise, x_tau = tau x1 + (1 - tau) eps, each slot at its
own time, and the network learns the velocity x1 - eps (Lipman et al., "Flow matching for
generative modeling", 2023). At work it looks back on poses of its own making, not on true ones;
so in a growing share of the windows the anchors are first predicted by the network itself, without
gradient, and the predictions take the true ones' place (self-forced clean anchoring, after Huang
et al., "Self Forcing", 2025). Sound and actions are now and then left untold, for guidance.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from motion.errors import MotionValueError
from motion.streaming.checkpoint import Checkpoint, save_checkpoint
from motion.streaming.conditions import LONGEST_LEAD, Conditions
from motion.streaming.dataset import MotionSequence, Windows
from motion.streaming.net import GestureNet, NetSize
from motion.streaming.schedule import Schedule

_SMALLEST_SPREAD: Final = 0.5  # degrees; of a control that hardly moves
_LEAST_AHEAD: Final = 5  # poses of sound known behind the chunk being finished: 0.2 s
_REACH: Final = 3  # poses that a third difference reaches back
_LEAST_LEAD: Final = 0.5  # seconds before its stroke at which an action is told, at least


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    Attributes:
        steps: of the optimiser.
        batch: windows a step.
        rate: the highest learning rate, reached after `warm` steps, then falling as a cosine.
        untold: share of windows without sound, and share without actions.
        forced: share of windows with self-made anchors, reached half-way through.
        velocity: weight of the loss on the poses' velocities.
        steady: weight of the loss on the third differences of nearly made poses, which a tremble
            has and a movement hardly; for a network that moves already.
        tail: weight of the last slot in the loss, where the first has 1; see also `Windows`.
        whole: learn all slots at one common time, knowing all sound: the baseline that sees the
            future.
        unanchored: learn without anything to look back on: the baseline that joins chunks.
    """

    steps: int = 4000
    batch: int = 32
    rate: float = 1.2e-3
    warm: int = 150
    seed: int = 1
    untold: float = 0.1
    forced: float = 0.6
    velocity: float = 0.6
    steady: float = 0.0
    tail: float = 1.0
    average: float = 0.998
    threads: int = 2
    whole: bool = False
    unanchored: bool = False

    def __post_init__(self) -> None:
        for name, low, high in (
            ("steps", 1, 10**7),
            ("batch", 1, 4096),
            ("untold", 0.0, 1.0),
            ("forced", 0.0, 1.0),
            ("rate", 1e-7, 1.0),
            ("steady", 0.0, 1e4),
            ("threads", 1, 256),
        ):
            if not low <= (value := getattr(self, name)) <= high:
                raise MotionValueError(f"Recipe.{name}: {value}; accepted: {low} to {high}")


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the training is: mean losses since the last report."""

    step: int
    flow: float
    velocity: float
    seconds: float


class Trainer:
    """Trains one network. `run` yields progress; `finished` is the averaged network so far.

    Args:
        sequences: of the training split.
        recipe, schedule, size: see there.
        state: file to keep the whole state of the training in, so that it can go on; read when it
            exists and its recipe is the same.
        start: a network to teach further, with its own scales; anchors are then forced as often
            from the first step on as at the last.

    Raises:
        MotionValueError: `state` belongs to another recipe, or `start` has another schedule.
    """

    def __init__(
        self,
        sequences: Sequence[MotionSequence],
        recipe: Recipe,
        schedule: Schedule | None = None,
        size: NetSize | None = None,
        state: Path | None = None,
        start: Checkpoint | None = None,
    ) -> None:
        torch.set_num_threads(recipe.threads)
        torch.manual_seed(recipe.seed)
        self.recipe, self.schedule = recipe, schedule or Schedule()
        self.net = GestureNet(start.net.size if start else size)
        if start is not None:
            self._begin_with(start)
        self._average = GestureNet(self.net.size)
        self._average.load_state_dict(self.net.state_dict())
        self._average.eval().requires_grad_(False)
        self._started = start is not None
        self.mean, self.spread = (start.mean, start.spread) if start else _scales(sequences)
        self._before = self.schedule.anchored
        self._windows = Windows(sequences, self._before + self.schedule.window, recipe.seed + 17)
        self._optimiser = torch.optim.AdamW(
            self.net.parameters(), recipe.rate, betas=(0.9, 0.98), weight_decay=0.01
        )
        self._random = torch.Generator().manual_seed(recipe.seed)
        self.step = 0
        self._hours = sum(len(s) for s in sequences) / 25.0 / 3600.0
        self._state = state
        if state is not None and state.exists():
            self._resume(state)

    def run(self, every: int = 50) -> Iterator[Progress]:
        """Train to the recipe's last step; yield every `every` steps, saving the state."""
        began, flow, velocity, since = time.perf_counter(), 0.0, 0.0, 0
        while self.step < self.recipe.steps:
            losses = self._learn()
            flow, velocity, since = flow + losses[0], velocity + losses[1], since + 1
            self.step += 1
            if self.step % every == 0 or self.step == self.recipe.steps:
                yield Progress(
                    self.step, flow / since, velocity / since, time.perf_counter() - began
                )
                flow, velocity, since = 0.0, 0.0, 0

    def finished(self) -> Checkpoint:
        """Return the averaged network as it is now."""
        about: dict[str, object] = asdict(self.recipe) | {
            "done": self.step,
            "hours": round(self._hours, 2),
        }
        return Checkpoint(self._average, self.schedule, self.mean, self.spread, about)

    def keep(self) -> None:
        """Write the state of the training, to go on from."""
        assert self._state is not None
        content = {
            "recipe": json.dumps(asdict(self.recipe)),
            "step": self.step,
            "net": self.net.state_dict(),
            "average": self._average.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "random": self._random.get_state(),
        }
        partial = self._state.with_suffix(".part")
        torch.save(content, partial)
        partial.replace(self._state)

    def _begin_with(self, start: Checkpoint) -> None:
        if start.schedule != self.schedule:
            raise MotionValueError(f"start has {start.schedule}; accepted: {self.schedule}")
        self.net.load_state_dict(start.net.state_dict())

    def _resume(self, state: Path) -> None:
        content = torch.load(state, weights_only=True)
        if json.loads(content["recipe"]) != asdict(self.recipe):
            raise MotionValueError(
                f"{state.name} belongs to another recipe; accepted: the same, or another file"
            )
        self.step = content["step"]
        self.net.load_state_dict(content["net"])
        self._average.load_state_dict(content["average"])
        self._optimiser.load_state_dict(content["optimiser"])
        self._random.set_state(content["random"])

    def _learn(self) -> tuple[float, float]:
        recipe = self.recipe
        for group in self._optimiser.param_groups:
            group["lr"] = recipe.rate * _rate(self.step, recipe)
        bodies, conditions = self._windows.draw(recipe.batch)
        clean = (bodies - self.mean) / self.spread
        conditions = self._told(conditions)
        with torch.autocast("cpu", torch.bfloat16):
            anchors = self._anchors(clean, conditions)
            flow, velocity, tremble = self._losses(anchors, clean, conditions)
        loss = flow + recipe.velocity * velocity + recipe.steady * tremble
        self._optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._optimiser.step()
        keep = min(recipe.average, (1.0 + self.step) / (10.0 + self.step))
        with torch.no_grad():
            for mean, new in zip(self._average.parameters(), self.net.parameters(), strict=True):
                mean.lerp_(new, 1.0 - keep)
        return float(flow.detach()), float(velocity.detach())

    def _told(self, conditions: Conditions) -> Conditions:
        """Leave sound or actions untold in some windows, and bound what is known of both."""
        batch = len(conditions.known)
        random = torch.rand(4, batch, generator=self._random)
        made = self._before + self.schedule.anchored + self.schedule.chunk
        last = self._before + self.schedule.window
        ahead = made + _LEAST_AHEAD + random[2] * (last - made - _LEAST_AHEAD + 1)
        known = torch.full_like(ahead, last) if self.recipe.whole else ahead.floor()
        # A conversation learns of an action when its clause is spoken: sometimes just in time.
        lead = _LEAST_LEAD + random[3, :, None] * (LONGEST_LEAD - _LEAST_LEAD)
        soon = conditions.since >= -lead
        action = torch.where(soon, conditions.action, torch.zeros_like(conditions.action))
        conditions = replace(conditions, known=known.long(), action=action)
        return conditions.dropped(random[0] < self.recipe.untold, random[1] < self.recipe.untold)

    def _anchors(self, clean: Tensor, conditions: Conditions) -> Tensor:
        """Return the anchors: true ones, or in some windows those the network makes itself."""
        anchored, before = self.schedule.anchored, self._before
        true = clean[:, before : before + anchored]
        if self.recipe.unanchored:
            return torch.zeros_like(true)
        grown = 1.0 if self._started else min(1.0, 2.0 * self.step / self.recipe.steps)
        share = self.recipe.forced * grown
        forced = torch.rand(len(clean), generator=self._random) < share
        if self.recipe.whole or not forced.any():
            return true
        count = min(self.schedule.active, anchored)
        rows = torch.nonzero(forced)[:, 0]
        with torch.no_grad():
            times = self._times(len(rows))[:, :count]
            target = true[rows, :count]
            noise = torch.randn(target.shape, generator=self._random)
            noisy = times[..., None] * target + (1.0 - times[..., None]) * noise
            earlier = _part(conditions, rows, 0, before + count)
            # As at work: of the sound no more is known than behind the first of these chunks.
            limit = before + self.schedule.chunk + _LEAST_AHEAD
            earlier = replace(earlier, known=earlier.known.clamp(max=limit))
            made = self.net(clean[rows, :before], noisy, times, earlier)
            guess = noisy + (1.0 - times[..., None]) * made.float()
        anchors = true.clone()
        anchors[rows, :count] = guess
        return anchors

    def _losses(
        self, anchors: Tensor, clean: Tensor, conditions: Conditions
    ) -> tuple[Tensor, Tensor, Tensor]:
        start = self._before + self.schedule.anchored
        target = clean[:, start:]
        times = self._times(len(clean))
        noise = torch.randn(target.shape, generator=self._random)
        at = times[..., None]
        noisy = at * target + (1.0 - at) * noise
        seen = _part(conditions, None, self._before, clean.shape[1])
        seen = replace(seen, known=seen.known - self._before)
        made = self.net(anchors, noisy, times, seen).float()
        weights = self._weights()[None, :, None]
        flow = (weights * (made - (target - noise)).square()).mean()
        guess = noisy + (1.0 - at) * made
        if self.recipe.unanchored:
            off = guess - target
        else:
            last = anchors[:, -_REACH:] - clean[:, start - _REACH : start]
            off = torch.cat([last, guess - target], 1)
        # Far from the data a guess is a blur, whose velocities should not weigh.
        velocity = _weighed(off.diff(dim=1), weights * at.square()) * 4.0
        tremble = _weighed(off.diff(n=_REACH, dim=1), weights * at**6)
        return flow, velocity, tremble

    def _times(self, batch: int) -> Tensor:
        """Return times float32 [batch, active]."""
        shares = torch.rand(batch, generator=self._random)
        if self.recipe.whole:
            return shares[:, None].expand(-1, self.schedule.active)
        times = torch.as_tensor(self.schedule.times(shares.double().numpy()), dtype=torch.float32)
        return times.repeat_interleave(self.schedule.chunk, dim=1)

    def _weights(self) -> Tensor:
        slots = torch.linspace(1.0, self.recipe.tail, self.schedule.slots)
        return (slots / slots.mean()).repeat_interleave(self.schedule.chunk)


def _weighed(differences: Tensor, weights: Tensor) -> Tensor:
    """Return the mean square of the differences that lead to the last poses, each weighed."""
    count = min(differences.shape[1], weights.shape[1])
    return (weights[:, -count:] * differences[:, -count:].square()).mean()


def train(
    trainer: Trainer, output: Path, report: Callable[[Progress], object], every: int = 50
) -> Checkpoint:
    """Run the training, keeping state and checkpoint at each report; return the result."""
    for progress in trainer.run(every):
        trainer.keep()
        save_checkpoint(trainer.finished(), output)
        report(progress)
    return trainer.finished()


def _scales(sequences: Sequence[MotionSequence]) -> tuple[Tensor, Tensor]:
    bodies = torch.cat([torch.from_numpy(s.body[::5]).float() for s in sequences])
    return bodies.mean(0), bodies.std(0).clamp(min=_SMALLEST_SPREAD)


def _rate(step: int, recipe: Recipe) -> float:
    if step < recipe.warm:
        return (step + 1) / recipe.warm
    done = (step - recipe.warm) / max(1, recipe.steps - recipe.warm)
    return 0.02 + 0.98 * 0.5 * (1.0 + float(torch.cos(torch.tensor(torch.pi * done))))


def _part(conditions: Conditions, rows: Tensor | None, start: int, end: int) -> Conditions:
    """Return the conditions of some rows and of poses `start` to `end`."""
    chosen = {}
    for each in fields(Conditions):
        value = getattr(conditions, each.name)
        value = value if rows is None else value[rows]
        whole = each.name in ("known", "style", "heard")
        chosen[each.name] = value if whole else value[:, start:end]
    return Conditions(**chosen)
