"""Celery beat: the entries of beat_schedule and the calls of add_periodic_task."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.domain.schedule import Busy, Dialect, Firing, Retained, Schedule
from anchorlint.domain.span import Span
from anchorlint.python.schedules.celery_settings import Settings
from anchorlint.python.schedules.celery_tasks import Tasks
from anchorlint.python.schedules.constants import argument, field, outside, seconds, text
from anchorlint.python.schedules.found import Found
from anchorlint.python.schedules.source import Called, Entry, Site, Source
from anchorlint.python.value import Value, plain

_BEAT = re.compile(r"(celery_?)?beat_?schedule", re.IGNORECASE)
# The order in which crontab() takes them, and that of a cron expression.
_TAKEN = ("minute", "hour", "day_of_week", "day_of_month", "month_of_year")
_WRITTEN = ("minute", "hour", "day_of_month", "month_of_year", "day_of_week")
_SURELY_BY_POSITION = 2  # the others have changed places between versions


def read(source: Source) -> Found:
    """The periodic tasks of every application."""
    return _Celery(source).found()


class _Celery:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.settings = Settings(source)
        self.tasks = Tasks(source)
        self.skipped: list[tuple[str, int, str]] = []

    def found(self) -> Found:
        seen: dict[tuple[Span, str], Schedule] = {}
        for schedule in (*self._entries(), *self._added()):
            seen.setdefault((schedule.span, schedule.id), schedule)
        return Found(tuple(seen.values()), skipped=tuple(self.skipped))

    # beat_schedule

    def _entries(self) -> Iterator[Schedule]:
        for site in self.settings.mappings(_BEAT):
            for entry in self.source.entries(site):
                yield from self._entry(entry)
        for name, entry in self._single():
            yield from self._entry(entry, name)

    def _single(self) -> Iterator[tuple[str, Entry]]:
        """Entries that are added one by one: `app.conf.beat_schedule["name"] = {…}`."""
        for view in self.source.views():
            for event in view.events("set"):
                target = view.terms[event.a]
                # Whose entry it is costs a look at most, what its key is may have to be worked out.
                if target[0] != "sub" or not self.settings.is_named(Site(view, target[1]), _BEAT):
                    continue
                if (name := text(view.value(target[2]))) is not None:
                    mapping = Site(view, event.b)
                    place = self.source.follow(mapping).term
                    if place[0] == "map":
                        yield name, Entry(self.source, name, mapping, mapping, place[2:6])

    def _entry(self, entry: Entry, name: str | None = None) -> Iterator[Schedule]:
        parts = {part.key: part for part in self.source.entries(entry.site)}
        if "task" not in parts or "schedule" not in parts:
            return
        task, when = self.tasks.name(parts["task"].value), parts["schedule"]
        options = {part.key: part for part in self.source.entries(parts["options"].site)} if "options" in parts else {}
        firing = self._firing(when.value, when.span, entry.site.view.module)
        if task is None or firing is None:
            self._pass_over(when.span, f"the schedule of {entry.key}")
            return
        given = [parts[key].value for key in ("args", "kwargs") if key in parts]
        span, id_span = (entry.span, entry.key_span) if name is None else (when.span, parts["task"].span)
        yield self._schedule(entry.key, task, firing, span, id_span, given, "expires" in options)

    # add_periodic_task

    def _added(self) -> Iterator[Schedule]:
        for call in self.source.calls:
            if call.method == "add_periodic_task":
                for turn in call.turned(call.value("schedule", 0), call.value("sig", 1), call.value("name")):
                    yield from self._periodic(turn)

    def _periodic(self, call: Called) -> Iterator[Schedule]:
        signature, when = call.value("sig", 1), call.value("schedule", 0)
        if signature is None or when is None:
            return
        task, given = self._signature(signature)
        firing = self._firing(when, call.argument_span("schedule", 0), call.module)
        if task is None or firing is None:
            self._pass_over(call.span, "a periodic task")
            return
        given = given or [v for v in (call.value("args"), call.value("kwargs")) if v is not None]
        name = text(call.value("name")) or task
        id_span = call.argument_span("name" if call.site("name") else "sig", 1)
        yield self._schedule(name, task, firing, call.span, id_span, given, call.site("expires") is not None)

    def _signature(self, value: Value) -> tuple[str | None, list[Value]]:
        """The task that a signature names, and the arguments that it carries."""
        if value.kind == "result" and value.args[0].kind == "attr":
            base, name = value.args[0].args
            if name in ("s", "si", "signature", "subtask"):
                return self.tasks.name(plain(base)), [*value.args[1], *(v for _, v in value.args[2])]
        called = outside(value)
        if called is not None and called[0].rpartition(".")[2] in ("signature", "Signature"):
            return self.tasks.name(argument(value, "varies", 0) or argument(value, "task", 0)), [*value.args[1][1:]]
        return self.tasks.name(value), []

    # both

    def _firing(self, value: Value, span: Span, module: int) -> Firing | None:
        called = outside(value)
        last = called[0].rpartition(".")[2] if called and called[0].startswith("celery.") else ""
        if last == "crontab":
            expression = _crontab(value)
            zone = self.settings.zone(module)
            return Firing(dialect=Dialect.CELERY, expression=expression, span=span, zone=zone) if expression else None
        if last == "schedule":
            every_s = seconds(argument(value, "run_every", 0))
        else:
            every_s = seconds(value) if value.kind == "lin" else None
        if every_s is None:
            return None
        return Firing(dialect=Dialect.INTERVAL, expression=f"{every_s:g} s", span=span, every_s=every_s)

    def _schedule(
        self, id_: str, task: str, firing: Firing, span: Span, id_span: Span, given: list[Value], expires: bool
    ) -> Schedule:
        function = self.tasks.function(task)
        same = "".join(f" {value!r}" for value in given if value.kind not in ("seq", "map") or value.args[-1])
        return Schedule(
            id=id_,
            format="celery",
            span=span,
            id_span=id_span,
            workflow=f"celery::{task}{same}",
            scope="celery",
            firing=firing,
            zone=firing.zone,
            busy=Busy.SKIP if expires else Busy.ALLOW,
            reads=self._reads(task),
            entrypoint=function.entrypoint if function else None,
            recorded_as=tuple(dict.fromkeys((task, *((function.name,) if function else ())))),
        )

    def _reads(self, task: str) -> tuple[Retained, ...]:
        from anchorlint.python.schedules.celery_results import reads

        return reads(self.source, self.tasks, self.settings, task)

    def _pass_over(self, span: Span, what: str) -> None:
        self.skipped.append((span.path, span.start.line, f"{what} is made while it runs, not checked"))


def _crontab(value: Value) -> str | None:
    """The five fields of a crontab() in the order of cron; None where one is no constant."""
    args, kwargs = value.args[1], value.args[2]
    if len(args) > _SURELY_BY_POSITION or any(key == "**" for key, _ in kwargs):
        return None
    fields = {}
    for number, name in enumerate(_TAKEN):
        given = argument(value, name, number)
        fields[name] = "*" if given is None else field(given)
    if any(written is None for written in fields.values()):
        return None
    return " ".join((fields[name] or "").replace(" ", "") or "*" for name in _WRITTEN)


