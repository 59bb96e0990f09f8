"""`anchorlint check`."""

from __future__ import annotations

from typing import Any

import click

from anchorlint.cli.options import all_options, request_of


@click.command()
@click.argument("paths", nargs=-1)
@all_options
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Report the faults of time in PATHS (default: the current folder; - is standard input).

    Exit code 0: nothing at or above --fail-on. 1: findings. 2: something could not be checked as asked.
    """
    from anchorlint.cli.output import show
    from anchorlint.cli.progress import Bar
    from anchorlint.engine.run import run
    from anchorlint.engine.select import UnknownRule

    _reject_mixtures(options)
    with Bar(quiet=options["quiet"]) as bar:
        request = request_of(paths, options, bar.told)
        try:
            if options["show_files"] or options["show_settings"]:
                ctx.exit(_show_only(request, options))
            report = run(request)
        except UnknownRule as error:
            raise click.UsageError(str(error)) from None
    show(report, options)
    code = report.exit_code()
    ctx.exit(0 if code == 1 and options["exit_zero"] else code)


def _reject_mixtures(options: dict[str, Any]) -> None:
    if options["quiet"] and options["verbose"]:
        raise click.UsageError("--quiet and --verbose contradict each other")
    if options["no_cache"] and options["cache_dir"]:
        raise click.UsageError("--no-cache and --cache-dir contradict each other")
    if options["isolated"] and any("=" not in config for config in options["config"]):
        raise click.UsageError("--isolated and --config PATH contradict each other")
    if options["statistics"] and options["output_format"] not in (None, "full", "concise"):
        raise click.UsageError("--statistics is for people: it goes with --output-format full or concise")


def _show_only(request: Any, options: dict[str, Any]) -> int:
    from anchorlint.cli.output import problem_line
    from anchorlint.engine.preview import files_of, settings_of

    shown = files_of(request) if options["show_files"] else settings_of(request)
    for line in shown.lines:
        click.echo(line)
    for problem in shown.problems:
        click.echo(problem_line(problem), err=True)
    return 2 if shown.problems else 0
