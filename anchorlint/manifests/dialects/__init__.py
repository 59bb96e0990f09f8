"""One small module a format: each turns a text into schedules of the one model.

How to add a format:

1. Write `dialects/<format>.py` with `def read(text: str, path: str) -> Reading`. Parse with `anchorlint.documents`
   (`yaml.read_all`, `toml.read`, `json.read(..., comments=True)`), which raises `Malformed` with line and column: let
   it pass, the caller knows what to do with it. Give every value its own span from the nodes.
2. Return `NOT_OURS` when the document has not the shape of the format (the path alone proves little), else
   `Reading(schedules, flaws, skipped)`. `flaws` are faults that only the reader can see, with the code of the rule
   that reports them (SCH418 for entries). `skipped` says what was passed over and why (templates).
3. For each schedule compute: `id` (what people call it), `workflow` (equal for schedules whose runs exclude each
   other, made unique with the path), `scope` (where its ids are known, usually the path), `firing` with the dialect
   of the engine, `zone`, `busy`, `dependency`, `reads`, `recorded_as` (names that its exports use). What the format
   does not have stays at its default; nothing is guessed.
4. Add one row to `formats()` in `manifests/recognise.py`: a pattern for the path, and words to look for where the
   path is general (`*.yaml`), so that other files are never parsed.
5. Recorded runs of the format: `manifests/history/<export>.py`, recognised by shape, see there.

Rules never ask for the format: whatever a rule needs is a field of the model.
"""

from __future__ import annotations

import msgspec

from anchorlint.domain.schedule import Flaw, Schedule


class Skipped(msgspec.Struct, frozen=True, order=True):
    """Something that was recognised and yet not checked, and why."""

    path: str
    line: int
    why: str


class Reading(msgspec.Struct, frozen=True):
    """What a reader made of one text; `ours` is False when the text is of another format.

    `names` are pairs of a scope and an id that dependents may name although no clock and no prerequisite starts it.
    `dropped` are the slots that the text empties of what earlier files have put there.
    """

    schedules: tuple[Schedule, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    ours: bool = True
    dropped: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()


NOT_OURS = Reading(ours=False)
