"""`after_terminal_status` says something that releases nothing."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Fix
from anchorlint.manifests import saying
from anchorlint.manifests.mending import replacement
from anchorlint.manifests.timetable import Timetable

POLICIES = ("completed", "any_terminal")
_MEANT = {"success": "completed", "succeeded": "completed", "ok": "completed", "complete": "completed",
          "done": "completed", "all_done": "any_terminal", "always": "any_terminal", "any": "any_terminal",
          "finished": "any_terminal", "terminal": "any_terminal"}  # fmt: skip


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each policy that is neither completed nor any_terminal, at its value."""
    for schedule in timetable.enabled:
        status = schedule.dependency.status if schedule.dependency else None
        if status is None or status.value in POLICIES:
            continue
        said = f'"{status.value}"' if isinstance(status.value, str) else status.kind
        word = str(status.value).strip().lower().replace("-", "_")
        meant = word if word in POLICIES else _MEANT.get(word)
        edit = replacement(status.span, str(status.value), meant) if meant else None
        yield Finding(
            code="SCH406",
            message=saying.fitting(
                f"after_terminal_status of {schedule.name} is {said}, which no ending of a run matches",
                "after_terminal_status is a word that no ending of a run matches",
            ),
            span=status.span,
            help=f"write {meant}" if meant else "write completed, or any_terminal to go on after a failure too",
            fix=Fix(title=f"write {meant}", safe=False, edits=(edit,)) if edit else None,
        )
