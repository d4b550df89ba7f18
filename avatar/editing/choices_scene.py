"""The ways an atom about the scene can be carried out, most literal first."""

import re
from collections.abc import Iterator
from typing import Final

from avatar.editing.atoms import Atom
from avatar.editing.draft import Draft, toned
from avatar.editing.refusals import RefusalError
from avatar.spec import FRAMINGS
from avatar.spec.colour import mixed
from avatar.spec.scene import Background, Gradient, LowerThird, Plain, ProductCard, Stage

_STEPS: Final = {"little": (0.15, 0.25), "": (0.3, 0.45, 0.2), "much": (0.55, 0.7)}
_SKIES: Final = {
    "night": ("#0f1730", "#2a2440"),
    "sunset": ("#f2a65e", "#7c4a63"),
    "sky": ("#6fa8dc", "#d6e8f5"),
}
_SPLIT: Final = re.compile(r"\s*[,，|/·:：、]\s*|\s+[-–—]\s+")


def backgrounds(atom: Atom, draft: Draft) -> Iterator[Draft]:
    """Yield scenes with another background or light."""
    if atom.attribute == "light":
        yield from _lights(atom, draft)
    elif atom.op == "remove":
        yield draft.with_scene(background=Plain(colour="#f4f3f1"))
    elif atom.attribute == "place":
        for background in _places(atom.value):
            yield draft.with_scene(background=background)
    else:
        for background in _coloured(atom, draft.scene.background):
            yield draft.with_scene(background=background)


def _places(name: str) -> Iterator[Background]:
    if name == "elsewhere":
        known = ", ".join(("kitchen", "shop", "lounge", "studio", *_SKIES))
        raise RefusalError(f"there is no such scene; there are: {known}")
    if name == "studio":
        yield Gradient()
        yield Gradient(glow=0.8)
    elif name in _SKIES:
        top, bottom = _SKIES[name]
        yield Gradient(top=top, bottom=bottom, glow=0.2)
        yield Gradient(top=top, bottom=bottom, glow=0.2, discs=False)
    else:
        for blur, desk in ((0.35, True), (0.15, True), (0.5, False)):
            yield Stage(blur=blur, desk=desk).changed(room=name)


def _coloured(atom: Atom, now: Background) -> Iterator[Background]:
    if atom.value.startswith("#"):
        if isinstance(now, Stage):
            yield now.changed(wall=atom.value)
        elif isinstance(now, Gradient):
            yield now.changed(top=atom.value)
            yield now.changed(top=atom.value, bottom=mixed(atom.value, "#000000", 0.3))
        yield Plain(colour=atom.value)
        yield Gradient(top=atom.value, bottom=mixed(atom.value, "#ffffff", 0.2), discs=False)
        return
    for share in _STEPS[atom.degree]:
        if isinstance(now, Plain):
            yield now.changed(colour=toned(now.colour, atom.value, share))
        elif isinstance(now, Gradient):
            top, bottom = (toned(c, atom.value, share) for c in (now.top, now.bottom))
            yield now.changed(top=top, bottom=bottom)
        elif isinstance(now, Stage):
            yield now.changed(wall=toned(now.wall or "#b9b0a6", atom.value, share))
        else:
            raise RefusalError("the colours of a picture or film behind cannot be changed")


def _lights(atom: Atom, draft: Draft) -> Iterator[Draft]:
    light = draft.scene.light
    for share in _STEPS[atom.degree]:
        sign = 1.0 if atom.value in ("warmer", "brighter") else -1.0
        if atom.value in ("warmer", "cooler"):
            warmth = min(max(light.warmth + 2.0 * sign * share, -1.0), 1.0)
            changed = light.changed(warmth=round(warmth, 3))
        else:
            intensity = min(max(light.intensity + sign * share, 0.5), 1.5)
            changed = light.changed(intensity=round(intensity, 3))
        yield draft.with_scene(light=changed)


def texts(atom: Atom, draft: Draft) -> Iterator[Draft]:
    """Yield scenes with a card, caption or lower third added, changed or taken away."""
    shown = getattr(draft.scene, atom.target)
    if atom.op == "remove":
        if not shown:
            raise RefusalError(f"there is no {atom.target.replace('_', ' ')}")
        yield draft.with_scene(**{atom.target: "" if atom.target == "caption" else None})
        return
    if atom.extra("colour"):
        raise RefusalError("the colours of texts follow the scene")
    if atom.target == "caption":
        yield draft.with_scene(caption=atom.value)
    elif atom.target == "lower_third":
        yield from _lower_thirds(atom, draft)
    else:
        yield from _cards(atom, draft)


def _lower_thirds(atom: Atom, draft: Draft) -> Iterator[Draft]:
    name, title = (*_SPLIT.split(atom.value, maxsplit=1), "")[:2]
    if len(name) > 40 or len(title) > 60:
        raise RefusalError("a name bar takes 40 characters, and 60 below them after a comma")
    yield draft.with_scene(lower_third=LowerThird(name=name, title=title))
    if title and len(atom.value) <= 40:
        yield draft.with_scene(lower_third=LowerThird(name=atom.value))


def _cards(atom: Atom, draft: Draft) -> Iterator[Draft]:
    now = draft.scene.card
    price = re.sub(r"[^\d.,]", "", atom.extra("price")) or (now.price if now else "")
    name = atom.value or (now.name if now else "")
    if not price or not name:
        raise RefusalError("a product card needs a name and a price")
    sign = re.sub(r"[\d.,]", "", atom.extra("price")) or (now.currency if now else "$")
    strike = re.sub(r"[^\d.,]", "", atom.extra("was"))
    base = now.changed(name=name, price=price) if now else ProductCard(name=name, price=price)
    card = base.changed(currency=sign, strike=strike or base.strike)
    yield draft.with_scene(card=card)
    # A card over the caption or the name bar is hard to read.
    if draft.scene.lower_third:
        yield draft.with_scene(card=card, lower_third=None)


def framings(atom: Atom, draft: Draft) -> Iterator[Draft]:
    """Yield scenes with another framing."""
    wanted = atom.value
    if wanted in ("closer", "farther"):
        at = FRAMINGS.index(draft.scene.framing) + (1 if wanted == "farther" else -1)
        if not 0 <= at < len(FRAMINGS):
            raise RefusalError(f"it cannot be shown {wanted}")
        wanted = FRAMINGS[at]
    yield draft.with_scene(framing=wanted)
