"""Fifty sentences, each with a brand name that no lexicon holds, and how well they come back."""

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avatar.voice.base import Voice
from avatar.voice.english import pronounce
from avatar.voice.measure import speak_all

CLOSE = 0.5
"""Phonemes that may differ, of those of the name: half of a made-up name is a fair mishearing."""

SENTENCES = (
    ("The Zentrova kettle boils faster than any other on my table.", "Zentrova"),
    ("I have used the Kilobyx blender every morning since spring.", "Kilobyx"),
    ("My sister bought a Velomira bicycle for the summer.", "Velomira"),
    ("This Brandozo jacket keeps the rain out all day.", "Brandozo"),
    ("Please add one Quintella lamp to the order.", "Quintella"),
    ("Our friends at Morvanti make the softest blankets.", "Morvanti"),
    ("The new Tolvexa headphones are light and quiet.", "Tolvexa"),
    ("Have you tried the Parlino coffee from the corner shop?", "Parlino"),
    ("A bottle of Sundrosa oil goes well with fresh bread.", "Sundrosa"),
    ("We only sell Halvorix shoes in this room.", "Halvorix"),
    ("The Nimbrella umbrella opens with one hand.", "Nimbrella"),
    ("You can return the Castrilla bag within a month.", "Castrilla"),
    ("I would choose the Dorvane chair for a small kitchen.", "Dorvane"),
    ("Every Fenwicka candle smells of pine and honey.", "Fenwicka"),
    ("The Lumitaro screen is bright even in the sun.", "Lumitaro"),
    ("Ask for the Gravello pan if you like to cook eggs.", "Gravello"),
    ("The people behind Pexaluna answer every letter.", "Pexaluna"),
    ("Wash the Tindrelli shirt in cold water.", "Tindrelli"),
    ("There are three colours of the Obrando scarf.", "Obrando"),
    ("My father still wears his old Kestrova watch.", "Kestrova"),
    ("The Marbonetti pasta cooks in a few minutes.", "Marbonetti"),
    ("We filled the garden with Verdonia flowers.", "Verdonia"),
    ("A Solvexi charger fits in your pocket.", "Solvexi"),
    ("The Jorvelle perfume is soft and warm.", "Jorvelle"),
    ("Children love the Bimbolino puzzle.", "Bimbolino"),
    ("The Ravenzo speaker fills the whole house with music.", "Ravenzo"),
    ("I keep a Cortavia notebook next to my bed.", "Cortavia"),
    ("The Plivara water filter lasts for half a year.", "Plivara"),
    ("Nobody regrets the Santorelli pillow.", "Santorelli"),
    ("The driver brought two boxes of Mandrino tea.", "Mandrino"),
    ("A Westaro tent is easy to carry up a hill.", "Westaro"),
    ("Our guests always ask about the Delvania plates.", "Delvania"),
    ("The Corbexa drill is strong enough for stone.", "Corbexa"),
    ("You will find the Aldorra soap near the window.", "Aldorra"),
    ("The Tamboreno drum sounds deep and clear.", "Tamboreno"),
    ("I wrote this with a Finorelli pen.", "Finorelli"),
    ("The Hexavora mouse works on glass.", "Hexavora"),
    ("She painted the door with Colortano paint.", "Colortano"),
    ("The Brivanta gloves are made of wool.", "Brivanta"),
    ("Nothing cleans carpets like the Swiptora brush.", "Swiptora"),
    ("A cup of Dolcemira chocolate ends the evening.", "Dolcemira"),
    ("The Orvantis camera sees well at night.", "Orvantis"),
    ("Our neighbours own a Trelluna sofa.", "Trelluna"),
    ("The Maplorio syrup comes from the north.", "Maplorio"),
    ("Take the Stelvaro boots for the long walk.", "Stelvaro"),
    ("The Pandoveri suitcase survived every flight.", "Pandoveri"),
    ("I can recommend the Lindorva cream for dry skin.", "Lindorva"),
    ("The Zuvella fan makes almost no noise.", "Zuvella"),
    ("We wrapped the present in Papelino paper.", "Papelino"),
    ("The Grantovia heater warms the room quickly.", "Grantovia"),
)


@dataclass(frozen=True)
class Heard:
    """What came back: whether all ordinary words did, and how far off the name is (0 is equal)."""

    sentence: str
    heard: str
    ordinary: bool
    distance: float

    @property
    def understood(self) -> bool:
        return self.ordinary and self.distance <= CLOSE


def hear_brands(
    voice: Voice,
    ear: Callable[[NDArray[np.float32], str], str],
    sentences: Sequence[tuple[str, str]] = SENTENCES,
) -> list[Heard]:
    """Speak each sentence and compare what `ear` makes of it."""
    return [
        compare(sentence, brand, ear(speak_all(voice, sentence, "en"), "en"))
        for sentence, brand in sentences
    ]


def compare(sentence: str, brand: str, heard: str) -> Heard:
    """Line the words up: the ordinary ones must be equal, the name is what lies in its place."""
    wanted = re.findall(r"[a-z']+", sentence.lower())
    came = heard.replace("colors", "colours").replace("neighbors", "neighbours").split()
    place = wanted.index(brand.lower())
    before, after = wanted[:place], wanted[place + 1 :]
    ordinary = came[: len(before)] == before and came[len(came) - len(after) :] == after
    if ordinary:
        name = came[len(before) : len(came) - len(after)]
    else:
        name = difflib.get_close_matches(brand.lower(), came, 1, 0.0)
    return Heard(sentence, heard, ordinary, _distance(_sounds(brand), _sounds(" ".join(name))))


def _sounds(text: str) -> str:
    symbols = "".join(pronounce(text.split(), [""] * len(text.split())))
    return re.sub(r"[ˈˌ ]", "", symbols)


def _distance(wanted: str, came: str) -> float:
    row = list(range(len(came) + 1))
    for i, left in enumerate(wanted, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(came, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return row[-1] / len(wanted)
