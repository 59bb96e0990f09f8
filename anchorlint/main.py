"""The command group, above all: each command is imported when it is called."""

from __future__ import annotations

import importlib

import click

from anchorlint import __version__

COMMANDS = {
    "check": "anchorlint.cli.check:check",
    "rule": "anchorlint.cli.rule:rule",
    "explain": "anchorlint.cli.explain:explain",
    "schema": "anchorlint.cli.schema:schema",
    "demo": "anchorlint.cli.demo:demo",
    "server": "anchorlint.main:server",
    "clean": "anchorlint.cli.clean:clean",
    "version": "anchorlint.cli.version:version",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order in which help shows them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="anchorlint", message="%(prog)s %(version)s")
def main() -> None:
    """Find jobs that fail for ever because two times that meet are anchored to different clocks."""


@click.command()
def server() -> None:
    """Run the language server on standard input and output."""
    from anchorlint.server import serve

    serve()
