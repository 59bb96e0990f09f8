"""systemd timers: OnCalendar and OnUnitActiveSec."""

from __future__ import annotations

import posixpath

from anchorlint.documents import unit
from anchorlint.documents.unit import Setting
from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.manifests import calendar, durations
from anchorlint.manifests.calendar import Invalid
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.placeholders import filled_in


def read(text: str, path: str) -> Reading:
    """The schedules of one timer, one for each time that it names; raises Malformed."""
    settings = [each for each in unit.read(text, path) if each.section == "Timer"]
    if not settings:
        return NOT_OURS
    times = _stated(settings, "OnCalendar") or _stated(settings, "OnUnitActiveSec")
    templates = [each for each in times if filled_in(each.node.raw)]
    meant = [each for each in times if each not in templates]
    why = "a schedule that is filled in later, not checked"
    return Reading(
        tuple(_schedule(settings, each, len(meant) > 1, path) for each in meant),
        skipped=tuple(Skipped(path, each.node.span.start.line, why) for each in templates),
    )


def _stated(settings: list[Setting], key: str) -> list[Setting]:
    """Every value of a key; an empty one takes back those before it."""
    found: list[Setting] = []
    for each in settings:
        if each.key == key:
            found = [*found, each] if each.node.raw else []
    return found


def _schedule(settings: list[Setting], time: Setting, several: bool, path: str) -> Schedule:
    file = posixpath.basename(path)
    started = next(
        (each.node.raw for each in reversed(_stated(settings, "Unit"))), f"{file.removesuffix('.timer')}.service"
    )
    firing = _firing(time, _seconds(settings, "RandomizedDelaySec"))
    return Schedule(
        id=f'{file} "{time.node.raw}"' if several else file,
        format="systemd",
        span=time.node.span,
        id_span=time.key_span,
        workflow=f"{posixpath.dirname(path)}::{started}",
        scope=posixpath.dirname(path) or ".",
        firing=firing,
        zone=firing.zone,
        # a unit that is still active is not started again, and nothing remembers that it should have been
        busy=Busy.SKIP,
        recorded_as=(started, started.removesuffix(".service")),
    )


def _firing(time: Setting, jitter_s: float) -> Firing:
    text, span = time.node.text or "", time.node.span
    if time.key != "OnCalendar":
        return Firing(dialect=Dialect.INTERVAL, expression=text, span=span, every_s=_span_s(text), jitter_s=jitter_s)
    try:
        zone = calendar.parse_text(str(Dialect.SYSTEMD), text).zone or "UTC"
    except Invalid:
        zone = "UTC"
    return Firing(dialect=Dialect.SYSTEMD, expression=text, span=span, zone=zone, jitter_s=jitter_s)


def _seconds(settings: list[Setting], key: str) -> float:
    stated = _stated(settings, key)
    return (_span_s(stated[-1].node.text or "") or 0.0) if stated else 0.0


def _span_s(text: str) -> float | None:
    """systemd's time span in seconds; a bare number counts seconds."""
    return float(text) if text.isascii() and text.isdecimal() and float(text) else durations.seconds(text)
