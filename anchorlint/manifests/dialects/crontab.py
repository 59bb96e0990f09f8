"""Crontabs: those of users, /etc/crontab and the files of cron.d, whose lines have a user before the command."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from anchorlint.documents.lines import Lines
from anchorlint.domain.duration import spoken
from anchorlint.domain.schedule import Dialect, Firing, Flaw, Polled, Schedule
from anchorlint.domain.span import Span
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.crontab_command import Command, understood
from anchorlint.manifests.dialects.placeholders import filled_in

_SETTING = re.compile(r"""\s*(["']?)([A-Za-z_]\w*)\1\s*=\s*(["']?)(.*?)\3\s*$""")
_ENTRY = re.compile(
    r"[ \t]*-?(@[A-Za-z]+|[\d*~][^\s=]*(?:[ \t]+[\d*~?][^\s=]*){2}(?:[ \t]+[A-Za-z\d*~?][^\s=]*){2})"
    r"(?:[ \t]+(\S.*?))?\s*$"
)
_FIELDS = re.compile(r"@\w+|[A-Za-z\d*~?,/# \t-]+")
_WITH_USERS = re.compile(r"(^|/)(cron\.d/[^/]+|etc/crontab)$")
# Which crontabs have users their path does not always say; these are no commands.
_USER = re.compile(r"(root|www-data|nobody|ubuntu|debian|ec2-user|postgres|mysql)\s")
_FIRST = re.compile(r"\S+\s*")
_LEAST_SLEEP_S = 60


class _Entry(msgspec.Struct, frozen=True):
    """One line that fires: its expression, its command, and the CRON_TZ above it."""

    expression: str
    span: Span
    line: Span
    command: str
    zone: str
    zone_span: Span | None


class _Lines:
    """The lines of one text by what they are."""

    def __init__(self, text: str, path: str) -> None:
        self.entries: list[_Entry] = []
        self.templates: list[Skipped] = []
        self.others: list[Span] = []
        self._places = Lines(text, path)
        self._path = path
        self._zone: tuple[str, Span | None] = ("UTC", None)
        start = 0
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                self._line(line, start, number)
            start += len(line) + 1

    def _line(self, line: str, start: int, number: int) -> None:
        setting, entry = _SETTING.match(line), _ENTRY.match(line)
        if setting is not None:
            if setting[2] == "CRON_TZ":
                place = self._places.span(start + setting.start(4), start + setting.end(4))
                self._zone = (setting[4], place) if setting[4] and not filled_in(setting[4]) else ("UTC", None)
        elif filled_in(line[: entry.end(1)] if entry else line):
            self.templates.append(Skipped(self._path, number, "a template, not checked"))
        elif entry is not None and _FIELDS.fullmatch(entry[1]):
            self.entries.append(
                _Entry(
                    entry[1],
                    self._places.span(start + entry.start(1), start + entry.end(1)),
                    self._places.span(start, start + len(line.rstrip())),
                    entry[2] or "",
                    *self._zone,
                )
            )
        else:
            self.others.append(self._places.span(start, start + len(line.rstrip())))


def read(text: str, path: str) -> Reading:
    """The entries of a crontab; a text that is mostly something else is not ours."""
    lines = _Lines(text, path)
    if len(lines.others) > len(lines.entries) or not (lines.entries or lines.templates):
        return NOT_OURS
    return Reading(tuple(_schedules(lines.entries, path)), tuple(_flaws(lines)), tuple(lines.templates))


def _schedules(entries: Sequence[_Entry], path: str) -> Iterator[Schedule]:
    users = _WITH_USERS.search(path) is not None or all(_USER.match(entry.command) for entry in entries)
    commands = [understood(_FIRST.sub("", entry.command, count=1) if users else entry.command) for entry in entries]
    usual = Counter(command.name for command in commands)
    names = [
        command.name
        if command.name and usual[command.name] == 1
        else f"{command.name or 'an entry'} (line {entry.line.start.line})"
        for entry, command in zip(entries, commands, strict=True)
    ]
    for place, (entry, command) in enumerate(zip(entries, commands, strict=True)):
        firing = Firing(dialect=Dialect.VIXIE, expression=entry.expression, span=entry.span, zone=entry.zone)
        yield Schedule(
            id=names[place],
            format="crontab",
            span=entry.line,
            id_span=entry.line,
            workflow=f"{posixpath.dirname(path)}::{command.lock}" if command.lock else f"{path}::{command.text}",
            scope=path,
            firing=firing,
            zone=entry.zone,
            zone_span=entry.zone_span,
            busy=command.busy,
            polled=tuple(_polled(place, entries, commands, names)),
        )


def _polled(
    place: int, entries: Sequence[_Entry], commands: Sequence[Command], names: Sequence[str]
) -> Iterator[Polled]:
    """A sleep in front of a command, while another line starts at the same times: it is waited for by the clock."""
    own = entries[place]
    if commands[place].sleep_s < _LEAST_SLEEP_S:
        return
    for other, entry in enumerate(entries):
        together = entry.expression.split() == own.expression.split() and entry.zone == own.zone
        if together and not commands[other].sleep_s and not entry.expression.startswith("@reboot"):
            remedy = "write both commands in one line: first && second"
            how = f"sleeps {spoken(commands[place].sleep_s)} after {names[other]} starts"
            yield Polled(how=how, span=own.line, other=names[other], remedy=remedy)
            return


def _flaws(lines: _Lines) -> Iterator[Flaw]:
    for entry in lines.entries:
        if not entry.command:
            yield Flaw(code="SCH418", message="a line without a command, so cron refuses the file", span=entry.line)
    for span in lines.others if lines.entries else ():
        yield Flaw(
            code="SCH418",
            message="neither five fields and a command nor NAME=value, so cron refuses the file",
            span=span,
            help="begin comments with # on a line of their own",
        )
