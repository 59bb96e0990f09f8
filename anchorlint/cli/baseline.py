"""`anchorlint baseline`: writes down the findings that a project starts with."""

from __future__ import annotations

from typing import Any

import click

from anchorlint.cli.options import baseline_options, request_of


@click.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--output-file", "-o", metavar="PATH", help="The baseline [as configured, else anchorlint-baseline.json]."
)
@baseline_options
@click.pass_context
def baseline(ctx: click.Context, /, paths: tuple[str, ...], output_file: str | None, **options: Any) -> None:
    """Write the findings in PATHS to a file that `check --baseline` leaves out; entries that are mended go.

    Name the file as `baseline` in the configuration to have it always left out.
    """
    from anchorlint.cli.output import problem_line, write
    from anchorlint.cli.progress import Bar
    from anchorlint.engine.adoption import adoption
    from anchorlint.engine.select import UnknownRule

    with Bar() as bar:
        try:
            found = adoption(request_of(paths, options, bar.told), output_file)
        except UnknownRule as error:
            raise click.UsageError(str(error)) from None
    for problem in found.report.errors:
        click.echo(problem_line(problem), err=True)
    if found.report.errors:
        click.echo(f"{found.path} is left as it was", err=True)
        ctx.exit(2)
    write(found.path, found.text)
    findings = "finding" if found.count == 1 else "findings"
    click.echo(f"{found.count} {findings} written to {found.path}", err=True)
