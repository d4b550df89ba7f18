"""Who somebody is: an opaque id, which is never the name of a file."""

import hashlib
import re
from typing import Final

from pipeline.errors import ConfigurationError

_PERSON: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def check_person(person: str) -> str:
    """Return the id of a person as it is.

    Raises:
        ConfigurationError: it is none.
    """
    if not _PERSON.fullmatch(person):
        raise ConfigurationError(
            f"person is {person[:40]!r}; accepted: 1 to 64 letters, digits and . _ -, "
            "the first a letter or digit"
        )
    return person


def folder_name(person: str) -> str:
    """Return the name of a person's folder: 32 hexadecimal digits that do not tell the id."""
    return hashlib.sha256(check_person(person).encode()).hexdigest()[:32]
