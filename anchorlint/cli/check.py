"""`anchorlint check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from anchorlint.cli.options import STDIN, all_options, request_of

if TYPE_CHECKING:
    from anchorlint.domain.report import Report
    from anchorlint.engine.request import Request


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

    _reject_mixtures(paths, options)
    with Bar(quiet=options["quiet"]) as bar:
        request = request_of(paths, options, bar.told)
        try:
            if options["show_files"] or options["show_settings"]:
                ctx.exit(_show_only(request, options))
            report = run(request)
            if options["diff"]:
                ctx.exit(_show_diff(report, options))
            if options["fix"] or options["add_ignore"] is not None:
                report = _mended(request, report, options)
        except UnknownRule as error:
            raise click.UsageError(str(error)) from None
    show(report, options)
    code = report.exit_code()
    ctx.exit(0 if code == 1 and options["exit_zero"] else code)


CONTRADICTIONS = (
    ("quiet", "verbose"),
    ("no_cache", "cache_dir"),
    ("fix", "add_ignore"),
    ("fix", "diff"),
    ("show_files", "show_settings"),
)


def _reject_mixtures(paths: tuple[str, ...], options: dict[str, Any]) -> None:
    for one, other in CONTRADICTIONS:
        if options[one] and options[other]:
            named = " and ".join(f"--{name.replace('_', '-')}" for name in (one, other))
            raise click.UsageError(f"{named} contradict each other")
    if options["isolated"] and any("=" not in config for config in options["config"]):
        raise click.UsageError("--isolated and --config PATH contradict each other")
    if options["statistics"] and options["output_format"] not in (None, "full", "concise"):
        raise click.UsageError("--statistics is for people: it goes with --output-format full or concise")
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--unsafe-fixes says which fixes --fix or --diff means: add one of them")
    if STDIN in paths and (options["fix"] or options["add_ignore"] is not None):
        raise click.UsageError("standard input cannot be changed: pass files")


def _show_only(request: Request, options: dict[str, Any]) -> int:
    from anchorlint.cli.output import problem_line
    from anchorlint.engine.preview import files_of, settings_of

    shown = files_of(request) if options["show_files"] else settings_of(request)
    for line in shown.lines:
        click.echo(line)
    for problem in shown.problems:
        click.echo(problem_line(problem), err=True)
    return 2 if shown.problems else 0


def _show_diff(report: Report, options: dict[str, Any]) -> int:
    from anchorlint.cli.output import print_text, problem_line
    from anchorlint.engine.mending import fixes, ignores

    reason = options["add_ignore"]
    changes = ignores(report, reason) if reason is not None else fixes(report, options["unsafe_fixes"])
    print_text(changes.diff())
    problems = (*report.errors, *changes.problems)
    for problem in problems:
        click.echo(problem_line(problem), err=True)
    return 2 if problems else int(bool(changes.files))


def _mended(request: Request, report: Report, options: dict[str, Any]) -> Report:
    """Change the files, and report what is left after that."""
    import msgspec

    from anchorlint.engine.mending import fixes, ignores
    from anchorlint.engine.run import run

    reason = options["add_ignore"]
    changes = ignores(report, reason) if reason is not None else fixes(report, options["unsafe_fixes"])
    written = changes.write()
    if not options["quiet"]:
        verb = "fixed" if reason is None else "given an ignore comment"
        click.echo(f"{written.count} of {len(report.findings)} findings {verb}", err=True)
    if written.files:
        report = run(request)
    return msgspec.structs.replace(report, problems=(*report.problems, *written.problems))
