"""`anchorlint version`."""

from __future__ import annotations

import click

from anchorlint import __version__


@click.command()
def version() -> None:
    """Print the version."""
    click.echo(f"anchorlint {__version__}")
