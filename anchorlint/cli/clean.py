"""`anchorlint clean`: removes the cache."""

from __future__ import annotations

import click


@click.command()
@click.option("--cache-dir", metavar="PATH", envvar="ANCHORLINT_CACHE_DIR", help="Where the cache is kept.")
def clean(cache_dir: str | None) -> None:
    """Remove what was kept of earlier runs."""
    from anchorlint.cli.output import Failure
    from anchorlint.engine.cache import cache_folder, remove
    from anchorlint.engine.request import Request

    folder = cache_folder(Request(cache_directory=cache_dir))
    try:
        removed = remove(str(folder))
    except OSError as error:
        raise Failure(f"cannot remove {folder}: {error.strerror or error}") from None
    click.echo(f"removed {folder}" if removed else f"no cache in {folder}", err=True)
