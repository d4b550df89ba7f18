"""The gestures a rundown may ask for, by the names the action library has for them."""

from typing import Final

from agents.feelings import EMOTIONS

# As `motion.actions.ACTIONS` has them; a test keeps the two alike, for agents know no body.
GESTURES: Final[tuple[str, ...]] = (
    "welcome", "wave", "thumbs_up", "heart_hands", "heart_fingers", "ok", "victory", "think",
    "refuse", "no_no", "come_closer", "stop", "count", "applause", "bow", "nod_yes", "thanks",
    "fist_palm", "hand_on_heart", "shrug", "cheer", "call_me", "listen", "shush", "blow_kiss",
    "cross_arms", "point_product", "point_left", "point_right", "point_link", "point_up",
    "look_screen", "point_below", "point_viewer", "point_self", "look_here", "offer", "compare",
    "price_drop", "price_up", "grow", "shrink", "next", "list_fingers", "split", "together",
    "everything", "hurry", "idea", "money", "show_size", "show_thickness", "show_height",
    "show_length", "show_round", "stack", "unbox", "pour", "spray", "pick_present",
    "feel_texture", "dab_cheek", "sweep", "circle", "write_order", "tap_phone", "drink",
    "twist_open", "beat_chop", "beat_palms", "emphasise", "mark_words", "precise", "reassure",
)  # fmt: skip

# What may stand in square brackets in a script.
MARKS: Final = (*EMOTIONS, *GESTURES)
