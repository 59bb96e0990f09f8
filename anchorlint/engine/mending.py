"""Turns the fixes of a report, or ignore comments for its findings, into new texts of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import unified_diff

import msgspec

from anchorlint.domain.finding import Edit, Finding, Problem
from anchorlint.domain.report import UNCHECKED, Report
from anchorlint.domain.span import Span
from anchorlint.engine.comments import UNMARKED, Comment, comments
from anchorlint.engine.discover import kind_of
from anchorlint.engine.editing import NotWritten, edited, write_text
from anchorlint.engine.sources import Sources, Unreadable, decode
from anchorlint.engine.suppress import FORM

OWN = "ANL"
LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Change(msgspec.Struct, frozen=True):
    """One file as it is and as it is to be; `count` is the number of findings that this is about."""

    path: str
    data: bytes
    before: str
    after: str
    count: int


class Changes(msgspec.Struct, frozen=True):
    """What is to be changed, and what could not be and why."""

    files: tuple[Change, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def count(self) -> int:
        """The number of findings that the changes are about."""
        return sum(change.count for change in self.files)

    def diff(self) -> str:
        """The changes as a unified diff."""
        rows: list[str] = []
        for change in self.files:
            pair = (LINE.findall(change.before), LINE.findall(change.after))
            rows += (row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n"
                     for row in unified_diff(*pair, change.path, change.path))  # fmt: skip
        return "".join(rows)

    def write(self) -> Changes:
        """Write the files; returns what was written, with a problem for each file that stays as it was."""
        written, problems = [], list(self.problems)
        for change in self.files:
            try:
                write_text(change.path, change.data, change.after)
                written.append(change)
            except NotWritten as error:
                problems.append(Problem(f"not changed: {error}", change.path))
        return Changes(tuple(written), tuple(problems))


def fixes(report: Report, unsafe: bool) -> Changes:
    """The fixes of a report's findings, those that are not safe only if `unsafe`."""
    wanted = [finding for finding in report.findings if finding.fix and (finding.fix.safe or unsafe)]
    edits: dict[str, list[tuple[Edit, Finding]]] = {}
    for finding in wanted:
        for edit in finding.fix.edits if finding.fix else ():
            edits.setdefault(edit.span.path, []).append((edit, finding))
    return _changes(edits, lambda path, text, pairs: edited(text, [edit for edit, _ in pairs])[0])


def ignores(report: Report, reason: str) -> Changes:
    """Ignore comments with this reason for every finding that can have one."""
    edits: dict[str, list[tuple[Edit, Finding]]] = {}
    bare: dict[str, int] = {}
    for finding in report.findings:
        path = finding.span.path
        if finding.code in UNCHECKED or finding.code.startswith(OWN):
            continue
        if path.endswith(UNMARKED):
            bare[path] = bare.get(path, 0) + 1
        else:
            edits.setdefault(path, []).append((Edit(finding.span, ""), finding))
    changes = _changes(edits, lambda path, text, pairs: _with_comments(path, text, [f for _, f in pairs], reason))
    told = [Problem(f"{n} not ignored: the format has no comments, use per-file-ignores", p) for p, n in bare.items()]
    return msgspec.structs.replace(changes, problems=(*changes.problems, *told))


Editor = Callable[[str, str, list[tuple[Edit, Finding]]], str]


def _changes(edits: dict[str, list[tuple[Edit, Finding]]], change: Editor) -> Changes:
    sources = Sources({})
    files, problems = [], []
    for path, pairs in sorted(edits.items()):
        try:
            data = sources.data(path)
            before = decode(path, data)
            after = change(path, before, pairs)
            _still_python(path, after)
        except (Unreadable, NotWritten) as error:
            problems.append(Problem(f"not changed: {error}", path))
            continue
        if after != before:
            files.append(Change(path, data, before, after, len({finding.fingerprint for _, finding in pairs})))
    return Changes(tuple(files), tuple(problems))


def _still_python(path: str, text: str) -> None:
    from anchorlint.python.parse import Unparsed, parse

    if kind_of(path) == "python":
        try:
            parse(path, text)
        except Unparsed as error:
            raise NotWritten(f"line {error.line} would be no Python any more: {error.message}") from None


def _with_comments(path: str, text: str, findings: Iterable[Finding], reason: str) -> str:
    """The text with a comment for each finding; raises NotWritten if one would not be found again."""
    kind = kind_of(path) or "python"
    wanted: dict[int, set[str]] = {}
    for finding in findings:
        wanted.setdefault(finding.span.start.line, set()).add(finding.code)
    for line in sorted(wanted, reverse=True):
        text = _commented(path, text, kind, line, wanted[line], reason)
    return text


def _commented(path: str, text: str, kind: str, line: int, codes: set[str], reason: str) -> str:
    known = comments(path, text, kind)
    near = [c for c in known if c.first <= line <= c.last and c.said.startswith("ignore[")]
    if near and (form := FORM.match(near[0].said)):
        codes = codes | {code.strip() for code in form["rules"].split(",") if code.strip()}
        place = Span.of(path, near[0].line, near[0].column, near[0].line, near[0].column + len(near[0].said))
        edit = Edit(place, f"ignore[{', '.join(sorted(codes))}] {form['reason'] or reason}".rstrip())
    else:
        edit = _new_comment(path, text, kind, line, f"ignore[{', '.join(sorted(codes))}] {reason}".rstrip())
    after = edited(text, [edit])[0]
    moved = after.count("\n") - text.count("\n")
    found = [c for c in comments(path, after, kind) if c.first <= line + moved <= c.last]
    if not any(codes <= _codes(comment) for comment in found):
        raise NotWritten(f"no comment for line {line} would be understood")
    return after


def _codes(comment: Comment) -> set[str]:
    form = FORM.match(comment.said)
    return {code.strip() for code in form["rules"].split(",")} if form else set()


def _new_comment(path: str, text: str, kind: str, line: int, said: str) -> Edit:
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if kind == "python":
        row = _statement_end(rows, line)
        column = len(rows[row - 1]) + 1
        return Edit(Span.of(path, row, column, row, column), f"  # anchorlint: {said}")
    indent = rows[line - 1][: len(rows[line - 1]) - len(rows[line - 1].lstrip())]
    end = "\r\n" if "\r\n" in text else "\n"
    opening = "--" if path.endswith(".sql") else "//" if path.endswith(".jsonc") else "#"
    return Edit(Span.of(path, line, 1, line, 1), f"{indent}{opening} anchorlint: {said}{end}")


def _statement_end(rows: list[str], line: int) -> int:
    """The last line of the statement that `line` belongs to: there a comment never stands in a string."""
    from anchorlint.engine.comments import statements

    found = (last for first, last in statements("\n".join(rows)) if first <= line <= last)
    return next(found, line)
