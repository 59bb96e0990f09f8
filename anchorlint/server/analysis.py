"""One run of the engine over what is open in the editor, in the words of the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from anchorlint.domain.finding import Finding, Problem


class Analysis(msgspec.Struct, frozen=True):
    """What a run says about the open files; the paths in it are relative to `root`, `lines` gives a path's lines."""

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    root: Path
    lines: Callable[[str], list[str]]


def analyse(opened: Mapping[Path, str]) -> Analysis:
    """Analyse the open files with the texts that they have in the editor; what links them is read from disk."""
    from anchorlint.engine.discover import kind_of, tidy
    from anchorlint.engine.request import Request
    from anchorlint.engine.run import run
    from anchorlint.engine.settings import Said

    texts = {tidy(str(path)): text for path, text in opened.items() if kind_of(str(path)) is not None}
    if not texts:
        return Analysis((), (), Path.cwd(), lambda _: [])
    # One process: a pool forked from a thread would share the pipes that the client listens to.
    report = run(Request(paths=tuple(sorted(texts)), texts=texts, said=Said(force_exclude=True), jobs=1))
    return Analysis(report.findings, report.problems, Path.cwd(), cache(report.sources.lines))
