"""Time zones from the tzdata package alone, so that every machine gives the same answer, and their clock changes."""

from __future__ import annotations

import io
import pkgutil
from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from anchorlint.manifests.calendar.pattern import Invalid

# They load, but name no place and mean something else on every machine.
_NO_ZONES = frozenset({"Factory", "localtime", "posixrules"})
_DAY_S = 86400


class Change(msgspec.Struct, frozen=True):
    """A clock change: at `instant` (epoch seconds) the offset goes from `before_s` to `after_s` (seconds east)."""

    instant: int
    before_s: int
    after_s: int

    @property
    def low(self) -> int:
        """Where the odd stretch of the local clock begins, in local seconds since 1970."""
        return self.instant + min(self.before_s, self.after_s)

    @property
    def high(self) -> int:
        """Where the odd stretch of the local clock ends, in local seconds since 1970, exclusive."""
        return self.instant + max(self.before_s, self.after_s)

    @property
    def reach(self) -> int:
        """Where the last local time ends to which an engine may move what was left out."""
        return self.high + (self.high - self.low if self.skips else 0)

    @property
    def skips(self) -> bool:
        """Whether the stretch is left out; otherwise it comes twice."""
        return self.after_s > self.before_s


class Clock(msgspec.Struct, frozen=True):
    """The local clock over some years: its first offset and every change, ascending."""

    first_s: int
    changes: tuple[Change, ...]

    def offset(self, instant: int) -> int:
        """Seconds east of UTC at an instant (epoch seconds)."""
        place = bisect_right(self.changes, instant, key=lambda change: change.instant)
        return self.changes[place - 1].after_s if place else self.first_s

    def instants(self, local: int) -> tuple[int, ...]:
        """The instants that show a local time (seconds since 1970): none if skipped, two if doubled, ascending."""
        offsets = {self.first_s} | {change.after_s for change in self.changes}
        return tuple(sorted(local - offset for offset in offsets if self.offset(local - offset) == offset))

    def skipping(self, local: int) -> Change | None:
        """The change that leaves out this local time."""
        return next((change for change in self.changes if change.skips and change.low <= local < change.high), None)


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """Every zone name that the tzdata package has and that names a place or an offset."""
    text = (pkgutil.get_data("tzdata", "zones") or b"").decode("ascii")
    return frozenset(text.split()) - _NO_ZONES


def valid_zone(name: str) -> bool:
    """Whether `name` is a zone of the tz database, case and all."""
    return name in zone_names()


@lru_cache(maxsize=256)
def nearest_zone(name: str) -> str | None:
    """The zone that was probably meant, or None if nothing is near."""
    import difflib

    wanted = name.strip().replace(" ", "_").casefold()
    folded: dict[str, str] = {}
    for known in sorted(zone_names()):
        folded.setdefault(known.casefold(), known)
        folded.setdefault(known.rpartition("/")[2].casefold(), known)
    if wanted in folded:
        return folded[wanted]
    near = difflib.get_close_matches(wanted, folded, n=1, cutoff=0.75)
    return folded[near[0]] if near else None


@lru_cache(maxsize=1024)
def zone(name: str) -> ZoneInfo:
    """The zone of that name; raises Invalid, with the nearest name, if tzdata has none."""
    if not valid_zone(name):
        near = nearest_zone(name)
        raise Invalid(f'no time zone is named "{name}"' + (f', did you mean "{near}"?' if near else ""))
    data = pkgutil.get_data("tzdata", f"zoneinfo/{name}")
    return ZoneInfo.from_file(io.BytesIO(data or b""), key=name)


@lru_cache(maxsize=4096)
def _changes_in(name: str, year: int) -> tuple[Change, ...]:
    """The clock changes from 1 January (inclusive) to the next one (exclusive), both at 00:00 UTC."""
    place = zone(name)
    start = int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
    end = int(datetime(year + 1, 1, 1, tzinfo=UTC).timestamp())
    found = []
    before = _offset(place, start - 1)
    for day in range(start, end, _DAY_S):
        # The last second of the day: one step from the last, so that a change at its first second is found.
        after = _offset(place, day + _DAY_S - 1)
        if after != before:
            found.append(Change(_first_after(place, day - 1, day + _DAY_S - 1, before), before, after))
            before = after
    return tuple(found)


def _offset(place: ZoneInfo, instant: int) -> int:
    offset = datetime.fromtimestamp(instant, place).utcoffset()
    assert offset is not None
    return int(offset.total_seconds())


def _first_after(place: ZoneInfo, low: int, high: int, before: int) -> int:
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(place, middle) == before:
            low = middle
        else:
            high = middle
    return high


@lru_cache(maxsize=1024)
def clock(name: str, first_year: int, last_year: int) -> Clock:
    """The local clock of a zone over whole years (UTC); raises Invalid for an unknown zone."""
    place = zone(name)
    first_s = _offset(place, int(datetime(first_year, 1, 1, tzinfo=UTC).timestamp()) - 1)
    if name in ("UTC", "Etc/UTC"):
        return Clock(0, ())
    found: Sequence[Change] = [
        change for year in range(first_year, last_year + 1) for change in _changes_in(name, year)
    ]
    return Clock(first_s, tuple(found))
