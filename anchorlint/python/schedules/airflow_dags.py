"""Airflow's DAGs: `DAG(…)` and `@dag`, their ids, schedules and zones, and which calls stand within them."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import NamedTuple

import msgspec

from anchorlint.domain.schedule import Dialect, Firing
from anchorlint.domain.span import Span
from anchorlint.python.schedules.constants import argument, duration, outside, put, text, zone_name
from anchorlint.python.schedules.places import Owner, Place
from anchorlint.python.schedules.source import Called, Site, Source
from anchorlint.python.value import Value

_SCHEDULES = ("schedule", "schedule_interval", "timetable")
_PRESETS = {"@quarterly": "0 0 1 */3 *"}  # the only one that cron does not know
_NO_CLOCK = ("@once", "@continuous", "None")


class Dag(msgspec.Struct, frozen=True, eq=False):
    """One DAG: the call that makes it, under one choice of loop variables, and what stands in it."""

    id: str
    id_span: Span
    call: Called
    zone: str
    firing: Firing | None
    without_clock: bool
    inner: tuple[Called, ...]

    @property
    def key(self) -> int:
        """What tells it from every other one."""
        return id(self)


class When(NamedTuple):
    """What a schedule argument says: an expression or a period; `known` is False if nobody can tell."""

    expression: str | None = None
    every_s: float | None = None
    zone: str | None = None
    known: bool = True


class Dags:
    """The DAGs of a project; `unnamed` says that there are some whose id is not known."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.skipped: list[tuple[str, int, str]] = []
        self.unnamed = False

    def all(self) -> list[Dag]:
        """Every DAG whose id is known, in the order of the text."""
        found: list[Dag] = []
        for call in self._calls:
            names = call.value("dag_id", 0), *(call.value(name) for name in _SCHEDULES)
            for turn in call.turned(*names):
                dag = self._dag(turn, self._inner.get((call.module, call.place), ()))
                if dag is not None:
                    found.append(dag)
        return found

    @cached_property
    def _calls(self) -> list[Called]:
        return [call for call in self.source.calls if call.is_of("airflow", "DAG", "dag")]

    def _dag(self, call: Called, inner: tuple[Called, ...]) -> Dag | None:
        function = self._decorated.get((call.module, call.place))
        id_ = text(call.value("dag_id", 0)) or (function if call.is_of("airflow", "dag") else None)
        if not id_:
            self.unnamed = True
            self.skipped.append((call.span.path, call.span.start.line, "a DAG whose id is made while it runs"))
            return None
        name = next((name for name in _SCHEDULES if call.site(name) is not None), None)
        when = self._when(call.value(name)) if name else When(known=False)
        if name and not when.known:
            line = call.argument_span(name).start.line
            self.skipped.append((call.span.path, line, f"the schedule of {id_} is made while it runs, not checked"))
        zone = when.zone or self._zone(call) or "UTC"
        firing = self._firing(when, call.argument_span(name), zone) if name and when.known else None
        without = firing is None and when.known
        turned = tuple(Called(each.source, each.view, each.number, call.turn) for each in inner)
        return Dag(id_, call.argument_span("dag_id", 0), call, zone, firing, without, turned)

    def _firing(self, when: When, span: Span, zone: str) -> Firing | None:
        if when.every_s is not None:
            return Firing(dialect=Dialect.INTERVAL, expression=when.expression or "", span=span, zone=zone,
                          every_s=when.every_s)  # fmt: skip
        if when.expression is None or when.expression in _NO_CLOCK:
            return None
        return Firing(dialect=Dialect.AIRFLOW, expression=when.expression, span=span, zone=zone)

    def _when(self, value: Value | None) -> When:
        if value is None or value.kind == "none" or value.kind in ("seq", "comp"):
            return When()
        if (written := text(value)) is not None:
            return When(_PRESETS.get(written, written))
        if (every_s := duration(value)) is not None:
            return When(f"{every_s:g} s", every_s)
        called = outside(value)
        last = called[0].rpartition(".")[2] if called else ""
        if last in ("CronDataIntervalTimetable", "CronTriggerTimetable"):
            written = text(argument(value, "cron", 0))
            zone = zone_name(argument(value, "timezone", 1))
            return When(written, zone=zone, known=written is not None and zone is not None)
        if last == "DeltaDataIntervalTimetable":
            every_s = duration(argument(value, "delta", 0))
            return When(f"{every_s:g} s", every_s) if every_s is not None else When(known=False)
        # What is updated has no clock.
        return When(known=last in ("Dataset", "Asset", "DatasetAlias", "AssetAlias", "AssetAny", "AssetAll"))

    def _zone(self, call: Called) -> str | None:
        """The zone of the start date, which is that of the crons."""
        start = call.value("start_date")
        if start is None and (defaults := call.site("default_args")) is not None:
            start = next((e.value for e in self.source.entries(defaults) if e.key == "start_date"), None)
        called = outside(put(self.source.engine, start, call.turn)) if start is not None else None
        if called is None or start is None:
            return None
        for name, position in (("tz", None), ("tzinfo", 7)):
            if (given := argument(start, name, position)) is not None:
                return zone_name(given)
        return None

    # what stands within

    @cached_property
    def _inner(self) -> dict[tuple[int, Place], tuple[Called, ...]]:
        """The calls within each DAG, by the place of the call that makes it."""
        places = {(call.module, call.place) for call in self._calls}
        modules = {module for module, _ in places}
        found: dict[tuple[int, Place], list[Called]] = {}
        for call in self.source.calls:
            owner = self._owner(call, places) if call.module in modules else None
            if owner is not None and owner != (call.module, call.place):
                found.setdefault(owner, []).append(call)
        return {owner: tuple(calls) for owner, calls in found.items()}

    def _owner(self, call: Called, dags: set[tuple[int, Place]]) -> tuple[int, Place] | None:
        stated = call.site("dag")
        if stated is not None:
            stated = self.source.follow(stated)
            if stated.term[0] == "call":
                found = stated.view.module, Called(self.source, stated.view, stated.number).place
                return found if found in dags else None
        places = self.source.places(call.module)
        for owner in places.owners(call.place):
            for part in owner.parts:
                place = self._made(call.module, part, call.place, owner)
                if place is not None and (call.module, place) in dags:
                    return call.module, place
        return None

    def _made(self, module: int, part: ast.expr, before: Place, owner: Owner) -> Place | None:
        """The place of the call in a `with` or a decorator, or of the one that the name there was given."""
        places = self.source.places(module)
        if isinstance(part, ast.Call):
            return places.place(part)
        return places.assigned(part.id, before) if isinstance(part, ast.Name) and owner.kind == "with" else None

    @cached_property
    def _decorated(self) -> dict[tuple[int, Place], str]:
        """The names of the functions that are decorated by a call, by its place."""
        found: dict[tuple[int, Place], str] = {}
        for module in self.source.asked:
            facts = self.source.linked.modules[module]
            for function in facts.functions:
                for decorator in function.decorators:
                    if facts.terms[decorator][0] == "call":
                        site = Site(self.source.engine.view(module, 0), decorator)
                        found[module, Called(self.source, *site).place] = function.name
        return found
