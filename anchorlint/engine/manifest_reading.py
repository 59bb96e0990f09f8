"""Reads schedule manifests and recorded runs into a timetable; says which files could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.domain.span import Span
from anchorlint.engine.comments import Comment, comments
from anchorlint.engine.python_schedules import Written, as_reading
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets

MOST_CHARACTERS = 120


class Schedules(msgspec.Struct, frozen=True):
    """The timetable of all manifests, None without any, with the comments and failures of their files."""

    timetable: Any
    comments: dict[str, tuple[Comment, ...]]
    unparsed: tuple[Finding, ...]
    problems: tuple[Problem, ...] = ()
    periods_s: Mapping[str, float] = {}
    unread: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was recognised and not checked, and which schedules have no recorded runs."""
        if self.timetable is None:
            return self.unread
        from anchorlint.manifests.history.origins import advice

        skipped = (f"{one.path}:{one.line}: {one.why}" for one in self.timetable.skipped)
        lonely = self.timetable.without_runs
        without = (f"{s.span.path}:{s.span.start.line}: no recorded runs of {s.name}: {advice(s)}" for s in lonely)
        return (*self.unread, *skipped, *without)


def read_schedules(
    targets: Targets,
    runs: Iterable[tuple[str, str, bool]],
    sources: Sources,
    as_of: datetime,
    window: int,
    written: Written | None = None,
) -> Schedules:
    """The timetable of every manifest and of what is `written` in Python; of `runs` the last `window` count.

    `runs` are (path, text, named).
    """
    from anchorlint.manifests.recognise import meant

    texts, spoken, unparsed, unread = [], {}, [], []
    for path in targets.of_kind("manifest"):
        try:
            text = sources.text(path)
        except Unreadable as error:
            # A name such as x.yaml promises no schedules: most files of that kind are of other programs.
            if meant(path):
                unparsed.append(unparsed_file(path, error.message, error.line, 1))
            else:
                unread.append(f"{path}: not checked: {error.message}")
            continue
        texts.append((path, text))
        spoken[path] = comments(path, text, "manifest")
    written = written or Written()
    if not texts and not written.found.schedules:
        return Schedules(None, {}, tuple(unparsed), written.problems, unread=tuple(unread))
    from anchorlint.manifests import read_manifests

    problems: list[Problem] = list(written.problems)
    try:
        timetable = read_manifests(texts, runs, as_of, window, as_reading(written.found))
        periods_s = timetable.periods_s
    except Exception as error:  # a fault of ours, which is not to hide what is found elsewhere
        why = f"internal error while reading schedules: {type(error).__name__}: {error}"
        return Schedules(None, spoken, tuple(unparsed), (*problems, Problem(why)))
    for problem in timetable.problems:
        if problem.path in spoken:
            unparsed.append(unparsed_file(problem.path, problem.message, problem.line or 1, problem.column or 1))
        else:
            problems.append(problem)
    return Schedules(timetable, spoken, tuple(unparsed), tuple(problems), periods_s, tuple(unread))


def unparsed_file(path: str, why: str, line: int, column: int) -> Finding:
    """The finding that says that a file was not checked; `why` is in the words of whoever tried to read it."""
    said = " ".join(why.split()).rstrip(".")
    message = f"not checked: {said[:1].lower()}{said[1:]}"
    if len(message) > MOST_CHARACTERS:
        message = message[: MOST_CHARACTERS - 1] + "…"
    return Finding(code="ANL003", message=message, span=Span.of(path, line, column, line, column + 1))
