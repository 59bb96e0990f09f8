"""How instants, gaps and names are said in the messages of the schedule rules."""

from __future__ import annotations

from datetime import UTC, datetime

from anchorlint.domain.duration import spoken
from anchorlint.manifests.calendar import zone

LONGEST = 120


def gap(seconds: float) -> str:
    """A gap between firings in words: `15 min`, `7 h`, else in the short form `1h30m`."""
    if seconds and seconds % 3600 == 0 and seconds < 3 * 86400:
        return f"{seconds / 3600:g} h"
    if seconds and seconds % 60 == 0 and seconds < 7200:
        return f"{seconds / 60:g} min"
    return spoken(seconds)


def instant(epoch_s: float, zone_name: str) -> str:
    """An instant on the clock of a zone: `2026-12-01 16:10 EST`."""
    local = datetime.fromtimestamp(epoch_s, UTC).astimezone(zone(zone_name))
    return f"{local:%Y-%m-%d %H:%M} {zone_abbreviation(local)}"


def clock_time(minutes: float) -> str:
    """A time of day from minutes after midnight: `16:10`, seconds only where they are not 0; next days as `+1d`."""
    days, rest = divmod(round(minutes * 60), 86400)
    hour, second = divmod(rest, 3600)
    text = f"{hour:02}:{second // 60:02}" + (f":{second % 60:02}" if second % 60 else "")
    return f"{text} {'next day' if days == 1 else f'{days} days later'}" if days else text


def zone_abbreviation(local: datetime) -> str:
    """EST, CEST, UTC; an offset where the zone has no letters."""
    name = local.tzname() or ""
    return name if name[:1].isalpha() else f"UTC{name}"


def fitting(*variants: str) -> str:
    """The first variant that is short enough for a message, else the last one cut; always on one line."""
    lines = [" ".join(variant.split()) for variant in variants]
    return next((line for line in lines if len(line) <= LONGEST), lines[-1][: LONGEST - 1] + "…")


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 run`, `2 runs`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
