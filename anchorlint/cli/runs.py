"""`anchorlint runs`: what the recorded runs of schedules say, and exports of other tools in the native form."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from anchorlint.cli.instants import Instant
from anchorlint.cli.options import STDIN, request_of, runs_options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from anchorlint.domain.finding import Problem
    from anchorlint.domain.schedule import Run
    from anchorlint.engine.manifest_reading import Schedules

FORMS = (".jsonl", ".csv")


@click.group()
def runs() -> None:
    """Show and import recorded runs of schedules."""


@runs.command()
@click.argument("paths", nargs=-1)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@runs_options
@click.pass_context
def show(ctx: click.Context, /, paths: tuple[str, ...], output_format: str, **options: Any) -> None:
    """Say how long the schedules in PATHS run and how late they start, by their recorded runs.

    A schedule without any is named with the command that exports them. Exit code 2: something could not be read.
    """
    from anchorlint.cli.output import Failure, print_text, problem_line
    from anchorlint.engine.timetables import schedules_of
    from anchorlint.report.runs import as_json, as_text

    found, asked = schedules_of(request_of(paths, options, None))
    problems = list(_problems(found))
    for problem in problems:
        click.echo(problem_line(problem), err=True)
    if found.timetable is None or not any(one.span.path in asked for one in found.timetable.schedules):
        raise Failure("no schedules there: pass a folder with a manifest")
    print_text((as_json if output_format == "json" else as_text)(found.timetable, asked))
    ctx.exit(2 if problems else 0)


def _problems(found: Schedules) -> Iterator[Problem]:
    from anchorlint.domain.finding import Problem

    for finding in found.unparsed:
        start = finding.span.start
        yield Problem(finding.message, finding.span.path, start.line, start.column)
    yield from found.problems
    for path in found.timetable.unmatched_runs if found.timetable else ():
        yield Problem("nothing here records a run of a known schedule", path, 1, 1)


@runs.command("import")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--from",
    "databases",
    multiple=True,
    metavar="URL",
    help="Read the PostgreSQL database postgresql://USER@HOST/DATABASE of Airflow, pg_cron or Prefect (repeatable).",
)
@click.option(
    "--since", type=Instant(), metavar="INSTANT", help="Leave out runs that began before this date or instant."
)
@click.option("--output-file", "-o", metavar="PATH", help="Write .jsonl or .csv there [standard output].")
@click.pass_context
def import_(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    databases: tuple[str, ...],
    since: datetime | None,
    output_file: str | None,
) -> None:
    """Turn exports of gh, kubectl, airflow, journalctl, pg_cron, Flower, Prefect and Dagster into the native form.

    FILE may be an SQLite database of Airflow or Prefect, a native file, or - for standard input. To add to what is
    there, name it as well: `runs import runs.jsonl new.json -o runs.jsonl`. Of a database, the last 500 runs of each
    schedule are read. Exit code 2: something could not be read; nothing is written if a file holds no run at all.

    --from needs `pip install 'anchorlint[postgresql]'`. It connects to what it names and to nothing else, in a
    transaction that only reads. Leave the password to PGPASSWORD or ~/.pgpass: others may see a command line.
    """
    from anchorlint.cli.output import Failure, print_text, problem_line, write
    from anchorlint.engine.importing import imported

    _check(files, databases, output_file)
    found = imported(files, {STDIN: sys.stdin.buffer.read()} if STDIN in files else {}, databases, since)
    for problem in found.problems:
        click.echo(problem_line(problem), err=True)
    if found.lost:
        when = f" since {since.isoformat()}" if since else ""
        raise Failure(f"nothing is written, because there are no runs{when} in {', '.join(found.lost)}")
    text = _text(found.runs, output_file)
    if output_file:
        write(output_file, text)
        click.echo(f"{len(found.runs)} {'run' if len(found.runs) == 1 else 'runs'} written to {output_file}", err=True)
    else:
        print_text(text)
    ctx.exit(2 if found.problems else 0)


def _check(files: tuple[str, ...], databases: tuple[str, ...], output_file: str | None) -> None:
    from anchorlint.manifests.history.postgresql import is_address

    if not files and not databases:
        raise click.UsageError("name a FILE, or a database with --from")
    for url in databases:
        if not is_address(url):
            # The rest of it may be a password.
            scheme = f", not {url.partition('://')[0]}://" if "://" in url else ""
            raise click.UsageError(f"--from takes postgresql://USER@HOST/DATABASE{scheme}; name a file without --from")
    if output_file and not output_file.endswith(FORMS):
        raise click.UsageError(f"-o {output_file}: recorded runs are written as .jsonl or .csv")


def _text(found: tuple[Run, ...], output_file: str | None) -> str:
    from anchorlint.manifests.history.writing import comma_separated, json_lines

    return comma_separated(found) if output_file and output_file.endswith(".csv") else json_lines(found)
