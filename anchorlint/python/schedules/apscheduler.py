"""APScheduler 3: jobs by add_job and @scheduled_job, with triggers as words or as objects."""

from __future__ import annotations

from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.domain.span import Span
from anchorlint.python.link import Ref
from anchorlint.python.schedules.constants import argument, field, number, outside, put, text, zone_name
from anchorlint.python.schedules.found import Found
from anchorlint.python.schedules.source import Called, Source
from anchorlint.python.value import Value

_FIELDS = ("year", "month", "day", "week", "day_of_week", "hour", "minute", "second")
_UNITS_S = {"weeks": 604800, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}
_METHODS = ("add_job", "scheduled_job")


def read(source: Source) -> Found:
    """The jobs of every scheduler."""
    schedules: list[Schedule] = []
    skipped: list[tuple[str, int, str]] = []
    for call in source.calls:
        if call.method not in _METHODS:
            continue
        values = [call.value(name, number) for name, number in (("func", 0), ("trigger", 1), ("id", None))]
        for turn in call.turned(*values, *(call.view.value(n) for _, n in call.term[3])):
            job = _Job(source, turn)
            if job.trigger is not None:
                firing = job.firing()
                if firing is None:
                    skipped.append((turn.span.path, turn.span.start.line, "a job whose trigger is made while it runs"))
                else:
                    schedules.append(job.schedule(firing))
    return Found(tuple(schedules), skipped=tuple(skipped))


class _Job:
    def __init__(self, source: Source, call: Called) -> None:
        self.source = source
        self.call = call
        self.first = 1 if call.method == "add_job" else 0
        self.trigger = self._trigger()

    def _trigger(self) -> tuple[str, Value | None] | None:
        """cron or interval, and the trigger object if it is one; None for anything else."""
        given = self.call.value("trigger", self.first)
        word = text(given)
        if word in ("cron", "interval"):
            return word, None
        called = outside(given)
        if called is None or not called[0].startswith("apscheduler.") or given is None:
            return None
        if "CronTrigger" in called[0]:
            return "cron", given
        return ("interval", given) if called[0].endswith(".IntervalTrigger") else None

    def firing(self) -> Firing | None:
        """When it fires; None where an argument is no constant."""
        assert self.trigger
        kind, given = self.trigger
        if given is not None and outside(given) is not None and outside(given)[0].endswith(".from_crontab"):  # type: ignore[index]
            expression = text(argument(given, "expr", 0))
        elif kind == "interval":
            return self._interval(given)
        else:
            expression = self._keywords(given)
        if expression is None:
            return None
        span = self.call.argument_span("trigger", self.first)
        return Firing(dialect=Dialect.APSCHEDULER, expression=expression, span=span, zone=self._zone(given),
                      jitter_s=self._jitter(given))  # fmt: skip

    def _given(self, given: Value | None, name: str) -> Value | None:
        return self.call.value(name) if given is None else argument(given, name, None)

    def _keywords(self, given: Value | None) -> str | None:
        stated = {name: value for name in _FIELDS if (value := self._given(given, name)) is not None}
        stated = {name: value for name, value in stated.items() if value.kind != "none"}
        written = {name: field(value) for name, value in stated.items()}
        if any(value is None for value in written.values()) or (given is not None and given.args[1]):
            return None
        if self.call.is_open and given is None:
            return None
        # Without any field all of them are stars.
        return "; ".join(f"{name}={value}" for name, value in written.items()) or "second=*"

    def _interval(self, given: Value | None) -> Firing | None:
        if (self.call.is_open and given is None) or (given is not None and given.args[1]):
            return None
        every_s = 0.0
        for name, unit_s in _UNITS_S.items():
            value = self._given(given, name)
            if value is not None:
                count = number(value)
                if count is None:
                    return None
                every_s += count * unit_s
        span = self.call.argument_span("trigger", self.first)
        every_s = every_s or 1.0  # as IntervalTrigger has it
        return Firing(dialect=Dialect.INTERVAL, expression=f"{every_s:g} s", span=span, every_s=every_s,
                      jitter_s=self._jitter(given))  # fmt: skip

    def _jitter(self, given: Value | None) -> float:
        return number(self._given(given, "jitter")) or 0.0

    def _zone(self, given: Value | None) -> str:
        """The zone of the trigger, else of its scheduler, else that of the machine, of which nothing is known."""
        own = zone_name(self._given(given, "timezone"))
        if own is None and self.call.receiver is not None:
            receiver = self.call.receiver
            made = put(self.source.engine, receiver.view.value(receiver.number), self.call.turn)
            own = zone_name(argument(made, "timezone", None)) if outside(made) is not None else None
        return own or "UTC"

    def _function(self) -> Ref | None:
        if self.call.method == "add_job":
            value = self.call.value("func", 0)
            return Ref("fn", value.args[0], value.args[1]) if value is not None and value.kind == "fn" else None
        for module in (self.call.module,):
            facts = self.source.linked.modules[module]
            for at, function in enumerate(facts.functions):
                if self.call.number in function.decorators:
                    return Ref("fn", module, at)
        return None

    def schedule(self, firing: Firing) -> Schedule:
        """The job as a schedule; jobs of one function with the same arguments do the same work."""
        ref = self._function()
        function = self.source.linked.function(ref) if ref else None
        name = text(self.call.value("id")) or text(self.call.value("name"))
        dotted = f"{self.source.linked.dotted[ref.module]}:{function.qualname}" if ref and function else None
        arguments = [self.call.value(key) for key in ("args", "kwargs")]
        same = "".join(f" {value!r}" for value in arguments if value is not None)
        place = f"{self.call.span.path}:{self.call.span.start.line}"
        several = (number(self.call.value("max_instances")) or 1) > 1
        return Schedule(
            id=name or (function.name if function else self._said()),
            format="apscheduler",
            span=self.call.span,
            id_span=self._id_span(),
            workflow=f"apscheduler::{dotted or place}{same}",
            scope=self.source.path(self.call.module),
            firing=firing,
            zone=firing.zone,
            busy=Busy.ALLOW if several else Busy.SKIP,
            entrypoint=dotted,
            recorded_as=(function.name,) if function else (),
        )

    def _said(self) -> str:
        """The last word of a function that is not of this project, or words for the place."""
        site = self.call.site("func", 0)
        term = site.term if site is not None and self.first else ("",)
        return str(term[2]) if term[0] == "attr" else f"the job in line {self.call.span.start.line}"

    def _id_span(self) -> Span:
        for name in ("id", "name"):
            if self.call.site(name) is not None:
                return self.call.argument_span(name)
        return self.call.argument_span("func", 0) if self.first else self.call.span


