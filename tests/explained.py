"""Lays out small programs in memory and says what explain tells of them."""

from __future__ import annotations

from textwrap import dedent

from anchorlint.python.explain import explain
from anchorlint.python.facts import read
from anchorlint.python.program import Program


def told(text: str, line: int | None = None, **others: str) -> list[str]:
    """The lines that are said of `text` as `it.py`; `others` are the modules beside it."""
    files = {"it.py": text, **{f"{name}.py": other for name, other in others.items()}}
    program = Program([read(path, dedent(one).lstrip("\n")) for path, one in sorted(files.items())])
    return [one.strip() for one in explain(program, "it.py", line).splitlines()]
