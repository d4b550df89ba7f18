"""Recognition: can a stranger tell from the motion which action it is?

A small classifier is trained on true motion of some scripts, voices and styles, and asked about
generated motion of others. What it recognises was shown; what it does not was lost or blurred. Its
accuracy on true held-out motion is the ceiling, to be told beside it.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from motion.errors import MotionValueError
from motion.metrics.checks import count
from motion.metrics.networks import (
    Kept,
    Scale,
    in_pieces,
    seeded,
    train,
    window_tensor,
)

_SMOOTHING: Final = 0.05  # of labels, so that it does not grow ever surer of what it knows
_DROPOUT: Final = 0.2


@dataclass(frozen=True, slots=True)
class Recognition:
    """How well actions were recognised.

    Attributes:
        accuracy: share of windows that were.
        balanced: mean over actions of the share recognised, however often each occurs.
        confusion: [classes, classes], windows of action `row` taken for action `column`.
    """

    accuracy: float
    balanced: float
    confusion: NDArray[np.intp]


class ActionRecognizer(Kept):
    """Convolutions over time, then mean and maximum over time, then a linear layer.

    Args:
        size: features a frame.
        classes: actions, "none" being one of them if it is asked about.
        width: channels within.

    Raises:
        MotionValueError: a number that is not accepted.
    """

    KIND = "action recognizer"

    def __init__(self, size: int, classes: int, width: int = 64) -> None:
        super().__init__()
        self.sizes = {
            "size": count(size, "size"),
            "classes": count(classes, "classes", 2),
            "width": count(width, "width"),
        }
        self.features = Scale(size)
        self.convolutions = nn.Sequential(
            nn.Conv1d(size, width, 5, padding=2),
            nn.GELU(),
            nn.Conv1d(width, width, 5, stride=2, padding=2),
            nn.GELU(),
            nn.Conv1d(width, width, 5, stride=2, padding=2),
            nn.GELU(),
        )
        self.head = nn.Sequential(nn.Dropout(_DROPOUT), nn.Linear(2 * width, classes))
        self.eval()

    def forward(self, windows: Tensor) -> Tensor:
        """Return the logits [N, classes] of windows [N, T, D]."""
        shown = self.convolutions(self.features(windows).transpose(1, 2))
        return torch.as_tensor(self.head(torch.cat([shown.mean(2), shown.amax(2)], 1)))

    def probabilities(self, windows: ArrayLike) -> NDArray[np.float32]:
        """Return how likely each action is [N, classes] in windows [N, T, D] of any length.

        Raises:
            MotionValueError: windows of another size, or not finite.
        """
        rows = window_tensor(windows, size=self.sizes["size"])
        device = self.features.mean.device
        return in_pieces(lambda part: self(part.to(device)).softmax(1), rows)

    def recognise(self, windows: ArrayLike) -> NDArray[np.intp]:
        """Return the likeliest action [N]; arguments as for `probabilities`."""
        return np.asarray(self.probabilities(windows).argmax(1), np.intp)


def train_recognizer(
    windows: ArrayLike,
    labels: ArrayLike,
    classes: int,
    *,
    width: int = 64,
    steps: int = 1000,
    batch: int = 64,
    rate: float = 2e-3,
    seed: int = 0,
) -> ActionRecognizer:
    """Return a classifier of windows [N, T, D]; one core, a minute or so for 1000 steps.

    Args:
        windows: true motion, none of which is asked about later. The action should lie at varying
            places in its windows, as it will when asked about.
        labels: [N], 0 to classes - 1. Rare actions are weighted up to the frequent ones.
        classes, width: as for `ActionRecognizer`.
        steps, batch, rate: of the training.
        seed: the same seed on the same machine gives the same network.

    Raises:
        MotionValueError: windows, labels or numbers are not accepted.
        MotionError: the training did not stay finite.
    """
    rows = window_tensor(windows)
    named = torch.from_numpy(_labels(labels, len(rows), count(classes, "classes", 2)))
    often = torch.bincount(named, minlength=classes)
    weights = len(named) / (classes * often.clamp(min=1).float())
    with seeded(seed):
        model = ActionRecognizer(rows.shape[2], classes, width)
        model.features.fit(rows)
        entropy = nn.CrossEntropyLoss(weights, label_smoothing=_SMOOTHING)

        def loss(chosen: Tensor) -> Tensor:
            return torch.as_tensor(entropy(model(rows[chosen]), named[chosen]))

        train(model, loss, len(rows), steps=steps, batch=batch, rate=rate)
    return model


def recognition(true: ArrayLike, recognised: ArrayLike, classes: int) -> Recognition:
    """Return how well actions [N] were recognised as [N], each 0 to classes - 1.

    Actions that do not occur in `true` do not count in `balanced`.

    Raises:
        MotionValueError: lengths that differ, no labels, or one that is not accepted.
    """
    asked = _labels(true, None, count(classes, "classes", 2))
    told = _labels(recognised, len(asked), classes)
    confusion = np.bincount(asked * classes + told, minlength=classes**2)
    confusion = confusion.reshape(classes, classes).astype(np.intp)
    right, number = np.diagonal(confusion), confusion.sum(1)
    return Recognition(
        accuracy=float(right.sum() / number.sum()),
        balanced=float((right[number > 0] / number[number > 0]).mean()),
        confusion=confusion,
    )


def _labels(labels: ArrayLike, number: int | None, classes: int) -> NDArray[np.int64]:
    values = np.asarray(labels)
    fits = values.ndim == 1 and len(values) and number in (None, len(values))
    if not fits or not np.issubdtype(values.dtype, np.integer):
        raise MotionValueError(
            f"labels are {values.dtype} {list(values.shape)}; accepted: integers [{number or 'N'}]"
        )
    if values.min() < 0 or values.max() >= classes:
        raise MotionValueError(
            f"labels from {values.min()} to {values.max()}; accepted: 0 to {classes - 1}"
        )
    return values.astype(np.int64)
