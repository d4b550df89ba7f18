"""What all specifications share: frozen, strict, versioned, and errors a person can act on."""

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from avatar.errors import AvatarValueError

LONGEST_DOCUMENT: Final = 64 * 1024


class Spec(BaseModel):
    """A part of a specification: cannot be changed, knows all its fields, equal by value."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def __init__(self, **values: object) -> None:
        """Make it.

        Raises:
            AvatarValueError: a field is unknown, of the wrong type or out of range; the message
                names the field, the value and what is accepted.
        """
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise AvatarValueError(explain(type(self).__name__, error)) from error

    # Parts of a document are then read without passing here, so that all faults come in one error.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    def changed(self, **values: object) -> Self:
        """Return a copy with other values, checked like a new one."""
        return type(self)(
            **{name: getattr(self, name) for name in type(self).model_fields} | values
        )


# Names become file names.
Name = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,39}$")]


class Document(Spec):
    """A whole specification as it is stored: JSON with a kind and a version.

    A subclass sets `KIND`, `VERSION` and may override `migrated`.
    """

    KIND: ClassVar[str]
    VERSION: ClassVar[int]

    name: Name

    def to_json(self) -> str:
        """Return it as JSON text of a few hundred bytes, only what differs from the defaults."""
        content = {"kind": self.KIND, "version": self.VERSION}
        content |= self.model_dump(mode="json", exclude_defaults=True)
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` wrote, or an older version of it.

        Raises:
            AvatarValueError: not JSON, another kind, a version from the future, or a field that
                is not accepted.
        """
        if len(text) > LONGEST_DOCUMENT:
            raise AvatarValueError(
                f"{cls.KIND}: {len(text)} bytes; accepted: up to {LONGEST_DOCUMENT}"
            )
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise AvatarValueError(f"{cls.KIND}: not JSON: {error}") from error
        return cls.from_mapping(content)

    @classmethod
    def from_mapping(cls, content: object) -> Self:
        """As `from_json`, for a parsed document."""
        if not isinstance(content, dict):
            raise AvatarValueError(f"{cls.KIND}: {shorten(content)}; accepted: a JSON object")
        content = dict(content)
        kind, version = content.pop("kind", cls.KIND), content.pop("version", cls.VERSION)
        if kind != cls.KIND:
            raise AvatarValueError(f"kind: {shorten(kind)}; accepted: {cls.KIND!r}")
        if type(version) is not int or not 1 <= version <= cls.VERSION:
            raise AvatarValueError(
                f"{cls.KIND}.version: {shorten(version)}; accepted: 1 to {cls.VERSION}"
            )
        current = dict(cls.migrated(content, version))
        try:
            # JSON has no tuples: its own mode of validation takes arrays for them.
            return cls.model_validate_json(json.dumps(current))
        except ValidationError as error:
            raise AvatarValueError(explain(cls.__name__, error)) from error

    @classmethod
    def migrated(cls, content: Mapping[str, Any], version: int) -> Mapping[str, Any]:
        """Return what version `version` meant in the fields of today."""
        del version
        return content


def explain(owner: str, error: ValidationError) -> str:
    """Say of every fault which field it is, its value, and what is accepted."""
    lines = []
    for fault in error.errors():
        field = ".".join([owner, *(str(step) for step in fault["loc"])])
        lines.append(f"{field}: {shorten(fault['input'])}; {_accepted(fault['type'], fault)}")
    return "; ".join(lines)


def shorten(value: object, most: int = 60) -> str:
    """Return `value` as it may stand in a message."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _accepted(kind: str, fault: Mapping[str, Any]) -> str:
    if kind == "extra_forbidden":
        return "there is no such field"
    message = str(fault["msg"]).removeprefix("Value error, ")
    return message if message.startswith("accepted") else f"accepted: {_plain(message)}"


def _plain(message: str) -> str:
    plain = message.removeprefix("Input should be ")
    return plain[0].lower() + plain[1:]


def one_of(value: str, accepted: Iterable[str]) -> str:
    """Check a name.

    Raises:
        ValueError: it is none of `accepted`.
    """
    names = sorted(accepted)
    if value not in names:
        near = get_close_matches(value, names, 5, 0.4)
        few = near if len(names) > 20 and near else names[:20]
        rest = "" if len(few) == len(names) else f" and others ({len(names)} in all)"
        raise ValueError(f"accepted: {', '.join(few)}{rest}")
    return value


def _colour(text: str) -> str:
    if len(text) != 7 or text[0] != "#" or any(c not in "0123456789abcdefABCDEF" for c in text[1:]):
        raise ValueError('accepted: "#rrggbb", six hexadecimal digits of sRGB')
    return text.lower()


Colour = Annotated[str, AfterValidator(_colour)]
