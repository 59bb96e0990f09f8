"""Schedules that are written in Python: Celery beat, Airflow, APScheduler and Dagster, as domain schedules."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from anchorlint.python.schedules.found import Found

if TYPE_CHECKING:
    from anchorlint.python.facts import Facts

__all__ = ["Found", "Hint", "asked_for", "closure", "hint", "read_schedules"]

# What has to stand, in lower case, in a file that can hold a schedule, whatever else does: by a part of each of them,
# since most files hold no such part and every word that is looked for takes as long as all the others.
_BEAT = {b"schedule": (b"beat_schedule", b"beatschedule"), b"add_": (b"add_periodic_task",)}
_OTHERS = {b"schedule": (b"scheduled_job", b"scheduledefinition", b"cron_schedule"), b"add_": (b"add_job",)}
_PARTS = (b"schedule", b"add_")
_DAG = re.compile(rb"\bDAG\s*\(|@(?:\w+\.)*dag\b")
# What has to stand in the files that periodic tasks of Celery are found in, by their names alone.
_TASKS = (b"shared_task", b".task", b"asyncresult", b"result_expires", b"timezone")


class Hint(enum.IntFlag):
    """What the bytes of a file can hold; says yes too often, never no where there is something."""

    NOTHING = 0
    BEAT = 1
    OTHER = 2
    TASK = 4


def hint(data: bytes) -> Hint:
    """What the bytes of one file can hold."""
    low = data.lower()
    found = Hint.NOTHING
    for part in _PARTS:
        if part in low:
            found |= Hint.BEAT if _holds(low, _BEAT[part]) else Hint.NOTHING
            found |= Hint.OTHER if _holds(low, _OTHERS[part]) else Hint.NOTHING
    if b"dag" in low and _DAG.search(data):
        found |= Hint.OTHER
    if _holds(low, _TASKS):
        found |= Hint.TASK
    return found


def _holds(data: bytes, marks: Iterable[bytes]) -> bool:
    return any(mark in data for mark in marks)


def asked_for(hints: Mapping[str, Hint]) -> list[str]:
    """The files that can hold a schedule or belong to one, in their order."""
    wanted = Hint.BEAT | Hint.OTHER
    if any(found & Hint.BEAT for found in hints.values()):
        wanted |= Hint.TASK
    return [path for path, found in hints.items() if found & wanted]


def closure(facts_of: Callable[[str], Facts | None], paths: Iterable[str], everything: Iterable[str]) -> list[Facts]:
    """The facts of `paths` and of the modules among `everything` that they import, directly or not."""
    from anchorlint.python.schedules.imports import closure as found

    return found(facts_of, paths, everything)


def read_schedules(facts: Iterable[Facts], asked: Iterable[str], text_of: Callable[[str], str]) -> Found:
    """The schedules in the files `asked` of these linked modules; `text_of` gives the text of a path for positions."""
    from anchorlint.knowledge.models import models
    from anchorlint.knowledge.words import words
    from anchorlint.python.evaluate import Evaluator
    from anchorlint.python.link import Linked
    from anchorlint.python.schedules import airflow, apscheduler, celery, dagster
    from anchorlint.python.schedules.source import Source

    linked = Linked(facts)
    wanted = set(asked)
    numbers = frozenset(number for number, each in enumerate(linked.modules) if each.path in wanted)
    source = Source(Evaluator(linked, models(), words()), numbers, text_of)
    found = Found()
    for module in (celery, airflow, apscheduler, dagster):
        found += module.read(source)
    return found
