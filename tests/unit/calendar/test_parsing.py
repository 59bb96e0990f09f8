"""What each dialect refuses, with the place, and what it takes an expression to mean."""

from __future__ import annotations

import pytest

from anchorlint.domain.schedule import Dialect, Firing
from anchorlint.domain.span import Span
from anchorlint.manifests.calendar import Invalid, describe, parse, parse_text

REFUSED = [
    ("native", "", 0, "empty"),
    ("native", "0 5 * *", 6, "reads 5 fields"),
    ("native", "0 0 5 * * *", 10, "this has 6"),
    ("native", "60 * * * *", 0, "outside 0-59"),
    ("native", "0 24 * * *", 2, "outside 0-23"),
    ("native", "0 5 0 * *", 4, "outside 1-31"),
    ("native", "0 5 * 13 *", 6, "outside 1-12"),
    ("native", "0 5 * * 8", 8, "0 is Sunday"),
    ("native", "5,,10 * * * *", 2, "empty item"),
    ("native", "*/0 * * * *", 2, "never advances"),
    ("native", "*/x * * * *", 2, "no step"),
    ("native", "0 5 * * FRI-SUN", 8, "SUN is 0"),
    ("native", "0 5 L * *", 4, "does not understand"),
    ("native", "0 5 ? * *", 4, "does not understand"),
    ("native", "daily", 0, "no cron expression"),
    ("native", "@dayly", 0, "does not know @dayly"),
    ("native", "@daily 5", 7, "nothing can follow"),
    ("native", "٣ * * * *", 0, "does not understand"),
    ("vixie", "5/15 * * * *", 0, "only after * or a range"),
    ("pg_cron", "75 seconds", 0, "1 to 59"),
    ("github", "@daily", 0, "does not know"),
    ("github", "0 5 * * 7", 8, "outside 0-6"),
    ("robfig", "0 5 * * 7", 8, "outside 0-6"),
    ("robfig", "@every 1x", 7, "no duration"),
    ("robfig", "CRON_TZ=Asia/Tokyo", 0, "fields are missing"),
    ("eventbridge", "cron(0 12 * * * *)", 14, "needs ?"),
    ("eventbridge", "cron(0 12 ? * ? *)", 14, "only one"),
    ("eventbridge", "cron(0 12 * * ?)", 14, "reads 6 fields"),
    ("eventbridge", "cron(0 12 ? * 0 *)", 14, "1 is Sunday"),
    ("eventbridge", "rate(1 hours)", 7, "rate(1 hour)"),
    ("eventbridge", "rate(5 minute)", 7, "rate(5 minutes)"),
    ("eventbridge", "at(2027-01-01)", 0, "is not at("),
    ("cloudflare", "0 16 * * 0", 9, "1 is Sunday"),
    ("vercel", "0 5 * * MON", 8, "does not understand"),
    ("vercel", "0 5 1 * 1", 8, "not both"),
    ("apscheduler", "0 5 * * 7", 8, "6 is Sunday"),
    ("apscheduler", "*/90 * * * *", 2, "refuses a step of 90"),
    ("apscheduler", "hours=3", 0, "no field hours"),
    ("celery", "0 5 * * 7", 8, "outside 0-6"),
    ("jenkins", "H(50-70) * * * *", 0, "outside 0-59"),
    ("quartz", "0 0 12 * * *", 11, "needs ?"),
    ("systemd", "Mon 25:00", 4, "outside 0-23"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "offset", "part"), REFUSED)
def test_refuses_with_the_place(dialect: str, text: str, offset: int, part: str) -> None:
    """The message says what is wrong, the offset where."""
    with pytest.raises(Invalid) as refused:
        parse_text(dialect, text)
    assert part in refused.value.message
    assert refused.value.offset == offset
    assert len(refused.value.message) <= 120


MEANINGS = [
    ("native", "0 5 * * *", "at 05:00"),
    ("native", "30 4 1-7 * MON", "at 04:30 on day 1-7 or Monday"),
    ("native", "30 4 */2 * MON", "at 04:30 on day 1-31/2 if it is Monday"),
    ("native", "0 6 29 2 *", "at 06:00 on day 29 in February"),
    ("native", "*/15 * * * *", "every 15m"),
    ("native", "5/15 * * * *", "every 15m from 00:05"),
    ("native", "@weekly", "at 00:00 on Sunday"),
    ("native", "0 9-17 * * 1-5", "every 1h from 09:00 to 17:00 on Monday-Friday"),
    ("vixie", "@reboot", "at start-up"),
    ("github", "0 5 * * 0", "at 05:00 on Sunday"),
    ("robfig", "TZ=Asia/Tokyo 0 5 ? * 1", "at 05:00 on Monday"),
    ("robfig", "@every 1h30m", "every 1h30m"),
    ("robfig", "0 5 */2 * 1", "at 05:00 on day 1-31/2 or Monday"),
    ("eventbridge", "cron(0 12 ? * 2-6 *)", "at 12:00 on Monday-Friday"),
    ("eventbridge", "cron(0 12 L * ? *)", "at 12:00 on the last day"),
    ("eventbridge", "cron(0 12 15W * ? 2027)", "at 12:00 on the working day nearest to 15 in 2027"),
    ("eventbridge", "rate(5 minutes)", "every 5m"),
    ("eventbridge", "at(2027-03-14T02:30:00)", "once, at 2027-03-14 02:30:00"),
    ("cloudflare", "59 23 LW * *", "at 23:59 on the last working day"),
    ("cloudflare", "0 8 * * 1", "at 08:00 on Sunday"),
    ("quartz", "0 0 12 ? * 6L", "at 12:00 on the last Friday"),
    ("pg_cron", "0 3 $ * *", "at 03:00 on the last day"),
    ("pg_cron", "10 seconds", "every 10s"),
    ("apscheduler", "0 3 * * 0", "at 03:00 on Monday"),
    ("apscheduler", "day=2nd fri; hour=3", "at 03:00 on the second Friday"),
    ("celery", "0 22-1 * * tuesday", "at 00:00, 01:00, 22:00 and 23:00 on Tuesday"),
    ("croniter", "0 0 * * 5#1", "at 00:00 on the first Friday"),
    ("croniter", "0 0 * * L5", "at 00:00 on the last Friday"),
    ("croniter_and", "0 7 1 * 1", "at 07:00 on day 1 if it is Monday"),
    ("gitlab", "0 4 * * 7", "at 04:00 on Sunday"),
    ("google", "0 4 * * 7", "at 04:00 on Sunday"),
    ("systemd", "Mon *-05~07/1 04:00", "at 04:00 on the last 7 days if it is Monday in May"),
    ("systemd", "quarterly", "at 00:00 on day 1 in January, April, July and October"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "meaning"), MEANINGS)
def test_means(dialect: str, text: str, meaning: str) -> None:
    """In a few English words."""
    assert describe(parse_text(dialect, text)) == meaning


@pytest.mark.parametrize("dialect", list(Dialect))
def test_every_dialect_has_a_reader(dialect: Dialect) -> None:
    """What no dialect reads is refused, not a fault of ours."""
    with pytest.raises(Invalid):
        parse_text(str(dialect), "every now and then, if you please")


def test_an_expression_may_carry_its_zone() -> None:
    """Kubernetes' CRON_TZ, Jenkins' TZ and systemd's last word."""
    assert parse_text("robfig", "CRON_TZ=Asia/Tokyo 0 5 * * *").zone == "Asia/Tokyo"
    assert parse_text("jenkins", "TZ=Asia/Tokyo 0 5 * * *").zone == "Asia/Tokyo"
    assert parse_text("systemd", "*-*-* 05:00 Asia/Tokyo").zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("jenkins", "H H(0-7) * * *"),
        ("jenkins", "@daily"),
        ("vixie", "0~30 5 * * *"),
        ("eventbridge", "rate(1 day)"),
        ("robfig", "@every 2h"),
    ],
)
def test_what_the_engine_chooses_itself_floats(dialect: str, text: str) -> None:
    """The period is known, the instants are not."""
    assert parse_text(dialect, text).floating


def test_an_interval_comes_from_its_seconds() -> None:
    """`every` is read by the format; None means that it could not be."""
    span = Span.of("schedules.toml", 1, 1, 1, 4)
    assert describe(parse(Firing(dialect=Dialect.INTERVAL, expression="90m", span=span, every_s=5400))) == "every 1h30m"
    for seconds in (0, -60, None):
        with pytest.raises(Invalid):
            parse(Firing(dialect=Dialect.INTERVAL, expression="soon", span=span, every_s=seconds))
