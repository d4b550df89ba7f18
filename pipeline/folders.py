"""Where things lie: below the cache folder, and what is the user's own."""

import os
from pathlib import Path
from typing import Final

import platformdirs

SETTINGS_VARIABLE: Final = "VIVANT_CONFIG"


def avatar_folder(cache: Path) -> Path:
    """Return the folder of prepared avatars."""
    return cache / "avatars"


def body_folder(cache: Path) -> Path:
    """Return the folder of the body package's prebuilt tensors."""
    return cache / "anny"


def egress_folder() -> Path:
    """Return the folder of playlists and recordings where none is configured."""
    return _data_folder() / "egress"


def people_folder() -> Path:
    """Return the folder of what is kept of people where none is configured."""
    return _data_folder() / "people"


def knowledge_file() -> Path:
    """Return the file of the knowledge bases where none is configured."""
    return _data_folder() / "knowledge.db"


def rooms_folder() -> Path:
    """Return the folder of what live rooms keep where none is configured."""
    return _data_folder() / "rooms"


def _data_folder() -> Path:
    return Path(platformdirs.user_data_dir("vivant"))


def settings_folder() -> Path:
    """Return the folder of keys and the like: $VIVANT_CONFIG, else the user's configuration."""
    return Path(os.environ.get(SETTINGS_VARIABLE) or platformdirs.user_config_dir("vivant"))
