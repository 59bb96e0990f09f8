"""`anchorlint schema`: JSON Schemas for editors and for readers of the output."""

from __future__ import annotations

import importlib

import click

DESCRIBED = {
    "config": ("anchorlint.engine.settings", "Settings"),
    "manifest": ("anchorlint.manifests.dialects.native_schema", "Manifest"),
    "output": ("anchorlint.report.json", "Document"),
}


@click.command()
@click.argument("what", type=click.Choice(list(DESCRIBED)))
def schema(what: str) -> None:
    """Print the JSON Schema of the configuration, of a manifest or of the JSON output."""
    import msgspec

    module, name = DESCRIBED[what]
    described = msgspec.json.schema(getattr(importlib.import_module(module), name))
    click.echo(msgspec.json.format(msgspec.json.encode(described), indent=2).decode())
