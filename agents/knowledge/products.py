"""What shops sell as documents, so that it is found beside the other knowledge."""

from collections.abc import Iterator

from agents.clause import LANGUAGES, Language
from agents.knowledge.document import Document
from agents.knowledge.store import Knowledge
from agents.shop.product import Product, Shop

_MOST = 1000


def product_documents(shop: Shop) -> Iterator[Document]:
    """Return a document for each product and policy of a shop in each language it is told in.

    Prices and stock are left out: they change by the minute, and are read from the shop.
    """
    source = next(iter(shop.name.values()))
    for product in shop:
        for language in LANGUAGES:
            text = "\n\n".join(_told(product, language))
            if text:
                metadata = {"shop": shop.id, "product": product.id}
                if product.category:
                    metadata["category"] = product.category
                yield Document(
                    f"{shop.id}.{product.id}.{language}", "products", product.named(language),
                    text, language, metadata, source,
                )  # fmt: skip
    for number, (name, words) in enumerate(shop.policies.items(), 1):
        for language, text in words.items():
            yield Document(
                f"{shop.id}.policy.{number}.{language}", "products", name, text, language,
                {"shop": shop.id, "policy": name}, source,
            )  # fmt: skip


def replace_shop(knowledge: Knowledge, shop: Shop) -> None:
    """Put what changed of a shop's documents, and delete those of what it no longer has."""
    documents = {document.id: document for document in product_documents(shop)}
    known = {document.id: document for document in _known(knowledge, shop.id)}
    knowledge.put(each for each in documents.values() if known.get(each.id) != each)
    knowledge.delete("products", known.keys() - documents.keys())


def remove_shop(knowledge: Knowledge, shop_id: str) -> None:
    """Delete all documents of a shop."""
    known = [document.id for document in _known(knowledge, shop_id)]
    knowledge.delete("products", known)


def _known(knowledge: Knowledge, shop_id: str) -> Iterator[Document]:
    after = ""
    while True:
        found = knowledge.documents("products", filters={"shop": shop_id}, after=after, limit=_MOST)
        yield from found
        if len(found) < _MOST:
            return
        after = found[-1].id


def _told(product: Product, language: Language) -> Iterator[str]:
    if product.description.get(language):
        yield product.description[language]
    yield from product.points.get(language, ())
    for name, words in product.attributes.items():
        if words.get(language):
            yield f"{name.replace('_', ' ')}: {words[language]}"
    for each in product.questions:
        if each.question.get(language) and each.answer.get(language):
            yield f"{each.question[language]} {each.answer[language]}"
