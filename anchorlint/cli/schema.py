"""`anchorlint schema`: JSON Schemas for editors and for readers of the output."""

from __future__ import annotations

import click


@click.command()
@click.argument("what", type=click.Choice(["config", "output"]))
def schema(what: str) -> None:
    """Print the JSON Schema of the configuration or of the JSON output."""
    import msgspec

    if what == "config":
        from anchorlint.engine.settings import Settings as Described
    else:
        from anchorlint.report.json import Document as Described  # type: ignore[assignment]
    text = msgspec.json.format(msgspec.json.encode(msgspec.json.schema(Described)), indent=2)
    click.echo(text.decode())
