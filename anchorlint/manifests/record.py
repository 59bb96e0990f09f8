"""What the last recorded runs of a schedule say: their nearest-rank p95, and how many outlast a gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

import msgspec

from anchorlint.domain.finding import Severity
from anchorlint.domain.schedule import Ending, Run

FEWEST = 5  # below this nothing is said
ENOUGH = 20  # below this p95 is the maximum, and one slow run decides
PERCENT = 95


class Record(msgspec.Struct, frozen=True):
    """The lengths of the last runs that have one, in seconds, ascending; `cut` of them are only lower bounds."""

    lengths_s: tuple[float, ...] = ()
    cut: int = 0

    @property
    def usable(self) -> bool:
        """Whether there are enough runs to say anything."""
        return len(self.lengths_s) >= FEWEST

    @property
    def p95_s(self) -> float:
        """The nearest-rank 95th percentile in seconds; needs at least one run."""
        return percentile(self.lengths_s, PERCENT)

    @property
    def careful_s(self) -> float:
        """p95 in seconds, or with few runs the second longest, which one slow run cannot decide."""
        return self.p95_s if len(self.lengths_s) >= ENOUGH else self.lengths_s[-2]

    def longer(self, gap_s: float) -> int:
        """How many of the runs took longer than `gap_s` seconds."""
        return sum(length > gap_s for length in self.lengths_s)

    def severity(self, gap_s: float) -> Severity | None:
        """None (the rule's own) if the runs prove it, note if one slow run among few decides."""
        return Severity.NOTE if len(self.lengths_s) < ENOUGH and self.longer(gap_s) < 2 else None


def percentile(ascending: Sequence[float], percent: int) -> float:
    """The nearest-rank percentile: the k-th smallest, k = ceil(percent/100 n), without rounding errors."""
    return ascending[-(-percent * len(ascending) // 100) - 1]


def record(runs: Iterable[Run], window: int, *, queued: bool = False) -> Record:
    """The record of the last `window` runs by start among those that have a length.

    `queued` says that firings of a busy workflow wait: what was cancelled then waited, if the runs do not tell.
    """
    timed = [
        (run.started_at, run.finished_at, run.ending is Ending.CUT)
        for run in runs
        if run.ending is not Ending.NONE
        and run.started_at is not None
        and run.finished_at is not None
        and not (queued and run.perhaps_waited)
    ]
    last = sorted(timed, key=itemgetter(0, 1))[-window:]
    lengths = sorted((finished - started).total_seconds() for started, finished, _ in last)
    return Record(tuple(lengths), sum(was_cut for _, _, was_cut in last))
