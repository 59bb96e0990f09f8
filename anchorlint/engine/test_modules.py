"""Tells test modules, in which rules about Python are silent unless they are asked for."""

from __future__ import annotations

import re

NAME = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(?:pytest|unittest)\b", re.MULTILINE)


def is_test_module(path: str, text: str) -> bool:
    """Whether pytest would collect the file by its name, or its text imports pytest or unittest."""
    if NAME.search(path):
        return True
    # looking at every line for an import takes ten times longer than looking for the words
    return ("pytest" in text or "unittest" in text) and bool(IMPORT.search(text))
