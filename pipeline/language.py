"""Which language a written text is in, as far as that is told by its script."""

import re
from typing import Final

from agents.clause import Language

_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def script_language(text: str) -> Language:
    """Return "zh" for a text with a Han character, else "en"."""
    return "zh" if _HAN.search(text) else "en"
