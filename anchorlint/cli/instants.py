"""Reads an instant from the command line."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import click

YEARS = range(1970, 2400)  # calendars of time zones say nothing before and repeat themselves after


class Instant(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """A date, meaning 00:00 UTC, or an RFC 3339 instant with its offset."""

    name = "instant"

    def convert(self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The instant as an aware datetime in UTC."""
        if isinstance(value, datetime):
            return value
        try:
            whole_day = len(value) == 10
            found = (
                datetime.combine(date.fromisoformat(value), time(), UTC) if whole_day else datetime.fromisoformat(value)
            )
        except ValueError:
            self.fail(f"{value!r} is no date (2026-11-30) and no RFC 3339 instant (2026-11-30T14:00:00Z)", param, ctx)
        if found.tzinfo is None:
            self.fail(f"{value!r} has no offset; write {value}Z for UTC", param, ctx)
        if found.year not in YEARS:
            self.fail(f"{value!r} is not in the years {YEARS.start} to {YEARS.stop - 1}", param, ctx)
        return found.astimezone(UTC)
