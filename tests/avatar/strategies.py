"""Strategies of valid specifications: the ends of ranges often, for that is where things break."""

from typing import get_args

from hypothesis import strategies as st

from avatar.spec import AvatarSpec, SceneSpec
from avatar.spec.changes import CHANGES
from avatar.spec.identity import (
    BodySpec,
    BrowsSpec,
    EyesSpec,
    Fabric,
    HairSpec,
    HairStyle,
    LipsSpec,
    OrnamentSpec,
    Pattern,
    PieceSpec,
    SkinSpec,
)
from avatar.spec.identity import Ornament as OrnamentName
from avatar.spec.scene import (
    FRAMINGS,
    LIGHTS,
    MOVES,
    ROOMS,
    Gradient,
    Light,
    LowerThird,
    Plain,
    ProductCard,
    Stage,
)
from motion.skeleton import FACE_NAMES

# Letters that the bundled font has; others are refused by name.
_TEXT = st.text(
    st.characters(codec="gb2312", categories=["L", "Nd", "Po"]), min_size=1, max_size=12
)


def between(low: float, high: float) -> st.SearchStrategy[float]:
    """Return numbers from `low` to `high`, both ends often."""
    return st.one_of(st.sampled_from([low, high]), st.floats(low, high))


def colours() -> st.SearchStrategy[str]:
    """Return colours, black and white often."""
    any_colour = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
    return st.one_of(st.sampled_from(["#000000", "#ffffff"]), any_colour)


def bodies() -> st.SearchStrategy[BodySpec]:
    """Return bodies of every sort, with up to eight local changes as far as they go."""
    share, signed = between(0.0, 1.0), between(-1.0, 1.0)
    return st.builds(
        BodySpec,
        gender=share,
        age=between(0.5, 1.0),
        muscle=share,
        weight=share,
        height=share,
        proportions=share,
        cupsize=share,
        firmness=share,
        african=share,
        asian=share,
        caucasian=share,
        changes=st.dictionaries(st.sampled_from(sorted(CHANGES)), signed, max_size=8).map(_pairs),
        face=st.dictionaries(st.sampled_from(FACE_NAMES), share, max_size=3).map(_pairs),
    )


def outfits() -> st.SearchStrategy[tuple[PieceSpec, ...]]:
    """Return outfits that cover: a dress or two garments, shoes, and what may go over them."""
    upper = ["top", "t_shirt", "shirt", "blouse", "sweater", "hoodie", "qipao_top"]
    dressed = st.one_of(
        st.just(["dress"]),
        st.tuples(st.sampled_from(upper), st.sampled_from(["trousers", "skirt"])).map(list),
    )
    feet = st.sampled_from(["shoes", "sneakers"])
    over = st.sampled_from([[], ["blazer"], ["apron"], ["blazer", "apron"]])
    worn = st.tuples(dressed, feet, over).map(lambda parts: [*parts[0], parts[1], *parts[2]])
    return worn.flatmap(lambda names: st.tuples(*(_pieces(name) for name in names)))


def ornaments() -> st.SearchStrategy[tuple[OrnamentSpec, ...]]:
    """Return at most one ornament for each place."""
    kinds = st.lists(
        st.builds(OrnamentSpec, kind=st.sampled_from(get_args(OrnamentName)), colour=colours()),
        max_size=4,
        unique_by=lambda ornament: ornament.place,
    )
    return kinds.map(tuple)


def identities() -> st.SearchStrategy[AvatarSpec]:
    """Return identities of any body, look and outfit."""
    share = between(0.0, 1.0)
    return st.builds(
        AvatarSpec,
        body=bodies(),
        skin=st.builds(
            SkinSpec,
            colour=colours(),
            blush=share,
            freckles=share,
            lines=share,
            stubble=share,
            makeup=share,
            nails=colours(),
        ),
        eyes=st.builds(EyesSpec, outer=colours(), inner=colours(), pupil=between(0.25, 0.6)),
        brows=st.builds(
            BrowsSpec,
            colour=colours(),
            thickness=between(0.5, 2.0),
            arch=between(0.0, 2.0),
            height=between(0.8, 1.25),
            density=between(0.3, 1.6),
        ),
        lips=st.builds(LipsSpec, colour=colours(), gloss=share),
        hair=st.builds(
            HairSpec,
            style=st.sampled_from(get_args(HairStyle)),
            colour=colours(),
            tip=st.one_of(st.just(""), colours()),
            grey=share,
            length=between(0.7, 1.3),
        ),
        outfit=outfits(),
        ornaments=ornaments(),
        seed=st.integers(0, 2**31 - 1),
    )


def places() -> st.SearchStrategy[SceneSpec]:
    """Return scenes that need no files of their own."""
    background = st.one_of(
        st.builds(Plain, colour=colours()),
        st.builds(
            Gradient, top=colours(), bottom=colours(), glow=between(0.0, 1.0), discs=st.booleans()
        ),
        st.builds(Stage, room=st.sampled_from(ROOMS), desk=st.booleans(), blur=between(0.0, 1.0)),
    )
    return st.builds(
        SceneSpec,
        background=background,
        light=st.builds(
            Light,
            preset=st.sampled_from(LIGHTS),
            intensity=between(0.5, 1.5),
            warmth=between(-1.0, 1.0),
        ),
        framing=st.sampled_from(FRAMINGS),
        move=st.sampled_from(MOVES),
        pace=between(0.25, 4.0),
        language=st.sampled_from(["en", "zh"]),
        mark=st.booleans(),
        card=st.one_of(st.none(), st.builds(ProductCard, name=_TEXT, price=_TEXT, strike=_TEXT)),
        lower_third=st.one_of(st.none(), st.builds(LowerThird, name=_TEXT, title=_TEXT)),
        caption=st.one_of(st.just(""), _TEXT),
    )


def _pieces(garment: str) -> st.SearchStrategy[PieceSpec]:
    return st.builds(
        PieceSpec,
        garment=st.just(garment),
        colour=colours(),
        second=st.one_of(st.just(""), colours()),
        pattern=st.sampled_from(get_args(Pattern)),
        fabric=st.sampled_from(get_args(Fabric)),
    )


def _pairs(values: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(values.items())
