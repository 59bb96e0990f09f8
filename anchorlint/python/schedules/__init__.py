"""Schedules that are written in Python: Celery beat, Airflow, APScheduler and Dagster, as domain schedules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from anchorlint.python.schedules.found import Found

if TYPE_CHECKING:
    from anchorlint.python.facts import Facts

__all__ = ["Found", "asked_for", "closure", "read_schedules"]

# What has to stand in a file that can hold a schedule, whatever else does.
_BEAT = re.compile(rb"(?i:beat_?schedule)|add_periodic_task")
_OTHERS = re.compile(rb"\bDAG\s*\(|@(?:\w+\.)*dag\b|add_job|scheduled_job|ScheduleDefinition|cron_schedule")
# What has to stand in the files that periodic tasks of Celery are found in, by their names alone.
_TASKS = re.compile(rb"shared_task|@(?:\w+\.)+task\b|AsyncResult|(?i:result_expires)|(?i:timezone)[ \t]*=")


def asked_for(paths: Iterable[str], data_of: Callable[[str], bytes]) -> list[str]:
    """The files whose bytes can hold a schedule or belong to one; too many rather than too few."""
    holding, serving, has_beat = [], [], False
    for path in paths:
        data = data_of(path)
        beats = _BEAT.search(data) is not None
        has_beat = has_beat or beats
        if beats or _OTHERS.search(data):
            holding.append(path)
        elif _TASKS.search(data):
            serving.append(path)
    return sorted([*holding, *serving]) if has_beat else holding


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
