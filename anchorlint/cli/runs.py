"""`anchorlint runs`: what the recorded runs of schedules say, and exports of other tools in the native form."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from anchorlint.cli.options import STDIN, request_of, runs_options

if TYPE_CHECKING:
    from collections.abc import Iterator

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
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--output-file", "-o", metavar="PATH", help="Write .jsonl or .csv there [standard output].")
@click.pass_context
def import_(ctx: click.Context, /, files: tuple[str, ...], output_file: str | None) -> None:
    """Turn exports of gh, kubectl, airflow, journalctl, pg_cron, Flower, Prefect and Dagster into the native form.

    FILE may be an SQLite database of Airflow or Prefect, a native file, or - for standard input. To add to what is
    there, name it as well: `runs import runs.jsonl new.json -o runs.jsonl`. Exit code 2: something could not be read;
    nothing is written if a file holds no run at all.
    """
    from anchorlint.cli.output import Failure, print_text, problem_line, write
    from anchorlint.engine.importing import imported

    if output_file and not output_file.endswith(FORMS):
        raise click.UsageError(f"-o {output_file}: recorded runs are written as .jsonl or .csv")
    found = imported(files, {STDIN: sys.stdin.buffer.read()} if STDIN in files else {})
    for problem in found.problems:
        click.echo(problem_line(problem), err=True)
    if found.lost:
        raise Failure(f"nothing is written, because there are no runs in {', '.join(found.lost)}")
    text = _text(found.runs, output_file)
    if output_file:
        write(output_file, text)
        click.echo(f"{len(found.runs)} {'run' if len(found.runs) == 1 else 'runs'} written to {output_file}", err=True)
    else:
        print_text(text)
    ctx.exit(2 if found.problems else 0)


def _text(found: tuple[Run, ...], output_file: str | None) -> str:
    from anchorlint.manifests.history.writing import comma_separated, json_lines

    return comma_separated(found) if output_file and output_file.endswith(".csv") else json_lines(found)
