"""What anchorlint tells people: a finding with its notes, its horizon and perhaps a fix."""

from __future__ import annotations

import enum

import msgspec

from anchorlint.domain.span import Span


class Severity(enum.StrEnum):
    """How sure the failure is: error = it will fail, warning = under conditions that occur, note = worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """2 for error, 1 for warning, 0 for note."""
        return {"error": 2, "warning": 1, "note": 0}[self.value]


class Confidence(enum.StrEnum):
    """How a finding was reached: high = every number and call resolved, medium = one word or name broke a tie."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """2 for high, 1 for medium, 0 for low."""
        return {"high": 2, "medium": 1, "low": 0}[self.value]


class Note(msgspec.Struct, frozen=True, order=True):
    """A secondary place of a finding and what stands there."""

    message: str
    span: Span


class Edit(msgspec.Struct, frozen=True):
    """Replace the text at `span` by `text`."""

    span: Span
    text: str


class Fix(msgspec.Struct, frozen=True):
    """A way to mend a finding; `safe` means that it cannot change what correct programs do."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]


class Horizon(msgspec.Struct, frozen=True):
    """The instant from which a gate is closed for ever: `item` plus `slack_s` seconds (None if not a number)."""

    text: str
    item: str
    slack_s: float | None


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault at one place.

    A check fills `code`, `message` and `span`, and what else it knows. `name`, `severity` (unless the check sets its
    own) and `fingerprint` are stamped by the engine.
    """

    code: str
    message: str
    span: Span
    notes: tuple[Note, ...] = ()
    help: str | None = None
    horizon: Horizon | None = None
    fix: Fix | None = None
    confidence: Confidence = Confidence.HIGH
    severity: Severity | None = None
    name: str = ""
    fingerprint: str = ""


class Problem(msgspec.Struct, frozen=True, order=True):
    """Why a run could not do what was asked of it; any problem ends the run with exit code 2."""

    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
