"""Tries go on for longer than what each of them needs is valid or kept."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding
from anchorlint.python.outlived import Outlived
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each budget of tries that is longer than a life, at the loop, the policy or the setting."""
    seen = set()
    for one in program.part(Outlived).all():
        if (one.module, one.place) in seen or not program.is_asked(one.module):
            continue
        seen.add((one.module, one.place))
        yield Finding(
            code="ANC107",
            message=one.message,
            span=program.span(one.module, one.place),
            notes=(),
            help=one.help,
            confidence=Confidence.HIGH,
        )
