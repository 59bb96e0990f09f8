"""The command group, above all: each command is imported when it is called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any

import click

from anchorlint import __version__

COMMANDS = {
    "check": "anchorlint.cli.check:check",
    "rule": "anchorlint.cli.rule:rule",
    "explain": "anchorlint.cli.explain:explain",
    "timeline": "anchorlint.cli.timeline:timeline",
    "runs": "anchorlint.cli.runs:runs",
    "baseline": "anchorlint.cli.baseline:baseline",
    "schema": "anchorlint.cli.schema:schema",
    "demo": "anchorlint.cli.demo:demo",
    "server": "anchorlint.main:server",
    "clean": "anchorlint.cli.clean:clean",
    "version": "anchorlint.cli.version:version",
}
INTERRUPTED = 130
FAILED = 2


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names; a mistyped one is told its nearest neighbour."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an interrupt and a fault of ours have exit codes of their own and no traceback."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except Exception as error:
            click.echo(f"error: internal error: {type(error).__name__}: {error}", err=True)
            ctx.exit(FAILED)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="anchorlint", message="%(prog)s %(version)s")
def main() -> None:
    """Find jobs that fail for ever because two times that meet are anchored to different clocks."""


def command() -> None:
    """The command as a process of its own.

    What was read and found lies in millions of small objects: to look for garbage among them, and at the end to free
    one after the other, would take longer than to read them. Only a server lives long enough to need that.
    """
    if sys.argv[1:2] == ["server"]:
        main()
    gc.disable()
    try:
        main()
    except SystemExit as ended:
        _end(ended.code)
        raise


def _end(code: object) -> None:
    """End the process at once if nothing of it is left to do; otherwise Python ends it, which waits for all else."""
    import threading

    if threading.active_count() > 1 or not isinstance(code, int):
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


@click.command()
def server() -> None:
    """Run the language server on standard input and output."""
    from anchorlint.server import serve

    serve()
