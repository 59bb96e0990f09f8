"""An entry of a manifest that says too little, too much, or something of a wrong type."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """What the readers found wrong with entries and keys, where it stands."""
    for flaw in timetable.flaws("SCH418"):
        message = saying.fitting(flaw.message)
        yield Finding(code="SCH418", message=message, span=flaw.span, notes=flaw.notes, help=flaw.help)
