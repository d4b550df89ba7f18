"""What is particular to the store in one file."""

from pathlib import Path

import pytest

from agents.errors import AgentError
from agents.knowledge import Document, Model, SqliteKnowledge
from tests.agents.embedder import WordEmbedder

WARM = Document("warm", "craft", "Warmth", "All is warm.", "en")


def test_what_another_connection_changes_is_seen_at_once(tmp_path: Path) -> None:
    model = Model("groups", WordEmbedder(("warm", "cosy"), ("blue", "sky")))
    ours, theirs = (SqliteKnowledge(tmp_path / "k.db", model) for _ in range(2))
    theirs.put([WARM])
    theirs.embed()
    assert [found.document for found in ours.search("cosy")] == [WARM]
    blue = Document("warm", "craft", "Blue", "All is blue.", "en")
    theirs.put([blue])
    assert ours.search("cosy") == [], "its vector is gone with the text it was of"
    theirs.embed()
    assert [found.document for found in ours.search("sky")] == [blue]
    ours.close()
    theirs.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.db"
    path.write_bytes(b"not a database, but long enough to look like one " * 40)
    with pytest.raises(AgentError, match=r"k\.db cannot be opened: file is not a database"):
        SqliteKnowledge(path)


def test_it_is_made_with_its_folder_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "some" / "folder" / "k.db"
    first = SqliteKnowledge(path)
    first.put([WARM])
    first.close()
    assert SqliteKnowledge(path).get("craft", "warm") == WARM
