"""`anchorlint explain`: what anchorlint sees in a file."""

from __future__ import annotations

import os

import click


@click.command()
@click.argument("place", metavar="FILE[:LINE]")
def explain(place: str) -> None:
    """List the anchors, gates, horizons and retry paths that are seen in FILE, or at one LINE of it."""
    from anchorlint.engine.explaining import NotExplained, explanation

    path, line = _parted(place)
    try:
        click.echo(explanation(path, line), nl=False)
    except NotExplained as error:
        raise click.UsageError(str(error)) from None


def _parted(place: str) -> tuple[str, int | None]:
    path, colon, number = place.rpartition(":")
    if colon and number.isdigit() and not os.path.exists(place):
        return path, int(number)
    return place, None
