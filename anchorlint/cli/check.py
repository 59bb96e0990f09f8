"""`anchorlint check`."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import click

from anchorlint.engine.request import Request
from anchorlint.engine.settings import Said


class Instant(click.ParamType[datetime]):
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


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--select", multiple=True)
@click.option("--output-format", default="concise")
@click.option("--isolated", is_flag=True)
@click.option("--no-cache", is_flag=True)
@click.option("--as-of", type=Instant())
@click.option("--runs", multiple=True)
@click.pass_context
def check(ctx, paths, select, output_format, isolated, no_cache, as_of, runs):
    """Report the faults in PATHS."""
    from anchorlint.engine.run import run

    codes = tuple(word for part in select for word in part.split(",") if word) or None
    report = run(Request(paths=paths or (".",), runs=runs, as_of=as_of, said=Said(select=codes), isolated=isolated, use_cache=not no_cache))
    if output_format == "json":
        from anchorlint.report.json import render
    else:
        from anchorlint.report.concise import render
    click.echo(render(report), nl=False)
    for problem in report.problems:
        click.echo(problem, err=True)
    ctx.exit(report.exit_code())
