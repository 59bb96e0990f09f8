"""The incidents of rules/demo: small projects as they failed and as they were mended, with what must be found."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from anchorlint.domain.report import Report
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.knowledge import rules_directory

# The Monday after the last of the recorded runs.
AS_OF = datetime(2026, 11, 30, tzinfo=UTC)
MARK = re.compile(r"[ \t]*# expect: ([A-Z]{3}\d{3}(?:, [A-Z]{3}\d{3})*)$", re.MULTILINE)

# A path below the project, a line and the code of a rule.
Place = tuple[str, int, str]


class Incident(msgspec.Struct, frozen=True):
    """One folder of rules/demo: `bad` and `mended` are projects, the title and story stand in its README.md."""

    folder: Path
    title: str
    story: str


class Outcome(msgspec.Struct, frozen=True):
    """What was expected of one project and not found, what was found and not expected, and what could not be done."""

    expected: tuple[Place, ...]
    missing: tuple[Place, ...]
    surplus: tuple[Place, ...]
    errors: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Exactly the expected findings, and nothing in the way."""
        return not (self.missing or self.surplus or self.errors)


def incidents() -> list[Incident]:
    """Every incident, in the order of its number."""
    return [_incident(readme) for readme in sorted((rules_directory() / "demo").glob("*/README.md"))]


@contextlib.contextmanager
def analysed(project: Path) -> Iterator[Report]:
    """The report of the ordinary engine on a copy of `project`, which is the working directory meanwhile.

    A copy, because a project that is installed or lies in a checkout would be linked with what surrounds it; the
    engine does not see the marks.
    """
    with tempfile.TemporaryDirectory(prefix="anchorlint-demo-") as scratch:
        copy = Path(shutil.copytree(project, Path(scratch) / project.name))
        (copy / ".git").mkdir()
        for file in _texts(copy):
            file.write_text(MARK.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
        with contextlib.chdir(copy):
            yield run(Request(paths=(".",), as_of=AS_OF, isolated=True, use_cache=False))


def outcome(project: Path, report: Report) -> Outcome:
    """Compare a report with the marks in the files of its project, line by line and code by code."""
    expected = sorted(_marks(project))
    found = sorted((f.span.path, f.span.start.line, f.code) for f in report.findings)
    return Outcome(
        tuple(expected),
        tuple(place for place in expected if place not in found),
        tuple(place for place in found if place not in expected),
        tuple(problem.message for problem in report.errors),
    )


def _incident(readme: Path) -> Incident:
    title, _, story = readme.read_text(encoding="utf-8").partition("\n")
    return Incident(readme.parent, title.removeprefix("# "), story.strip())


def _marks(project: Path) -> Iterator[Place]:
    for file in _texts(project):
        text = file.read_text(encoding="utf-8")
        for mark in MARK.finditer(text):
            line = text.count("\n", 0, mark.start()) + 1
            yield from ((file.relative_to(project).as_posix(), line, code) for code in mark[1].split(", "))


def _texts(project: Path) -> Iterator[Path]:
    """The files of a project that may carry marks."""
    return (file for file in sorted(project.rglob("*")) if file.suffix in {".py", ".toml", ".yaml"})
