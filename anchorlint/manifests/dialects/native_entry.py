"""One entry of a native manifest: its values, checked for their types, as a schedule."""

from __future__ import annotations

import re

from anchorlint.documents import Entry, Kind, Node
from anchorlint.domain.schedule import (
    Busy,
    Deadline,
    Dependency,
    Dialect,
    Firing,
    Flaw,
    Prerequisite,
    Schedule,
    Stated,
)
from anchorlint.manifests import deadlines, durations

KEYS = (
    "id",
    "workflow",
    "cron",
    "every",
    "timezone",
    "enabled",
    "after_schedule_id",
    "after_schedule_ids",
    "after_terminal_status",
    "after_delay_minutes",
    "dependency_deadline",
    "on_busy",
    "entrypoint",
)
_BUSY = {"skip": Busy.SKIP, "queue": Busy.QUEUE, "fail": Busy.FAIL}
_ENTRYPOINT = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


class NativeEntry:
    """One mapping of the list with the defaults below it; `flaws` fills while `schedule` reads."""

    def __init__(self, node: Node, defaults: Node | None, path: str) -> None:
        self.node = node
        self.path = path
        self.own = _written(node)
        self.values = {**_written(defaults), **self.own} if defaults else self.own
        self.flaws: list[Flaw] = []

    def schedule(self) -> Schedule:
        """The schedule of this entry; what cannot be read is left out and stands in `flaws`."""
        id_ = self._id()
        zone_entry = self.values.get("timezone")
        zone = self._text("timezone") or "UTC"
        dependency = self._dependency(zone)
        schedule = Schedule(
            id=id_,
            format="native",
            span=self.node.span,
            id_span=self.own["id"].node.span if "id" in self.own else self.node.span,
            workflow=f"{self.path}::{self._text('workflow') or id_ or self.node.span.start.line}",
            scope=self.path,
            firing=self._firing(zone),
            zone=zone,
            zone_span=zone_entry.node.span if zone_entry else None,
            enabled=self._enabled(),
            busy=self._busy(),
            dependency=dependency,
            entrypoint=self._entrypoint(),
        )
        self._check_whole(schedule)
        return schedule

    def _flaw(self, message: str, at: Entry | Node, advice: str | None = None) -> None:
        span = at.span if isinstance(at, Node) or at.node.kind is Kind.NULL else at.node.span
        self.flaws.append(Flaw(code="SCH418", message=message, span=span, help=advice))

    def _text(self, key: str) -> str | None:
        """The text under `key`, None if it says nothing; another type is a flaw."""
        entry = self.values.get(key)
        if entry is None or entry.node.kind is Kind.TEXT:
            return entry.node.raw if entry else None
        self._flaw(f"{key} is {entry.node.kind.said}, not text", entry, "put it in quotes")
        return None

    def _id(self) -> str:
        """The id; a number or the like is a flaw and still names the schedule."""
        entry = self.own.get("id")
        return self._text("id") or (entry.node.raw if entry else "")

    def _enabled(self) -> bool:
        entry = self.values.get("enabled")
        if entry is not None and entry.node.kind is not Kind.BOOLEAN:
            self._flaw(f"enabled is {entry.node.kind.said}, not true or false", entry)
            return True
        return entry is None or bool(entry.node.value)

    def _busy(self) -> Busy:
        entry = self.values.get("on_busy")
        if entry is None:
            return Busy.SKIP
        if entry.node.text not in _BUSY:
            self._flaw(f'on_busy is "{entry.node.raw}", not skip, queue or fail', entry)
        return _BUSY.get(entry.node.text or "", Busy.SKIP)

    def _entrypoint(self) -> str | None:
        entry = self.values.get("entrypoint")
        if entry is None:
            return None
        if entry.node.text is None or not _ENTRYPOINT.fullmatch(entry.node.text):
            self._flaw(f'entrypoint "{entry.node.raw}" is not package.module:function', entry)
            return None
        return entry.node.text

    def _firing(self, zone: str) -> Firing | None:
        cron, every = self._text("cron"), self._text("every")
        if cron is not None:
            return Firing(dialect=Dialect.NATIVE, expression=cron, span=self.values["cron"].node.span, zone=zone)
        if every is None or "cron" in self.values:
            return None
        every_s = durations.seconds(every)
        span = self.values["every"].node.span
        return Firing(dialect=Dialect.INTERVAL, expression=every, span=span, zone=zone, every_s=every_s)

    def _dependency(self, zone: str) -> Dependency | None:
        legacy, listed = self.values.get("after_schedule_id"), self.values.get("after_schedule_ids")
        about = [self.own[key] for key in KEYS[8:11] if key in self.own]
        line = listed or legacy or next(iter(about), None)
        if line is None:
            return None
        old = self._text("after_schedule_id")
        return Dependency(
            span=line.span,
            legacy=Prerequisite(old or "", legacy.node.span) if legacy else None,
            listed=self._listed(listed) if listed else None,
            legacy_span=legacy.span if legacy else None,
            status=self._stated("after_terminal_status"),
            delay=self._stated("after_delay_minutes"),
            deadline=self._deadline(zone),
        )

    def _listed(self, entry: Entry) -> tuple[Prerequisite, ...]:
        if entry.node.kind is not Kind.SEQUENCE:
            self._flaw(f"after_schedule_ids is {entry.node.kind.said}, not a list", entry, "write [...] around it")
        items = entry.node.items if entry.node.kind is Kind.SEQUENCE else (entry.node,)
        for item in items:
            if item.kind is not Kind.TEXT:
                self._flaw(f"after_schedule_ids holds {item.kind.said}, not only ids", item)
        return tuple(Prerequisite(item.raw, item.span) for item in items if item.kind is not Kind.MAPPING)

    def _stated(self, key: str) -> Stated | None:
        entry = self.values.get(key)
        return Stated(entry.node.value, entry.node.kind.said, entry.node.span) if entry else None

    def _deadline(self, zone: str) -> Deadline | None:
        entry = self.values.get("dependency_deadline")
        if entry is None:
            return None
        if entry.node.kind in (Kind.TEXT, Kind.TIME):
            return deadlines.parse(entry.node.raw, entry.node.span, zone)
        return deadlines.unreadable(entry.node.kind.said, entry.node.span, zone)

    def _check_whole(self, schedule: Schedule) -> None:
        """What only the entry as a whole shows: no id, no way to fire, or two."""
        if "id" not in self.own:
            self._flaw("an entry without id: nothing can wait for it and no recorded run is its own", self.node)
        elif not schedule.id.strip():
            self._flaw("an empty id: nothing can wait for it and no recorded run is its own", self.own["id"])
        if "cron" in self.own and "every" in self.own:
            self._flaw(
                f"{schedule.name} has both cron and every, and nothing says which counts",
                self.own["every"],
                "keep the one that is meant",
            )
        if not {"cron", "every"} & self.values.keys() and schedule.dependency is None:
            self._flaw(
                f"{schedule.name} has no cron, no every and no prerequisites, so it never fires",
                self.node,
                'write a cron, a period such as every = "1h", or after_schedule_ids',
            )


def _written(node: Node) -> dict[str, Entry]:
    """The entries that say something: an empty value is as good as none."""
    return {key: entry for key, entry in node.effective().items() if entry.node.kind is not Kind.NULL}
