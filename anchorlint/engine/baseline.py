"""Findings that were known when a project took up anchorlint: held back as long as they stay as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from anchorlint.documents import Malformed, Node
from anchorlint.domain.finding import Finding, Problem
from anchorlint.domain.span import Span
from anchorlint.engine.sources import Sources, Unreadable

UNCOVERED = frozenset({"ANL003", "ANL004", "ANL005"})
FILE = "anchorlint-baseline.json"


class Entry(msgspec.Struct, frozen=True):
    """One known finding and where it stands in the baseline."""

    fingerprint: str
    code: str
    path: str
    message: str
    span: Span


class Baseline(msgspec.Struct, frozen=True):
    """The known findings of a project; `problems` say why the file could not be read."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()

    def knows(self, finding: Finding) -> bool:
        """Whether a finding was there when the baseline was written."""
        return finding.code not in UNCOVERED and any(e.fingerprint == finding.fingerprint for e in self.entries)


def read_baseline(path: str | None, sources: Sources) -> Baseline:
    """The baseline in a file; without a path an empty one."""
    if path is None:
        return Baseline()
    from anchorlint.documents import json

    try:
        node = json.read(sources.text(path), path)
        listed = node.child("findings")
        if listed is None or not all(_is_entry(item) for item in listed.items):
            place = listed.span if listed else node.span
            why = f"no baseline: write one with `anchorlint baseline -o {path}`"
            return Baseline(problems=(Problem(why, path, place.start.line, place.start.column),))
        return Baseline(tuple(map(_entry, listed.items)))
    except Unreadable as error:
        return Baseline(problems=(Problem(error.message, path),))
    except Malformed as error:
        return Baseline(problems=(Problem(f"malformed baseline: {error.message}", path, error.line, error.column),))


def unused_entries(
    baseline: Baseline, findings: Iterable[Finding], judged: Mapping[str, frozenset[str]]
) -> Iterator[Finding]:
    """A finding for each entry that meets nothing any more; `judged` are the codes that were checked in each file.

    An entry of a file that was not looked at is left alone, unless the file is gone.
    """
    present = {finding.fingerprint for finding in findings}
    for entry in baseline.entries:
        looked_at = entry.code in judged.get(entry.path, ()) or not os.path.exists(entry.path)
        if looked_at and entry.fingerprint not in present:
            yield Finding(
                code="ANL005",
                message=f"{entry.code} in {entry.path} is in the baseline but is not reported any more",
                span=entry.span,
                help="run `anchorlint baseline` to leave it out",
            )


def written(findings: Iterable[Finding], before: Baseline, looked_at: Iterable[str]) -> str:
    """The text of a baseline of these findings; entries of files that were not looked at stay if the files do."""
    seen = set(looked_at)
    kept = [e for e in before.entries if e.path not in seen and os.path.exists(e.path)]
    rows = [(e.path, e.code, e.message, e.fingerprint) for e in kept]
    rows += [(f.span.path, f.code, f.message, f.fingerprint) for f in findings if f.code not in UNCOVERED]
    entries = [
        {"path": path, "code": code, "message": message, "fingerprint": fingerprint}
        for path, code, message, fingerprint in sorted(set(rows))
    ]
    text = msgspec.json.format(msgspec.json.encode({"version": 1, "findings": entries}), indent=1)
    return text.decode() + "\n"


def _is_entry(node: Node) -> bool:
    return all((child := node.child(key)) and child.text is not None for key in ("fingerprint", "code", "path"))


def _entry(node: Node) -> Entry:
    said = {key: entry.node.text or "" for key, entry in node.effective().items()}
    return Entry(said["fingerprint"], said["code"], said["path"], said.get("message", ""), node.span)
