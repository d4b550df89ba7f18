"""Refusals: instructions that cannot be carried out, with reasons for people."""


class RefusalError(Exception):
    """An instruction that cannot be carried out; the message says why, for people."""


def plain(name: str) -> str:
    """Return the name of a target as it is said."""
    return name.replace("_", " ")


def only(holds: bool, reason: str) -> None:
    """Refuse for a reason unless something holds.

    Raises:
        RefusalError: it does not.
    """
    if not holds:
        raise RefusalError(reason)
