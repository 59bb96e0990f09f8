"""Recorded runs written in the native form and read again."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import read_runs
from anchorlint.manifests.history.writing import comma_separated, json_lines, merged


def at(hour: int) -> datetime:
    return datetime(2026, 11, 20, hour, tzinfo=UTC)


def test_a_run_in_two_files_counts_once_and_two_equal_ones_in_one_file_twice() -> None:
    run = Run(schedule="rinse", ending=Ending.FAILED, started_at=at(4), finished_at=at(5))
    assert merged([[run, run], [run]]) == (run, run)
    assert merged([[run], [run]]) == (run,)


def test_a_run_going_on_gives_way_to_its_end_alone() -> None:
    ended = Run(schedule="rinse", ending=Ending.FAILED, started_at=at(4), finished_at=at(5))
    same = Run(schedule="rinse", ending=Ending.NONE, started_at=at(4))
    other = Run(schedule="soak", ending=Ending.NONE, started_at=at(4))
    later = Run(schedule="rinse", ending=Ending.NONE, started_at=at(6))
    assert merged([[later, same, other], [ended]]) == (ended, other, later)


@given(
    st.lists(
        st.builds(
            Run,
            schedule=st.text(min_size=1).filter(lambda name: name.strip() and "\0" not in name),
            ending=st.sampled_from(Ending),
            started_at=st.integers(0, 10**9).map(lambda s: datetime.fromtimestamp(s, UTC)) | st.none(),
            finished_at=st.integers(10**9, 2 * 10**9).map(lambda s: datetime.fromtimestamp(s, UTC)) | st.none(),
            scheduled_for=st.integers(0, 10**9).map(lambda s: datetime.fromtimestamp(s, UTC)) | st.none(),
            perhaps_waited=st.booleans(),
            by_clock=st.booleans(),
        ),
        min_size=1,
    )
)
def test_what_is_written_reads_the_same(runs: list[Run]) -> None:
    kept = merged([runs])
    for text in (json_lines(kept), comma_separated(kept)):
        again = read_runs(text, "x")
        assert not again.problems
        assert [_told(run) for run in again.runs] == [_told(run) for run in kept]
    assert merged([kept, kept]) == kept


def _told(run: Run) -> tuple[object, ...]:
    """All that the rules ask a run for; without both instants it has no length however it ended."""
    stamps = run.scheduled_for, run.started_at, run.finished_at
    return run.schedule, run.duration_s, *stamps, run.perhaps_waited, run.by_clock
