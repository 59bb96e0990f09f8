"""`anchorlint timeline`: a picture of when schedules fire and how long they usually run."""

from __future__ import annotations

import shutil
from typing import Any

import click

from anchorlint.cli.options import request_of, timeline_options

FORMS = (".svg", ".html", ".htm")


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--output-file", "-o", metavar="PATH", help="Draw it there: .svg or .html.")
@click.option("--days", type=click.IntRange(1, 400), default=1, show_default=True, help="How many days to draw.")
@timeline_options
@click.pass_context
def timeline(ctx: click.Context, /, paths: tuple[str, ...], output_file: str | None, days: int, **options: Any) -> None:
    """Draw the schedules in PATHS: runs as bars of their p95, collisions, dependencies, deadlines, clock changes.

    Without -o it is drawn in the terminal. Exit code 2: something could not be read.
    """
    from anchorlint.cli.output import Failure, print_text, problem_line, write
    from anchorlint.engine.timetables import schedules_of

    if output_file and not output_file.endswith(FORMS):
        raise click.UsageError(f"-o {output_file}: a timeline is drawn as .svg or .html")
    found, asked = schedules_of(request_of(paths, options, None))
    for finding in found.unparsed:
        start = finding.span.start
        click.echo(f"error: {finding.span.path}:{start.line}:{start.column}: {finding.message}", err=True)
    for problem in found.problems:
        click.echo(problem_line(problem), err=True)
    if found.timetable is None or not any(one.span.path in asked for one in found.timetable.schedules):
        raise Failure("no schedules there: pass a folder with a manifest")
    text = _drawn(found.timetable, asked, output_file, days)
    if output_file:
        write(output_file, text)
    else:
        print_text(text)
    ctx.exit(2 if found.unparsed or found.problems else 0)


def _drawn(timetable: Any, asked: frozenset[str], output_file: str | None, days: int) -> str:
    from anchorlint.report.timeline import timeline as of

    drawing = of(timetable, asked, days)
    if output_file is None:
        from anchorlint.report.timeline_text import render

        return render(drawing, shutil.get_terminal_size((110, 24)).columns)
    from anchorlint.report import timeline_svg

    return timeline_svg.svg(drawing) if output_file.endswith(".svg") else timeline_svg.html(drawing)
