"""Links Python files to a program and runs the checks on it, unless the very same was done before."""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.engine.cache import Cache
from anchorlint.engine.checking import Checked, run_checks
from anchorlint.engine.leaves import Leaves
from anchorlint.engine.own_models import Knowledge
from anchorlint.engine.request import Progress
from anchorlint.knowledge.cards import Card

if TYPE_CHECKING:
    from anchorlint.python.program import Program


class Linkage(msgspec.Struct, frozen=True):
    """What a program depends on beside its files; `periods_s` are those of scheduled functions, in seconds."""

    reported: Collection[str]
    periods_s: Mapping[str, float]
    knowledge: Knowledge
    include_tests: bool


class Remembered(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a program that was checked."""

    findings: tuple[Finding, ...]
    partly: tuple[str, ...]


def link(leaves: Leaves, linkage: Linkage) -> Program:
    """The program of every file that could be read."""
    from anchorlint.knowledge.models import models
    from anchorlint.knowledge.words import words
    from anchorlint.python.program import Program

    knowledge = linkage.knowledge
    return Program(
        leaves.facts(),
        reported=linkage.reported,
        known=models(knowledge.tables) if knowledge.tables else None,
        vocabulary=words(knowledge.words) if knowledge.words else None,
        periods_s=linkage.periods_s,
        include_tests=linkage.include_tests,
    )


def check_program(
    leaves: Leaves, linkage: Linkage, cards: Iterable[Card], cache: Cache, progress: Progress | None
) -> Checked:
    """What the checks of these cards find; remembered for files, rules and linkage that are all the same."""
    chosen = [card for card in cards if card.on == "python"]
    if not chosen or not any(leaf.head.failed is None for leaf in leaves.by_path.values()):
        return Checked()
    key = _key(leaves, linkage, chosen, cache)
    if (known := _remembered(key, cache)) is not None:
        return Checked(known.findings, partly=known.partly)
    try:
        program = link(leaves, linkage)
    except Exception as error:  # a fault of ours, which is not to hide what is found elsewhere
        why = f"internal error while linking: {type(error).__name__}: {error}"
        trace = "".join(traceback.format_exception(error)).rstrip()
        return Checked((), frozenset(card.code for card in chosen), (Problem(why),), (trace,))
    checked = run_checks(chosen, program, progress)
    partly = tuple(sorted(program.engine.spent))
    if not checked.broken and not leaves.problems:
        cache.keep_findings(key, msgspec.msgpack.encode(Remembered(checked.findings, partly)))
    return msgspec.structs.replace(checked, partly=partly)


def _key(leaves: Leaves, linkage: Linkage, chosen: Iterable[Card], cache: Cache) -> bytes:
    rules = ",".join(card.code for card in chosen)
    beside = (sorted(linkage.reported), sorted(linkage.periods_s.items()), linkage.knowledge, linkage.include_tests)
    files = (leaf.key for leaf in leaves.by_path.values())
    return cache.key(rules.encode(), repr(beside).encode("utf-8", "surrogateescape"), *files)


def _remembered(key: bytes, cache: Cache) -> Remembered | None:
    stored = cache.findings(key)
    if stored is None:
        return None
    try:
        return msgspec.msgpack.decode(stored, type=Remembered)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
