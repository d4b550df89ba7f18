"""`KeptRundowns`: the rundowns of a server, in the store and at hand."""

import asyncio
from collections.abc import Callable, Sequence

from agents.clause import Language
from agents.rundown.document import Rundown
from agents.rundown.form import rundown_from_json, rundown_to_json
from agents.shop.product import Shop
from pipeline.rooms.errors import RecordInUseError, RecordNotFoundError
from pipeline.store import Store
from pipeline.store.rundowns import RUNDOWNS

Draft = Callable[[Shop, Language, str, str | None], Rundown]


class KeptRundowns:
    """A `pipeline.rooms.service.Rundowns`.

    Args:
        store: where they are kept.
        shop: a shop by its id; raises RecordNotFoundError.
        draft: shop, language, id, title -> a rundown; blocks.
        used: the rooms that are set to a rundown.
        changed: called when a rundown is another one, with it.
    """

    def __init__(
        self,
        store: Store,
        shop: Callable[[str], Shop],
        draft: Draft,
        used: Callable[[str], Sequence[str]],
        changed: Callable[[Rundown], None],
    ) -> None:
        self._store = store
        self._shop = shop
        self._draft = draft
        self._used = used
        self._changed = changed
        self._rundowns: dict[str, Rundown] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Read what is kept."""
        documents = await self._store.read(RUNDOWNS.everything)
        self._rundowns = {each["id"]: rundown_from_json(each) for each in documents}

    def now(self, rundown_id: str) -> Rundown:
        """Return a rundown without waiting.

        Raises:
            RecordNotFoundError: there is none of that id.
        """
        if rundown_id not in self._rundowns:
            raise RecordNotFoundError("rundown", rundown_id)
        return self._rundowns[rundown_id]

    async def list(self) -> "list[Rundown]":
        return [self._rundowns[rundown_id] for rundown_id in sorted(self._rundowns)]

    async def get(self, rundown_id: str) -> Rundown:
        return self.now(rundown_id)

    async def put(self, rundown: Rundown) -> None:
        document = rundown_to_json(rundown)
        rundown_from_json(document)  # refuses what is not accepted
        async with self._changing:
            await self._store.write(lambda c: RUNDOWNS.put(c, rundown.id, document))
            self._rundowns[rundown.id] = rundown
            self._changed(rundown)

    async def delete(self, rundown_id: str) -> None:
        async with self._changing:
            self.now(rundown_id)
            if rooms := self._used(rundown_id):
                raise RecordInUseError(f"the rundown {rundown_id!r} is that of {', '.join(rooms)}")
            await self._store.write(lambda c: RUNDOWNS.remove(c, rundown_id))
            del self._rundowns[rundown_id]

    async def draft(self, shop_id: str, language: Language, title: str | None = None) -> Rundown:
        shop = self._shop(shop_id)
        rundown_id = self._free(f"{shop_id}-{language}")
        made = await asyncio.to_thread(self._draft, shop, language, rundown_id, title)
        await self.put(made)
        return made

    def _free(self, wanted: str) -> str:
        stem, number = wanted[:34], 1
        name = stem
        while name in self._rundowns:
            number += 1
            name = f"{stem}-{number}"
        return name
