"""The knowledge that ships: how good hosts speak, what goes with what, and cases of both."""

from importlib import resources
from typing import Final

from agents.errors import AgentError
from agents.knowledge.document import Collection, Document
from agents.knowledge.importing import import_documents
from agents.knowledge.store import Knowledge

_FILES: Final[dict[str, Collection]] = {
    "craft.en.md": "craft",
    "craft.zh.md": "craft",
    "styling.en.md": "styling",
    "styling.zh.md": "styling",
    "cases.en.md": "cases",
    "cases.zh.md": "cases",
}
_MARK: Final = "shipped-1"
SOURCE: Final = "vivant"


def shipped_documents() -> tuple[Document, ...]:
    """Return what ships with the package."""
    folder = resources.files("agents") / "data" / "knowledge"
    documents: list[Document] = []
    for name, collection in _FILES.items():
        found = import_documents(name, (folder / name).read_bytes(), collection)
        if found.problems:
            raise AgentError(f"{name} is damaged: {found.problems[0].message}")
        documents += found.documents
    return tuple(documents)


def load_shipped(knowledge: Knowledge) -> bool:
    """Put what ships into a store, once: what is deleted afterwards stays away.

    Returns whether it was put now.
    """
    if knowledge.marked(_MARK):
        return False
    knowledge.put(shipped_documents())
    knowledge.mark(_MARK)
    return True
