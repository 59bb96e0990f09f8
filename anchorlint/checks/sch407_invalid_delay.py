"""`after_delay_minutes` is no time that can pass."""

from __future__ import annotations

import math
from collections.abc import Iterator

from anchorlint.domain.finding import Finding
from anchorlint.domain.schedule import Stated
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each delay that is negative, infinite or no number, at its value."""
    for schedule in timetable.enabled:
        delay = schedule.dependency.delay if schedule.dependency else None
        fault = _fault(delay) if delay else None
        if delay and fault:
            yield Finding(
                code="SCH407",
                message=f"after_delay_minutes is {fault}",
                span=delay.span,
                help="write the minutes to wait after the last prerequisite has ended, 0 for none",
            )


def _fault(delay: Stated) -> str | None:
    value = delay.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"{delay.kind}, not a number of minutes"
    if value < 0:
        return f"{value:g}, and nothing can start before its prerequisites have ended"
    return None if math.isfinite(value) else f"{value:g}, a wait that never ends"
