"""The days on which a clock change meets a schedule, with what its engine does then."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from anchorlint.manifests.calendar.dates import dates
from anchorlint.manifests.calendar.dialects import dialects
from anchorlint.manifests.calendar.expansion import clock_of, handling, placed, runs
from anchorlint.manifests.calendar.pattern import Pattern
from anchorlint.manifests.calendar.zones import Change, Clock

_DAY_S = 86400
_SEARCH_S = 100 * _DAY_S
_ZERO = datetime(1970, 1, 1, tzinfo=UTC)

Effect = Literal["dropped", "moved", "once", "twice", "lost", "unknown"]


class Hazard(msgspec.Struct, frozen=True):
    """A local time that a clock change leaves out or shows twice, or that an engine misses because of it.

    missed: the clock shows it once, some time after the change, but the engine's search passes over it (APScheduler).
    `local` is the first such time (HH:MM, with :SS where it has seconds) and `count` how many of that date are hit.
    `shown` are the instants that show `local` (none if skipped), `instants` those at which the engine runs it.
    `effect`: dropped = not run, moved = run later, once or twice = so often, lost = an engine that goes by wall times
    leaves out the second pass of a schedule that otherwise runs every hour, unknown = nobody documents it.
    """

    date: date
    kind: Literal["skipped", "doubled", "missed"]
    local: str
    count: int
    shown: tuple[datetime, ...]
    instants: tuple[datetime, ...]
    effect: Effect
    sentence: str


def hazards(pattern: Pattern, zone: str | ZoneInfo, start: datetime, end: datetime) -> list[Hazard]:
    """Every hazard of a clock change from `start` (inclusive) to `end` (exclusive), both aware, ascending.

    Schedules of every hour or every few minutes have none, unless the engine loses a pass of the doubled hour.
    """
    if pattern.every_s is not None or pattern.at is not None or pattern.never or pattern.floating:
        return []
    local = clock_of(pattern, zone, start.date() - timedelta(days=2), end.date() + timedelta(days=2))
    first, last = start.timestamp(), end.timestamp()
    found = (_hazards_at(pattern, zone, local, change) for change in local.changes if first <= change.instant < last)
    hit = [hazard for at_change in found for hazard in at_change]
    if pattern.dialect == "apscheduler" and pattern.fixed_hours:
        hit += [hazard for change in local.changes if change.skips and first <= change.instant < last
                for hazard in _missed(pattern, zone, change)]  # fmt: skip
    return sorted(hit, key=lambda hazard: hazard.date)


def _missed(pattern: Pattern, zone: str | ZoneInfo, change: Change) -> list[Hazard]:
    """What lies in the first hour of a later day or month and is left out, because the search lands after it."""
    low, high = change.reach - change.after_s, change.instant + _SEARCH_S
    run = {at for _, instants in runs(pattern, zone, low, high) for at in instants}
    wall = msgspec.structs.replace(pattern, dialect="native")
    named = [at for _, instants in runs(wall, zone, low, high) for at in instants]
    # The next change is a matter of its own.
    lost = [at for at in named if at not in run and at < max(run, default=0)]
    if not lost:
        return []
    shown = _ZERO + timedelta(seconds=lost[0] + change.after_s)
    sentence = "APScheduler searches past the clock change, lands late and leaves it out"
    local, at = f"{shown:%H:%M}", _ZERO + timedelta(seconds=lost[0])
    return [Hazard(shown.date(), "missed", local, len(lost), (at,), (), "dropped", sentence)]


def _hazards_at(pattern: Pattern, zone: str | ZoneInfo, local: Clock, change: Change) -> list[Hazard]:
    if not pattern.fixed_hours and (change.skips or handling(pattern).fold == "both"):
        return []
    first, last = _day(change.low), _day(change.high - 1)
    found = []
    for ordinal in dates(pattern, first, last):
        day = date.fromordinal(ordinal)
        midnight = (day - _ZERO.date()).days * _DAY_S
        hit = [midnight + time for time in pattern.times if change.low <= midnight + time < change.high]
        # A job of every few minutes in those hours misses some of its runs, which is no matter, unless it misses all.
        if hit and (_fixed_minutes(pattern) or len(hit) == len(pattern.times)):
            instants = placed(hit[0], local, handling(pattern))
            if pattern.dialect == "apscheduler":
                # Its search can pass over what the wall clock would give it.
                run = {at for _, near in runs(pattern, zone, hit[0] - 2 * _DAY_S, hit[0] + 2 * _DAY_S) for at in near}
                instants = tuple(instant for instant in instants if instant in run)
            found.append(_hazard(pattern, local, change, (day, hit), instants))
    return found


def _fixed_minutes(pattern: Pattern) -> bool:
    minute = pattern.field("minute")
    return minute is None or not any(sign in minute.text for sign in "*/")


def _day(local: int) -> date:
    return (_ZERO + timedelta(seconds=local)).date()


def _hazard(
    pattern: Pattern, local: Clock, change: Change, where: tuple[date, list[int]], instants: tuple[int, ...]
) -> Hazard:
    day, hit = where
    effect = _effect(pattern, change, instants)
    time = _ZERO + timedelta(seconds=hit[0])
    text = time.strftime("%H:%M:%S" if time.second else "%H:%M")
    return Hazard(
        date=day,
        kind="skipped" if change.skips else "doubled",
        local=text,
        count=len(hit),
        shown=tuple(_ZERO + timedelta(seconds=instant) for instant in local.instants(hit[0])),
        instants=tuple(_ZERO + timedelta(seconds=instant) for instant in instants),
        effect=effect,
        sentence=_sentence(pattern, change, text, instants, effect),
    )


def _effect(pattern: Pattern, change: Change, instants: tuple[int, ...]) -> Effect:
    row = dialects().get(pattern.dialect)
    if row is not None and not row.known:
        return "unknown"
    if change.skips:
        return "moved" if instants else "dropped"
    if len(instants) == 2:
        return "twice"
    return "once" if pattern.fixed_hours else "lost"


def _sentence(pattern: Pattern, change: Change, text: str, instants: tuple[int, ...], effect: Effect) -> str:
    row = dialects().get(pattern.dialect)
    engine = row.title if row else "systemd"
    wall = [_wall(instant, change) for instant in instants]
    if effect == "unknown":
        return "engines leave such a run out or start it late" if change.skips else "engines run it once or twice"
    if effect == "dropped":
        return f"{engine} does not run it that day"
    if effect == "moved":
        return f"{engine} runs it at {wall[0]}"
    if effect == "twice":
        return f"{engine} runs it twice, at {wall[0]} and {wall[1]}"
    which = "first" if instants and instants[0] < change.instant else "second"
    left = "second" if which == "first" else "first"
    if effect == "lost":
        return f"{engine} runs only in the {which} of the two, the {left} {text} is left out"
    return f"{engine} runs it once, at the {which} {text} ({wall[0]})"


def _wall(instant: int, change: Change) -> str:
    offset = change.after_s if instant >= change.instant else change.before_s
    sign, minutes = "-" if offset < 0 else "+", abs(offset) // 60
    shown = _ZERO + timedelta(seconds=instant + offset)
    return f"{shown:%H:%M}{sign}{minutes // 60:02}:{minutes % 60:02}"
