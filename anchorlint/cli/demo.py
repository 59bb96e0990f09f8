"""`anchorlint demo`: four incidents, as they failed and as they were mended, read by the ordinary engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click


@click.command()
@click.pass_context
def demo(ctx: click.Context) -> None:
    """Find the faults of four real incidents, and none once they are mended.

    Exit code 0 if exactly the expected findings appear, 1 otherwise.
    """
    from anchorlint.cli.incidents import incidents

    told = incidents()
    wrong = 0
    for number, incident in enumerate(told, 1):
        click.secho(f"{number}. {incident.title}\n", bold=True)
        click.echo(f"{incident.story}\n")
        wrong += not _shown(incident.folder / "bad")
        wrong += not _shown(incident.folder / "mended")
        click.echo()
    if wrong:
        click.echo(f"{wrong} of {2 * len(told)} projects are not as expected")
    else:
        click.echo(f"{len(told)} incidents: every fault found, and nothing reported once mended")
    ctx.exit(1 if wrong else 0)


def _shown(project: Path) -> bool:
    """Print what is found in one project; whether that is what was expected."""
    from anchorlint.cli.incidents import analysed, outcome
    from anchorlint.cli.output import wants_colour
    from anchorlint.report.full import render

    with analysed(project) as report:
        click.echo(render(report, wants_colour({"color": "auto"})), nl=False)
        result = outcome(project, report)
    lines = list(_verdict(result.missing, result.surplus, result.errors))
    click.echo(f"{project.name}: {'; '.join(lines) or _as_expected(len(result.expected))}")
    return result.right


def _as_expected(count: int) -> str:
    return f"{count} finding{'s' if count > 1 else ''}, as expected" if count else "nothing to report, as expected"


def _verdict(
    missing: tuple[tuple[str, int, str], ...], surplus: tuple[tuple[str, int, str], ...], errors: tuple[str, ...]
) -> Iterator[str]:
    yield from (f"NOT FOUND: {code} at {path}:{line}" for path, line, code in missing)
    yield from (f"NOT EXPECTED: {code} at {path}:{line}" for path, line, code in surplus)
    yield from (f"FAILED: {error}" for error in errors)
