"""The options of `check` and what they mean for a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, get_args

import click

from anchorlint.cli.instants import Instant
from anchorlint.domain.finding import Confidence
from anchorlint.domain.report import FailOn
from anchorlint.engine.request import Progress, Request
from anchorlint.engine.settings import OutputFormat, Said

Command = Callable[..., Any]
STDIN = "-"
SURE = tuple(confidence.value for confidence in Confidence)

RULES = (
    click.option("--select", multiple=True, metavar="RULES", help="Check only these: codes, prefixes, names, ALL."),
    click.option("--extend-select", multiple=True, metavar="RULES", help="Check these rules as well."),
    click.option("--ignore", multiple=True, metavar="RULES", help="Do not check these rules."),
    click.option("--per-file-ignores", multiple=True, metavar="PATTERN:RULES", help="Ignore rules in some files."),
    click.option("--preview/--no-preview", default=None, help="Check the rules in preview as well."),
    click.option("--min-confidence", type=click.Choice(SURE), help="Leave out what is less sure [medium]."),
)
MENDING = (
    click.option("--fix", is_flag=True, help="Mend what has a safe fix, then report the rest."),
    click.option("--unsafe-fixes", is_flag=True, help="Include fixes that may change what the program does."),
    click.option("--diff", is_flag=True, help="Show what --fix or --add-ignore would change, and change nothing."),
    click.option("--add-ignore", metavar="REASON", help="Write an ignore comment with this reason for each finding."),
)
KNOWN = (click.option("--baseline", metavar="PATH", help="Leave out the findings that this file knows."),)
FILES = (
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out these paths (as in .gitignore)."),
    click.option("--extend-exclude", multiple=True, metavar="PATTERN", help="Leave these paths out as well."),
    click.option("--force-exclude/--no-force-exclude", default=None, help="Leave them out even if named."),
    click.option("--respect-gitignore/--no-respect-gitignore", default=None, help="Leave out what git ignores."),
)
STANDARD_INPUT = (click.option("--stdin-filename", metavar="PATH", help="What standard input (-) is called."),)
SCHEDULES = (
    click.option("--runs", multiple=True, metavar="PATH", help="Recorded runs of the schedules; repeatable."),
    click.option("--as-of", type=Instant(), metavar="INSTANT", help="Look ahead from here (a date or RFC 3339) [now]."),
)
CONFIGURATION = (
    click.option("--config", multiple=True, metavar="PATH|KEY=VALUE", help="A configuration file, or one setting."),
    click.option("--isolated", is_flag=True, help="Read no configuration."),
    click.option("--no-cache", "-n", is_flag=True, envvar="ANCHORLINT_NO_CACHE", help="Read every file anew."),
    click.option("--jobs", "-j", type=click.IntRange(1), metavar="N", help="Read files in N processes [processors]."),
    click.option("--cache-dir", metavar="PATH", envvar="ANCHORLINT_CACHE_DIR", help="Where to keep what was read."),
)
OUTPUT = (
    click.option(
        "--output-format", type=click.Choice(get_args(OutputFormat)), envvar="ANCHORLINT_OUTPUT_FORMAT", help="[full]"
    ),
    click.option("--output-file", "-o", metavar="PATH", help="Write the report there instead of standard output."),
    click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them."),
    click.option("--show-files", is_flag=True, help="List the files that would be checked, and stop."),
    click.option("--show-settings", is_flag=True, help="Show the settings in force for PATHS, and stop."),
    click.option(
        "--fail-on", type=click.Choice(get_args(FailOn)), help="The lowest severity that makes exit code 1 [warning]."
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 although there are findings."),
    click.option("--quiet", "-q", is_flag=True, help="Findings and errors only."),
    click.option("--verbose", "-v", is_flag=True, help="Say what was left out and why."),
    click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour the report."),
)

NO_RULES: dict[str, Any] = {
    "select": (), "extend_select": (), "ignore": (), "per_file_ignores": (), "preview": None, "min_confidence": None,
    "as_of": None,
}  # fmt: skip


def all_options(command: Command) -> Command:
    """Give a command every option of `check`, in the order of this module."""
    return _with((*RULES, *KNOWN, *MENDING, *FILES, *STANDARD_INPUT, *SCHEDULES, *CONFIGURATION, *OUTPUT), command)


def baseline_options(command: Command) -> Command:
    """Give a command the options that choose what is found."""
    return _with((*RULES, *FILES, *SCHEDULES, *CONFIGURATION), command)


def timeline_options(command: Command) -> Command:
    """Give a command the options that choose what is read."""
    return _with((*FILES, *SCHEDULES, *CONFIGURATION), command)


def runs_options(command: Command) -> Command:
    """Give a command the options that choose what is read, without the instant from which to look ahead."""
    return _with((*FILES, *SCHEDULES[:1], *CONFIGURATION), command)


def _with(options: tuple[Any, ...], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def request_of(paths: tuple[str, ...], options: dict[str, Any], progress: Progress | None) -> Request:
    """The run that a command line asks for; reads standard input where a path is `-`."""
    options = NO_RULES | options
    texts: dict[str, str | bytes] = {}
    if STDIN in paths and "stdin_filename" in options:
        name = options.get("stdin_filename") or "stdin.py"
        texts[name] = sys.stdin.buffer.read()
        paths = tuple(name if path == STDIN else path for path in paths)
    elif options.get("stdin_filename"):
        raise click.UsageError("--stdin-filename names standard input: pass - as the path")
    return Request(
        paths=paths or (".",),
        texts=texts,
        runs=options["runs"],
        as_of=options["as_of"],
        said=_said(options),
        config=options["config"],
        isolated=options["isolated"],
        use_cache=not options["no_cache"],
        cache_directory=options["cache_dir"],
        progress=progress,
        jobs=options["jobs"],
    )


def _said(options: dict[str, Any]) -> Said:
    confidence = options["min_confidence"]
    return Said(
        select=_parted(options["select"]),
        extend_select=_parted(options["extend_select"]),
        ignore=_parted(options["ignore"]),
        preview=options["preview"],
        per_file_ignores=_per_file(options["per_file_ignores"]) or None,
        exclude=_patterns(options["exclude"], "--exclude"),
        extend_exclude=_patterns(options["extend_exclude"], "--extend-exclude"),
        force_exclude=options["force_exclude"],
        respect_gitignore=options["respect_gitignore"],
        min_confidence=Confidence(confidence) if confidence else None,
        fail_on=options.get("fail_on"),
        output_format=options.get("output_format"),
        baseline=options.get("baseline"),
    )


def _parted(values: Iterable[str]) -> tuple[str, ...] | None:
    found = tuple(word.strip() for value in values for word in value.split(",") if word.strip())
    return found or None


def _patterns(values: Iterable[str], option: str) -> tuple[str, ...] | None:
    found = _parted(values)
    if found:
        from anchorlint.engine.ignored import is_pattern

        for pattern in found:
            if not is_pattern(pattern):
                raise click.BadParameter(f"{pattern!r} is no pattern as in .gitignore", param_hint=option)
    return found


def _per_file(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, colon, rules = value.rpartition(":")
        if not colon or not pattern:
            raise click.BadParameter(f"{value!r} has no rules: write PATTERN:RULES", param_hint="--per-file-ignores")
        _patterns([pattern], "--per-file-ignores")
        found[pattern] = (*found.get(pattern, ()), *(_parted([rules]) or ()))
    return found
