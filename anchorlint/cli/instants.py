"""Reads an instant from the command line."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import click


class Instant(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """A date, meaning 00:00 UTC, or an RFC 3339 instant with its offset."""

    name = "instant"

    def convert(self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The instant as an aware datetime in UTC."""
        if isinstance(value, datetime):
            return value
        try:
            if len(value) == 10:
                return datetime.combine(date.fromisoformat(value), time(), UTC)
            found = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no date (2026-11-30) and no RFC 3339 instant (2026-11-30T14:00:00Z)", param, ctx)
        if found.tzinfo is None:
            self.fail(f"{value!r} has no offset; write {value}Z for UTC", param, ctx)
        return found.astimezone(UTC)
