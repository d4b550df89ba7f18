"""Names that broke other servers, which every place that takes a name must refuse."""

import json

from tests.conftest import SHARED

OWN = [
    "../secret.js",
    "..\\secret.js",
    "/etc/hostname",
    "%2e%2e/app.py",
    "page.js/../../app.py",
    "page.js\x00.css",
    "",
    ".",
    "..",
    "x" * 5000,
    "Page.js",
    "\u202ejs.egap",
]
_FILE = SHARED / "cases" / "names.json"
NAMES = [*OWN, *(json.loads(_FILE.read_text("utf-8")) if _FILE.is_file() else [])]
