"""The knowledge bases a configuration names."""

from pathlib import Path

import pytest

from agents.knowledge.background import EmbeddingInBackground
from pipeline.configuration import KnowledgeSettings, load_configuration
from pipeline.errors import ConfigurationError
from pipeline.knowledge import open_knowledge
from tests.agents.embedder import WordEmbedder


def test_a_fresh_file_holds_what_ships_and_keeps_what_is_changed(tmp_path: Path) -> None:
    settings = KnowledgeSettings(file=tmp_path / "knowledge.db")
    first = open_knowledge(settings)
    assert first.get("craft", "objection-price").title == "It is too expensive"
    first.delete("craft", ["objection-price"])
    first.close()
    again = open_knowledge(settings)
    assert "objection-price" not in [each.id for each in again.documents("craft", limit=1000)]
    again.close()


def test_with_an_embedder_what_ships_is_found_by_meaning_too(tmp_path: Path) -> None:
    embedder = WordEmbedder(("walrus", "umbrella"))
    store = open_knowledge(KnowledgeSettings(file=tmp_path / "knowledge.db"), embedder)
    assert isinstance(store, EmbeddingInBackground)
    assert store.settled(timeout=60)
    found = store.search("walrus", language="en", limit=100)
    assert found
    assert any("umbrella" in each.passage.lower() for each in found[:5])
    store.close()


def test_a_server_that_is_not_there_is_told(unused_tcp_port: int) -> None:
    settings = KnowledgeSettings(url=f"http://127.0.0.1:{unused_tcp_port}")
    with pytest.raises(ConfigurationError, match="the knowledge bases cannot be used: the Qdrant"):
        open_knowledge(settings)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.db"
    path.write_bytes(b"something else entirely " * 50)
    with pytest.raises(ConfigurationError, match=r"knowledge\.db cannot be opened"):
        open_knowledge(KnowledgeSettings(file=path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('url = "127.0.0.1:6333"', "knowledge.url is '127.0.0.1:6333'; accepted: such as"),
        ('url = "http://h/a/b"', "knowledge.url is 'http://h/a/b'"),
        ('collection = "a/b"', "knowledge.collection is 'a/b'; accepted: 1 to 60 letters"),
        ("port = 1", "the configuration has knowledge.port; accepted: file, url, collection"),
    ],
)
def test_settings_are_checked(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "vivant.toml"
    path.write_text(f"[knowledge]\n{text}\n")
    with pytest.raises(ConfigurationError) as told:
        load_configuration(path)
    assert message in str(told.value)


def test_settings_name_a_file_or_a_server(tmp_path: Path) -> None:
    path = tmp_path / "vivant.toml"
    path.write_text('[knowledge]\nfile = "~/k.db"\nurl = "http://127.0.0.1:6333"\n')
    settings = load_configuration(path).knowledge
    assert settings.file == Path("~/k.db").expanduser()
    assert settings.url == "http://127.0.0.1:6333"
