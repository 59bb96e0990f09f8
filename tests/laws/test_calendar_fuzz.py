"""Whatever the text, it is read or refused in one line, and what is read can be asked everything."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.domain.schedule import Dialect
from anchorlint.manifests.calendar import (
    Invalid,
    describe,
    firing_seconds,
    hazards,
    local_dates,
    next_firing,
    parse_text,
    previous,
    shortest_period_s,
    surprises,
)

START = datetime(2027, 3, 13, tzinfo=UTC)
END = START + timedelta(days=3)
_FIELDS = st.lists(
    st.text("0123456789*/-,?LW#HS$~.:()@ MONFRIjan٣²", min_size=1, max_size=7), min_size=1, max_size=7
).map(" ".join)
_WRAPPED = st.sampled_from(["cron({})", "rate({})", "at({})", "@every {}", "CRON_TZ={} 0 5 * * *", "hour={}; day={}"])
TEXTS = st.one_of(
    st.text(max_size=40),
    _FIELDS,
    st.tuples(_WRAPPED, _FIELDS).map(lambda pair: pair[0].replace("{}", pair[1])),
    st.integers(min_value=0).map(lambda number: f"{'9' * (number % 6000)} {number} * * *"),
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.sampled_from(list(Dialect)), TEXTS)
def test_any_text_is_read_or_refused(dialect: Dialect, text: str) -> None:
    """Invalid is the only exception, and its place is in the text."""
    try:
        pattern = parse_text(str(dialect), text)
    except Invalid as refused:
        assert 0 <= refused.offset <= len(text)
        assert "\n" not in refused.message
        return
    assert "\n" not in describe(pattern)
    assert all("\n" not in surprise.message for surprise in surprises(pattern))
    seconds = firing_seconds(pattern, "America/New_York", START, END)
    assert seconds == sorted(set(seconds))
    hazards(pattern, "America/New_York", START, END)
    list(local_dates(pattern, "America/New_York", START, END))
    shortest_period_s(pattern, "America/New_York", START, END)
    later = next_firing(pattern, "America/New_York", START)
    if later is not None:
        assert previous(pattern, "America/New_York", later + timedelta(seconds=1)) is not None
