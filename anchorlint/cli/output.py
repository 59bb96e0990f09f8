"""Puts a report where it was asked for: findings to standard output or a file, everything else to standard error."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from anchorlint.domain.finding import Problem
from anchorlint.domain.report import UNCHECKED, Report
from anchorlint.report.visible import visible

FOR_PEOPLE = ("full", "concise")


class Failure(click.ClickException):
    """Something that could not be done, in words for people."""

    exit_code = 2


def show(report: Report, options: dict[str, Any]) -> None:
    """Print the report in its format, then its problems, remarks and counts."""
    to_file = options["output_file"]
    text = _statistics(report) if options["statistics"] else rendered(report, not to_file and wants_colour(options))
    if to_file:
        write(to_file, text)
    else:
        print_text(text)
    for problem in _untold(report, bool(to_file)):
        click.echo(problem_line(problem), err=True)
    if options["verbose"]:
        for place in report.partly:
            click.echo(visible(f"{place}: looked into only in part, so nothing is known about it"), err=True)
        for remark in report.remarks:
            click.echo(visible(remark) if "\n" not in remark else remark, err=True)
    if not options["quiet"]:
        if not report.files and not report.problems:
            click.echo("warning: nothing was checked: no Python and no schedule manifest there", err=True)
        click.echo(counts(report), err=True)


def rendered(report: Report, colour: bool) -> str:
    """The report as its format has it; only the format in use is imported."""
    form = report.output_format
    if form == "full":
        from anchorlint.report import full

        return full.render(report, colour)
    if form == "json-lines":
        from anchorlint.report import json

        return json.render_lines(report)
    import importlib

    text: str = importlib.import_module(f"anchorlint.report.{form}").render(report)
    return text


def wants_colour(options: dict[str, Any]) -> bool:
    """Whether standard output is to be coloured: as asked, else by NO_COLOR, FORCE_COLOR and the terminal."""
    if options["color"] != "auto":
        return bool(options["color"] == "always")
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def problem_line(problem: Problem) -> str:
    """One problem as one line for standard error."""
    place = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part is not None)
    return visible(f"error: {place}: {problem.message}" if place else f"error: {problem.message}")


def counts(report: Report) -> str:
    """What was found, in one line."""
    summary = report.summary
    found = [_number(count, kind) for kind, count in summary.findings.items() if count]
    told = [", ".join(found) if found else "no findings", f"in {_number(summary.files, 'file')}"]
    if summary.schedules:
        without = summary.schedules_without_runs
        aside = f" ({without} without recorded runs)" if without else ""
        told.append(f"and {_number(summary.schedules, 'schedule')}{aside}")
    rest = [f"{summary.suppressed} ignored by comments"] if summary.suppressed else []
    rest += [f"{summary.baselined} in the baseline"] if summary.baselined else []
    rest += [_number(len(report.problems), "problem")] if report.problems else []
    return "; ".join((" ".join(told), *rest))


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _untold(report: Report, to_file: bool) -> Iterator[Problem]:
    """The errors that people do not already see among the findings."""
    yield from report.problems
    if report.output_format not in FOR_PEOPLE or to_file:
        for finding in report.findings:
            if finding.code in UNCHECKED:
                yield Problem(finding.message, finding.span.path, finding.span.start.line, finding.span.start.column)


def _statistics(report: Report) -> str:
    counted = Counter((finding.code, finding.name) for finding in report.findings)
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    rows = [f"{count:>6}  {code}  {name}\n" for (code, name), count in ordered]
    if report.partly:
        rows.append(f"{len(report.partly):>6}  looked into only in part (-v names them)\n")
    return "".join(rows)


def print_text(text: str) -> None:
    """Write to standard output; a reader that went away (`| head`) changes nothing about the exit code."""
    try:
        sys.stdout.buffer.write(_encoded(text))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write(path: str, text: str) -> None:
    """Write a file whole; raises Failure."""
    try:
        with open(path, "wb") as file:
            file.write(_encoded(text))
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from None


def _encoded(text: str) -> bytes:
    """UTF-8; bytes of file names that are no text come out as they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
