"""Runs the checks of the selected rules; one that breaks is a problem and the others go on."""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.engine.request import Progress
from anchorlint.knowledge.cards import Card


class Checked(msgspec.Struct, frozen=True):
    """What the checks found, the codes of those that broke, and the traces of what broke.

    `partly` names what was looked into only in part because a bound was hit.
    """

    findings: tuple[Finding, ...] = ()
    broken: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()

    def __add__(self, other: Checked) -> Checked:
        """Both together."""
        return Checked(
            self.findings + other.findings,
            self.broken | other.broken,
            self.problems + other.problems,
            self.remarks + other.remarks,
            self.partly + other.partly,
        )


def run_checks(cards: Iterable[Card], subject: Any, progress: Progress | None = None) -> Checked:
    """Run the check of each card on a program or timetable; only the modules of these cards are imported."""
    cards = list(cards)
    findings: dict[Finding, None] = {}
    broken, problems, remarks = set(), [], []
    for number, card in enumerate(cards):
        if progress:
            progress(f"checking {card.code}", number, len(cards))
        try:
            findings.update(dict.fromkeys(_found(card, subject)))
        except Exception as error:
            broken.add(card.code)
            problems.append(Problem(f"internal error in {card.code}: {_told(error)}; the other rules ran"))
            remarks.append("".join(traceback.format_exception(error)).rstrip())
    return Checked(tuple(findings), frozenset(broken), tuple(problems), tuple(remarks))


def _found(card: Card, subject: Any) -> Iterator[Finding]:
    check: Callable[[Any], Iterator[Finding]] = importlib.import_module(f"anchorlint.checks.{card.stem}").check
    for finding in check(subject):
        if finding.code != card.code:
            raise ValueError(f"its check reports {finding.code}")
        yield msgspec.structs.replace(finding, name=card.name, severity=finding.severity or card.severity)


def _told(error: Exception) -> str:
    first = str(error).strip().split("\n")[0][:200]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
