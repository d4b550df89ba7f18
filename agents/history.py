"""What was said, as far as it was heard: the memory of a conversation."""

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from agents.clause import Language
from agents.errors import AgentValueError
from agents.llm import CallMessage, Exchange, Message, OutputMessage

Status = Literal["in_progress", "completed", "interrupted"]
# What is spoken or written; "call" and "output" belong to tools.
Speaker = Literal["user", "assistant", "system"]
Role = Literal["user", "assistant", "system", "call", "output"]

# Inserted after this, an item stands before all others.
ROOT = "root"

# Shows the model and the reader that the host was cut off here.
MARK: dict[Language, str] = {"en": " —", "zh": "——"}

_CJK = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
# Characters of a call's arguments or an output.
_LONGEST_OF_TOOLS = 32768
# Letters that the longest number may take when it is spoken.
_NUMBER_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Item:
    """One utterance, or one side of a tool's call.

    Attributes:
        text: what was said; after an interruption what was heard of it, with a mark. Of a call
            its arguments, of an output what the tool answered.
        citations: ids of the facts an answer rests on, for questions that refer back to it.
        call_id: what joins a call and its output; empty for all that is spoken.
        name: of the tool called.
    """

    id: str
    role: Role
    text: str
    status: Status = "completed"
    citations: tuple[str, ...] = ()
    call_id: str = ""
    name: str = ""


class History:
    """The last items of a conversation, oldest first; older ones are forgotten.

    Args:
        max_items: most items kept, at least 1.
        max_characters: most characters kept in all; the newest item always stays.
    """

    def __init__(self, max_items: int = 40, max_characters: int = 8000) -> None:
        if max_items < 1 or max_characters < 1:
            raise AgentValueError(
                f"a history of {max_items} items and {max_characters} characters: both must be >= 1"
            )
        self._max_items = max_items
        self._max_characters = max_characters
        self._items: OrderedDict[str, Item] = OrderedDict()

    def __iter__(self) -> Iterator[Item]:
        return iter(tuple(self._items.values()))

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item_id: str) -> bool:
        return item_id in self._items

    def get(self, item_id: str) -> Item:
        """Return an item; AgentValueError names an unknown id."""
        try:
            return self._items[item_id]
        except KeyError:
            raise AgentValueError(f"no item {item_id!r} in the history") from None

    def add(
        self,
        item_id: str,
        role: Speaker,
        text: str,
        *,
        status: Status = "completed",
        citations: tuple[str, ...] = (),
        after: str | None = None,
    ) -> Item:
        """Add an item at the end.

        `after`: the id of an item it is to follow at once instead, or `ROOT` for the very start.
        There it may be among the oldest, which are forgotten first.

        Raises:
            AgentValueError: the id is empty, "root" or taken, or `after` is unknown.
        """
        return self._insert(Item(item_id, role, text, status, citations), after)

    def add_call(
        self, item_id: str, call_id: str, name: str, arguments: str, *, after: str | None = None
    ) -> Item:
        """Add a tool's call, `arguments` being JSON as text.

        Raises:
            AgentValueError: as `add`; or `call_id` is empty or taken, or the arguments are longer
                than 32768 characters.
        """
        _check_length("arguments", arguments)
        if not call_id or self._with_call_id(call_id, "call"):
            raise AgentValueError(f"call_id {call_id!r} is empty or already in the history")
        return self._insert(Item(item_id, "call", arguments, call_id=call_id, name=name), after)

    def add_output(
        self, item_id: str, call_id: str, output: str, *, after: str | None = None
    ) -> Item:
        """Add what a tool answered to a call of the history.

        Raises:
            AgentValueError: as `add`; or no call has this `call_id`, or it has its output; or this
                one is longer than 32768 characters.
        """
        _check_length("output", output)
        call = self._with_call_id(call_id, "call")
        if call is None:
            raise AgentValueError(f"no call with call_id {call_id!r} in the history")
        if self._with_call_id(call_id, "output"):
            raise AgentValueError(f"the call with call_id {call_id!r} has its output already")
        item = Item(item_id, "output", output, call_id=call_id, name=call.name)
        return self._insert(item, after)

    def extend(self, item_id: str, text: str, citations: tuple[str, ...] = ()) -> Item:
        """Append text to an item in progress, as its clauses are spoken."""
        item = self.get(item_id)
        if item.status != "in_progress":
            raise AgentValueError(f"item {item_id!r} is {item.status}, only in_progress grows")
        cited = item.citations + tuple(c for c in citations if c not in item.citations)
        return self._put(replace(item, text=item.text + text, citations=cited))

    def complete(self, item_id: str) -> Item:
        """Mark an item as fully said; one already interrupted stays so."""
        item = self.get(item_id)
        return (
            item if item.status != "in_progress" else self._put(replace(item, status="completed"))
        )

    def remove(self, item_id: str) -> None:
        """Forget an item."""
        self.get(item_id)
        del self._items[item_id]

    def truncate(
        self, item_id: str, *, heard: str | None = None, fraction: float | None = None
    ) -> Item:
        """Keep only what was heard of an item.

        Args:
            item_id: an item of the history.
            heard: the words heard, a beginning of the text up to spacing, case, punctuation and
                the way numbers are said.
            fraction: the share of the text that was heard, 0 to 1. One of the two must be given.

        The text is cut back to a whole word (a whole character in Chinese) and marked. Nothing
        heard leaves an empty text; all of it heard leaves the text as it is.

        Raises:
            AgentValueError: unknown id or that of a call or output, none or both of the two
                given, fraction out of range.
        """
        item = self.get(item_id)
        if item.call_id:
            raise AgentValueError(f"item {item_id!r} is a {item.role}; only speech is truncated")
        if (heard is None) == (fraction is None):
            raise AgentValueError("truncate takes either heard or fraction")
        if fraction is not None:
            if not 0.0 <= fraction <= 1.0:
                raise AgentValueError(f"fraction {fraction}: accepted is 0 to 1")
            end = int(len(item.text) * fraction + 1e-9)
        else:
            end = _matched_length(item.text, heard or "")
        return self._put(replace(item, text=_keep(item.text, end), status="interrupted"))

    def messages(self, limit: int | None = None) -> list[Message]:
        """Return the last `limit` items as messages, all by default, without unheard ones.

        Text alone: of tools nothing is told. `exchange` tells them.
        """
        spoken = [m for item in self._items.values() if (m := _message(item)) is not None]
        return spoken if limit is None else spoken[-limit:] if limit > 0 else []

    def exchange(self, limit: int | None = None) -> list[Exchange]:
        """Return the last `limit` items with the calls of tools, for a model that knows them.

        Each output follows its call at once, as chat protocols demand it; a call that has no
        output yet and an output whose call is forgotten are left out.
        """
        told: list[Exchange] = []
        outputs = {item.call_id: item for item in self._items.values() if item.role == "output"}
        items = list(self._items.values())
        for item in items if limit is None else items[-limit:] if limit > 0 else []:
            if (message := _message(item)) is not None:
                told.append(message)
            elif item.role == "call" and item.call_id in outputs:
                told.append(CallMessage(item.call_id, item.name, item.text))
                told.append(OutputMessage(item.call_id, outputs[item.call_id].text))
        return told

    def unanswered(self) -> list[Item]:
        """Return the outputs of tools that came after all that was said, oldest first."""
        found: list[Item] = []
        for item in reversed(self._items.values()):
            if item.role == "output":
                found.append(item)
            elif item.role != "call" and item.text.strip():
                break
        return found[::-1]

    def _insert(self, item: Item, after: str | None) -> Item:
        if not item.id or item.id == ROOT or item.id in self._items:
            raise AgentValueError(
                f"item id {item.id!r} is empty, reserved or already in the history"
            )
        if after is not None and after != ROOT:
            self.get(after)
        self._items[item.id] = item
        if after is not None:
            self._move_behind(item.id, after)
        self._forget()
        return item

    def _move_behind(self, item_id: str, after: str) -> None:
        """Let an item follow another at once."""
        self._items.move_to_end(item_id, last=False)
        if after == ROOT:
            return
        order = list(self._items)[1:]
        for other in (*order[: order.index(after) + 1], item_id, *order[order.index(after) + 1 :]):
            self._items.move_to_end(other)

    def _with_call_id(self, call_id: str, role: Role) -> Item | None:
        found = (i for i in self._items.values() if i.call_id == call_id and i.role == role)
        return next(found, None)

    def _put(self, item: Item) -> Item:
        self._items[item.id] = item
        self._forget()
        return item

    def _forget(self) -> None:
        """Drop the oldest items over the limits; the newest and one in progress always stay."""
        total = sum(len(item.text) for item in self._items.values())
        for item in list(self._items.values())[:-1]:
            if len(self._items) <= self._max_items and total <= self._max_characters:
                return
            if item.status != "in_progress":
                total -= len(self._items.pop(item.id).text)


def _check_length(name: str, text: str) -> None:
    if len(text) > _LONGEST_OF_TOOLS:
        raise AgentValueError(f"{name}: {len(text)} characters, at most {_LONGEST_OF_TOOLS}")


def _message(item: Item) -> Message | None:
    if item.role == "call" or item.role == "output" or not item.text.strip():
        return None
    return Message(item.role, item.text.strip())


def _keep(text: str, end: int) -> str:
    """Return the first `end` characters cut back to whole words, marked when something is lost."""
    if not re.search(r"\w", text[end:]):
        return text
    if end > 0 and _inside_word(text, end):
        end = max((m.end() for m in re.finditer(r"[\s\u3400-\u9fff]", text[:end])), default=0)
    kept = text[:end].rstrip()
    if not re.search(r"\w", kept):
        return ""
    return kept + MARK["zh" if _CJK.search(kept) else "en"]


def _inside_word(text: str, end: int) -> bool:
    left, right = text[end - 1], text[end : end + 1]
    if _CJK.match(left) or _CJK.match(right) or left.isspace() or not right:
        return False
    # "$9.|99" is one word although a stop lies between.
    return not right.isspace() and (right.isalnum() or right in "'’%" or left in "$.,:-")


def _matched_length(text: str, heard: str) -> int:
    """Return how many characters of `text` were heard.

    A voice says "eleven" where the text has "11": where words differ, the next words they have in
    common carry on; a difference at the very end counts as not heard.
    """
    spoken = "".join(c for c in heard.casefold() if c.isalnum())
    tokens = [(m.group().casefold(), m.end()) for m in _TOKEN.finditer(text)]
    end = place = number = 0
    while number < len(tokens) and place < len(spoken):
        token = tokens[number][0]
        if spoken.startswith(token, place):
            place += len(token)
            end = tokens[number][1]
            number += 1
            continue
        found = _next_in_common([t for t, _ in tokens[number + 1 :]], spoken, place)
        if found is None:
            break
        number, place = number + 1 + found[0], found[1]
    while end and end < len(text) and not text[end].isalnum() and not text[end].isspace():
        end += 1
    return end


def _next_in_common(tokens: list[str], spoken: str, place: int) -> tuple[int, int] | None:
    """Return which of the next tokens is heard next, and where in what was spoken."""
    window = spoken[: place + _NUMBER_LENGTH]
    for at in range(min(len(tokens), 4)):
        pair = "".join(tokens[at : at + 2])
        found = window.find(pair, place)
        if found < 0 and spoken.endswith(tokens[at]) and len(spoken) <= len(window):
            # Its neighbour was not spoken any more.
            found = len(spoken) - len(tokens[at])
        if found >= place:
            return at, found
    return None
