"""The calendar's EventBridge dialect against aws-croniter, which knows UTC alone.

Differences found:

- aws-croniter takes a bare `L` in the weekday field for the last day of the month; AWS documents it as Saturday, the
  last day of the week, and so does the calendar. Not put to it.
- aws-croniter refuses a step in the weekday and the year; AWS documents one for the year. The calendar reads both.
- `31W` in a month of 30 days: aws-croniter moves it to another day, the calendar leaves it out, as Quartz does.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from anchorlint.manifests.calendar import Invalid, firing_seconds, next_firing, parse_text
from laws.calendar_expressions import five_fields

aws = pytest.importorskip("aws_croniter")


def _expression(source: random.Random) -> str:
    while True:
        minute, hour, day, month, weekday = five_fields(source, names=False).split()
        weekday = weekday.replace("0", "1")
        if source.random() < 0.5:
            special = [f"{source.randint(1, 28)}W", "L", f"L-{source.randint(1, 9)}"]
            day, weekday = source.choice([day, day, source.choice(special)]), "?"
        else:
            special = [
                f"{source.randint(1, 7)}#{source.randint(1, 5)}",
                f"{source.randint(1, 7)}L",
                "MON-FRI",
                "SUN,WED",
            ]
            day, weekday = "?", source.choice([weekday, weekday, source.choice(special)])
        year = source.choice(["*", "*", "*", "2027", "2026-2028", "2027,2029", "*/2"])
        return f"{minute} {hour} {day} {month} {weekday} {year}"


def _compare(seed: int, count: int) -> list[str]:
    source, wrong = random.Random(seed), []
    for _ in range(count):
        text = _expression(source)
        start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=source.randrange(3 * 365 * 1440))
        try:
            wanted = [moment for moment in aws.AwsCroniter(text).get_next(start, n=4) if moment]
        except (aws.exceptions.AwsCroniterExpressionError, ValueError):
            if not any("/" in field for field in text.split()[4:]):
                with pytest.raises(Invalid):
                    parse_text("eventbridge", f"cron({text})")
            continue
        pattern = parse_text("eventbridge", f"cron({text})")
        begin, got = start + timedelta(seconds=1), []
        while len(got) < len(wanted) and (found := next_firing(pattern, "UTC", begin)) is not None:
            got.append(found)
            begin = found + timedelta(seconds=1)
        if got != wanted:
            wrong.append(f"{text} from {start}: {got} instead of {wanted}")
    return wrong


def test_random_expressions_fire_as_aws_croniter_says() -> None:
    """Six fields with the year, L, W and #."""
    assert not _compare(seed=6, count=400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_many_more_fire_as_aws_croniter_says(seed: int) -> None:
    """The same with other seeds."""
    assert not _compare(seed, count=10_000)


def test_a_wall_time_is_left_out_once_a_year_and_never_run_twice() -> None:
    """New York, 02:30 on 14 March and 01:30 on 7 November 2027."""
    spring = parse_text("eventbridge", "cron(30 2 * * ? *)")
    days = [datetime(2027, 3, 13, tzinfo=UTC), datetime(2027, 3, 16, tzinfo=UTC)]
    assert len(firing_seconds(spring, "America/New_York", *days)) == 2
    autumn = parse_text("eventbridge", "cron(30 1 * * ? *)")
    days = [datetime(2027, 11, 7, tzinfo=UTC), datetime(2027, 11, 8, tzinfo=UTC)]
    assert firing_seconds(autumn, "America/New_York", *days) == [
        int(datetime(2027, 11, 7, 5, 30, tzinfo=UTC).timestamp())
    ]
