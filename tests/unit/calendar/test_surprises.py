"""Expressions that fire otherwise than they read, and the many that do not."""

from __future__ import annotations

import pytest

from anchorlint.manifests.calendar import can_fire, parse_text, surprises

CERTAIN = [
    ("native", "0 6 30 2 *", "never"),
    ("native", "0 6 31 4,6,9,11 *", "never"),
    ("native", "*/90 * * * *", "long-step"),
    ("native", "0/75 * * * *", "long-step"),
    ("native", "0 */36 * * *", "long-step"),
    ("native", "*/40 * * * *", "uneven-step"),
    ("native", "0 */16 * * *", "uneven-step"),
    ("native", "0 9 1-7 * MON", "either-day"),
    ("robfig", "0 9 8-14 * 2", "either-day"),
    ("github", "*/2 * * * *", "too-often"),
    ("apscheduler", "0 3 * * 1-5", "weekday-number"),
    ("apscheduler", "0 3 * * 0", "weekday-number"),
    ("eventbridge", "cron(0 3 ? * 1-5 *)", "weekday-number"),
    ("cloudflare", "0 3 * * 1-5", "weekday-number"),
    ("airflow", "0 3-3 * * *", "whole-range"),
]


@pytest.mark.parametrize(("dialect", "text", "kind"), CERTAIN)
def test_says_what_it_really_does(dialect: str, text: str, kind: str) -> None:
    """The piece in question is named by offset and length."""
    found = [surprise for surprise in surprises(parse_text(dialect, text)) if surprise.certain]
    assert [surprise.kind for surprise in found] == [kind]
    piece = text[found[0].offset : found[0].offset + found[0].length]
    assert piece and " " not in piece
    assert len(found[0].message) <= 120


UNCERTAIN = [
    ("native", "0 7 1 * 1", "either-day"),
    ("native", "*/7 * * * *", "uneven-step"),
    ("native", "0 */5 * * *", "uneven-step"),
    ("native", "* 2 * * *", "every-minute"),
    ("eventbridge", "cron(0 3 ? * 2 *)", "weekday-number"),
]


@pytest.mark.parametrize(("dialect", "text", "kind"), UNCERTAIN)
def test_is_unsure_where_it_may_be_meant(dialect: str, text: str, kind: str) -> None:
    """A careful author may want just that."""
    assert [(surprise.kind, surprise.certain) for surprise in surprises(parse_text(dialect, text))] == [(kind, False)]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("native", "0 5 * * *"),
        ("native", "*/15 9-17 * * 1-5"),
        ("native", "0 6 29 2 *"),
        ("native", "0 0 31 * *"),
        ("native", "0 */6 * * *"),
        ("native", "30/30 * * * *"),
        ("native", "*/60 * * * *"),
        ("native", "0 9 1-7 * *"),
        ("native", "5 0 */2 * MON"),
        ("github", "*/5 * * * *"),
        ("apscheduler", "0 3 * * mon-fri"),
        ("apscheduler", "day_of_week=0-4; hour=3"),
        ("apscheduler", "0 9 1-7 * mon"),
        ("eventbridge", "cron(0 3 ? * MON-FRI *)"),
        ("cloudflare", "0 3 * * SUN"),
        ("celery", "0 9 1-7 * 1"),
        ("systemd", "Mon *-*-1..7 09:00"),
        ("vixie", "@reboot"),
        ("robfig", "@every 90m"),
    ],
)
def test_is_silent_where_it_fires_as_it_reads(dialect: str, text: str) -> None:
    """No finding that is certain, whatever else may be said."""
    assert not [surprise for surprise in surprises(parse_text(dialect, text)) if surprise.certain]


def test_a_leap_day_fires_and_the_30th_of_february_does_not() -> None:
    """Beside a weekday either may do."""
    assert can_fire(parse_text("native", "0 6 29 2 *"))
    assert not can_fire(parse_text("native", "0 6 30 2 *"))
    assert can_fire(parse_text("native", "0 6 30 2 1"))
    assert not can_fire(parse_text("apscheduler", "0 6 30 2 1"))
