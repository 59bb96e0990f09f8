"""Lays out a stretch of a timetable: which bars, collisions, links, deadlines and clock changes a picture shows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from math import ceil

from anchorlint.domain.duration import spoken
from anchorlint.domain.schedule import Schedule
from anchorlint.manifests import calendar, saying
from anchorlint.manifests.calendar.zones import clock
from anchorlint.manifests.firing import instants, pattern
from anchorlint.manifests.paths import Start, Starts
from anchorlint.manifests.record import Record
from anchorlint.manifests.timetable import AHEAD, Timetable
from anchorlint.report.timeline_parts import Bar, Collision, Limit, Link, Row, Timeline

MOST_BARS = 300  #: firings of one schedule that are drawn one by one


def timeline(timetable: Timetable, paths: Collection[str], days: int = 1) -> Timeline:
    """The schedules in these files on the first `days` days from `as_of` on in which one fires."""
    return _Drawing(timetable, paths, days).timeline()


class _Drawing:
    def __init__(self, timetable: Timetable, paths: Collection[str], days: int) -> None:
        self.timetable = timetable
        shown = [one for one in timetable.enabled if one.span.path in paths and _zone_is_known(one)]
        lanes = dict.fromkeys(schedule.workflow for schedule in shown)
        self.lanes = tuple(lanes)
        self.schedules = [schedule for lane in lanes for schedule in shown if schedule.workflow == lane]
        self.rows = {id(schedule): row for row, schedule in enumerate(self.schedules)}
        zones = {one.zone for one in self.schedules if one.firing is None or one.firing.every_s is None}
        self.zone = zones.pop() if len(zones) == 1 else "UTC"
        self.starts = {zone: Starts(timetable, zone, _usual) for zone in {s.zone for s in self.schedules}}
        self.start_s = self._first_s()
        self.end_s = self.start_s + days * 86400
        self.critical = self._critical_path()

    def _first_s(self) -> int:
        """Midnight of the day on which something first fires from `as_of` on."""
        since = int(self.timetable.as_of.timestamp())
        coming = [at[bisect_left(at, since) :][:1] for at in map(self._instants, self.schedules)]
        found = [at[0] for at in coming if at]
        first = datetime.fromtimestamp(min(found, default=since), UTC).astimezone(calendar.zone(self.zone))
        return int(datetime.combine(first.date(), time(), calendar.zone(self.zone)).timestamp())

    def _instants(self, schedule: Schedule) -> Sequence[int]:
        return () if self._is_started(schedule) else instants(self.timetable, schedule)

    def _is_started(self, schedule: Schedule) -> bool:
        """Whether a schedule starts at the end of others and not by its own clock."""
        named = schedule.dependency.prerequisites if schedule.dependency and not schedule.dependency.any_of else ()
        return bool(named) and not (schedule.firing is not None and any(one.partial for one in named))

    def _within(self, schedule: Schedule) -> list[Start]:
        if self._is_started(schedule):
            if self.timetable.graph.behind_ring(schedule):
                return []
            found = self.starts[schedule.zone].of(schedule).values()
            return [start for start in found if self.start_s <= start.at_s < self.end_s]
        at = self._instants(schedule)
        low, high = bisect_left(at, self.start_s), bisect_left(at, self.end_s)
        return [Start(instant, instant) for instant in at[low:high]]

    def _length_s(self, schedule: Schedule) -> float:
        return _usual(self.timetable.record(schedule))

    def _critical_path(self) -> tuple[Start, Schedule] | None:
        """The dependent that is usually over last within the days shown, and the path that leads to it."""
        found = [
            (start, schedule)
            for schedule in self.schedules
            if self._is_started(schedule)
            for start in self._within(schedule)
            if start.path
        ]
        return max(found, key=lambda each: each[0].at_s + self._length_s(each[1]), default=None)

    def timeline(self) -> Timeline:
        starts = {row: self._within(schedule) for row, schedule in enumerate(self.schedules)}
        bands = {row for row, found in starts.items() if len(found) > MOST_BARS}
        bars = [
            Bar(row, start.at_s, self._length_s(self.schedules[row]), self._is_critical(row, start.at_s))
            for row, found in starts.items()
            if row not in bands
            for start in found
        ]
        collisions = tuple(self._collisions(bars))
        limits = tuple(self._limits(starts))
        begun, ended = self._cropped(bars, limits, bool(bands))
        return Timeline(
            start_s=begun,
            end_s=ended,
            zone=self.zone,
            lanes=tuple(lane.rpartition("::")[2] for lane in self.lanes),
            rows=tuple(self._row(schedule, row in bands) for row, schedule in enumerate(self.schedules)),
            bars=tuple(bars),
            collisions=collisions,
            links=tuple(self._links(bars)),
            limits=limits,
            changes=tuple(change for change in self._changes(_instant(ended)) if begun <= change[0]),
            notes=(*self._collision_notes(collisions), *self._path_notes(), *self._change_notes()),
        )

    def _row(self, schedule: Schedule, band: bool) -> Row:
        record, said = self.timetable.record(schedule), []
        found = pattern(schedule)
        if found is not None and found.every_s is not None:
            said.append(f"every {spoken(found.every_s)}")
        elif band and found is not None:
            said.append(calendar.describe(found))
        said.append(f"p95 {spoken(record.p95_s)} of {len(record.lengths_s)}" if record.lengths_s else "no runs")
        deadline = schedule.dependency.deadline if schedule.dependency else None
        if deadline is not None and deadline.fault is None:
            said.append(f"by {deadline.text}" if deadline.minute is not None else f"within {deadline.text}")
        return Row(schedule.name, self.lanes.index(schedule.workflow), ", ".join(said), band)

    def _is_critical(self, row: int, at_s: float) -> bool:
        if self.critical is None:
            return False
        start, last = self.critical
        if self.schedules[row] is last:
            return at_s == start.at_s
        return any(self.schedules[row] is before for before in start.path) and start.begun_s <= at_s < start.at_s

    def _collisions(self, bars: list[Bar]) -> Iterator[Collision]:
        """Each firing into a run of its workflow that still goes on, with the run that began last before it."""
        lanes: dict[str, list[Bar]] = {}
        for bar in sorted(bars, key=lambda bar: (bar.at_s, bar.row)):
            lanes.setdefault(self.schedules[bar.row].workflow, []).append(bar)
        for lane in lanes.values():
            longest_s = max(bar.length_s for bar in lane)
            for place, bar in enumerate(lane):
                for before in reversed(lane[:place]):
                    if before.at_s + longest_s <= bar.at_s:
                        break
                    if before.end_s > bar.at_s and not self._are_related(before.row, bar.row):
                        yield Collision(bar.row, before.row, bar.at_s)
                        break

    def _are_related(self, one: int, other: int) -> bool:
        return one != other and self.timetable.graph.related(self.schedules[one], self.schedules[other])

    def _links(self, bars: list[Bar]) -> Iterator[Link]:
        """From the last run of each prerequisite that has ended before a dependent starts to that start."""
        by_row: dict[int, list[Bar]] = {}
        for bar in bars:
            by_row.setdefault(bar.row, []).append(bar)
        for bar in bars:
            for before in self.timetable.graph.before(self.schedules[bar.row]):
                runs = by_row.get(self.rows.get(id(before), -1), ())
                run = max((one for one in runs if one.at_s <= bar.at_s), key=lambda one: one.at_s, default=None)
                if run is not None:
                    yield Link(run.row, min(run.end_s, bar.at_s), bar.row, bar.at_s, bar.critical and run.critical)

    def _limits(self, starts: dict[int, list[Start]]) -> Iterator[Limit]:
        """The deadlines that lie within the days drawn."""
        return (limit for limit in self._all_limits(starts) if self.start_s <= limit.at_s < self.end_s)

    def _all_limits(self, starts: dict[int, list[Start]]) -> Iterator[Limit]:
        for row, found in starts.items():
            schedule = self.schedules[row]
            deadline = schedule.dependency.deadline if schedule.dependency else None
            if deadline is None or not calendar.valid_zone(deadline.zone):
                continue
            for start in found:
                if deadline.within_s is not None:
                    yield Limit(row, start.at_s + deadline.within_s, False)
                elif deadline.minute is not None:
                    place = calendar.zone(deadline.zone)
                    day = datetime.fromtimestamp(start.begun_s, UTC).astimezone(place).date()
                    at_s = datetime.combine(day, time(*divmod(deadline.minute, 60)), place).timestamp()
                    yield Limit(row, at_s, start.at_s > at_s)

    def _cropped(self, bars: Sequence[Bar], limits: Sequence[Limit], whole: bool) -> tuple[int, int]:
        """The full hours of a single day in which something is drawn, of several days all."""
        if whole or not bars or self.end_s - self.start_s > 86400:
            return self.start_s, self.end_s
        ends = [*(bar.end_s for bar in bars), *(limit.at_s for limit in limits)]
        first, last = min(bar.at_s for bar in bars), max(ends)
        begun = self.start_s + int(first - self.start_s) // 3600 * 3600
        ended = self.start_s + ceil((last - self.start_s) / 3600) * 3600
        return begun, min(max(ended, begun + 3600), self.end_s)

    def _changes(self, end: datetime) -> list[tuple[int, str]]:
        """The clock changes of every zone in use up to an instant, each with words."""
        found: dict[tuple[int, str], None] = {}
        first = datetime.fromtimestamp(self.start_s, UTC)
        for zone in sorted({s.zone for s in self.schedules}):
            for change in clock(zone, first.year - 1, end.year + 1).changes:
                if self.start_s <= change.instant < end.timestamp():
                    length = spoken(abs(change.after_s - change.before_s))
                    moved = f"clocks of {zone} go {'forward' if change.skips else 'back'} by {length}"
                    found[change.instant, f"{saying.instant(change.instant - 1, zone)}: {moved}"] = None
        return sorted(found)

    def _collision_notes(self, collisions: Sequence[Collision]) -> Iterator[str]:
        told: dict[tuple[int, int], list[float]] = {}
        for collision in collisions:
            told.setdefault((collision.into, collision.row), []).append(collision.at_s)
        for (into, row), at in told.items():
            length = spoken(self._length_s(self.schedules[into]))
            times = "" if len(at) == 1 else f", {len(at)} times"
            said = f"{self.schedules[row].name} fires into {self.schedules[into].name} (p95 {length})"
            yield f"collision: {said} {saying.instant(at[0], self.zone)}{times}"

    def _path_notes(self) -> Iterator[str]:
        if self.critical is not None:
            start, last = self.critical
            end_s = start.at_s + self._length_s(last)
            names = " > ".join(schedule.name for schedule in (*start.path, last))
            begun, ended = saying.instant(start.begun_s, self.zone), saying.instant(end_s, self.zone)
            yield f"critical path: {names}: {spoken(end_s - start.begun_s)}, from {begun} to {ended}"

    def _change_notes(self) -> Iterator[str]:
        end = self.timetable.as_of + AHEAD
        for instant, said in self._changes(end):
            about = datetime.fromtimestamp(instant, UTC)
            hit = [s.name for s in self.schedules if self._is_hit(s, about)]
            yield f"{said}; it meets {', '.join(hit)}" if hit else said

    def _is_hit(self, schedule: Schedule, about: datetime) -> bool:
        """Whether the engine of a schedule skips or doubles a firing at a clock change."""
        found = None if self._is_started(schedule) else pattern(schedule)
        if found is None or schedule.firing is None:
            return False
        span = timedelta(hours=1)
        met = calendar.hazards(found, schedule.firing.zone, about - span, about + span)
        return any(hazard.effect not in ("moved", "once") for hazard in met)


def _instant(epoch_s: float) -> datetime:
    return datetime.fromtimestamp(epoch_s, UTC)


def _usual(record: Record) -> float:
    return record.p95_s if record.lengths_s else 0.0


def _zone_is_known(schedule: Schedule) -> bool:
    return calendar.valid_zone(schedule.zone) and (schedule.firing is None or calendar.valid_zone(schedule.firing.zone))
