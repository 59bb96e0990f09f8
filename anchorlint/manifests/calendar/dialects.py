"""The cron dialects, one frozen row each: what they accept, how they read it, what they do when the clock changes."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

FIVE = ("minute", "hour", "day", "month", "weekday")
SIX_SECONDS_FIRST = ("second", *FIVE)
SIX_YEAR_LAST = (*FIVE, "year")
SEVEN = (*SIX_SECONDS_FIRST, "year")

_ALIASES = {"@annually": "@yearly", "@midnight": "@daily"}
NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_CLASSIC = (*NICKNAMES, *_ALIASES)


class Handling(msgspec.Struct, frozen=True):
    """What becomes of a wall time that a clock change leaves out (`gap`) or shows twice (`fold`).

    gap: drop = not run, after = at the end of the gap, shift = as late as the clock was moved (02:30 -> 03:30),
    first = the same for the first such time of the gap, while the others and all before its new place are left out,
    jump = left out together with all that lies before where the first would have moved to.
    """

    gap: Literal["drop", "after", "shift", "first", "jump"]
    fold: Literal["first", "second", "both"]


REAL_TIME = Handling("drop", "both")


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """One engine's cron.

    Weekdays run from `low_weekday` to `high_weekday` and `monday` is the number of Monday. `marks` are the signs
    beyond `* , - /` that it knows. `question`: no, star (= `*`), needed (in one day field).
    `days` is how day of the month and weekday combine: `vixie` = both if either text begins with a star, else either;
    `star` = both if either holds a bare star; `whole` = both if either names everything; `croniter` = the same, but a
    full list counts only beside a star; `both`; `one` = one of them has to be a star.
    `wrap`: whether a range may run backwards through the end; croniter counts steps there in its own way, takes 3-3
    for everything and 7 for 0.
    `real_time` says which patterns follow real minutes through a clock change: star (minute or hour begins with a
    star), hours (every hour), never. `known` is False where nobody documents what the engine does then.
    """

    name: str
    title: str
    layouts: tuple[tuple[str, ...], ...] = (FIVE,)
    low_weekday: int = 0
    high_weekday: int = 7
    monday: int = 1
    names: bool = True
    long_names: bool = False
    question: Literal["no", "star", "needed"] = "no"
    marks: frozenset[str] = frozenset()
    days: Literal["vixie", "star", "whole", "croniter", "both", "one"] = "whole"
    bare_step: bool = True
    long_step: bool = True
    wrap: Literal["no", "on", "croniter"] = "no"
    nicknames: tuple[str, ...] = ()
    every: bool = False
    zone_prefixes: tuple[str, ...] = ()
    shortest_s: int = 0
    handling: Handling = REAL_TIME
    real_time: Literal["star", "hours", "never"] = "never"
    known: bool = True
    utc_only: bool = False

    def expand_nickname(self, word: str) -> str | None:
        """The five fields behind `@daily` and its like, None if this dialect does not know the word."""
        return NICKNAMES.get(_ALIASES.get(word, word)) if word in self.nicknames else None


_QUARTZ_MARKS = frozenset({"L", "L-n", "LW", "W", "#", "nL"})
_DEBIAN = Handling("after", "first")


@lru_cache(maxsize=1)
def dialects() -> dict[str, Dialect]:
    """Every cron dialect by its name; systemd and plain intervals have readers of their own."""
    return {row.name: row for row in (*_crontabs(), *_clouds(), *_python())}


def _crontabs() -> tuple[Dialect, ...]:
    return (
        Dialect(name="native", title="the manifest", days="vixie", nicknames=_CLASSIC,
                handling=_DEBIAN, real_time="star", known=False),
        Dialect(name="vixie", title="cron", days="vixie", bare_step=False, nicknames=(*_CLASSIC, "@reboot"),
                marks=frozenset({"~"}), handling=_DEBIAN, real_time="star"),
        Dialect(name="pg_cron", title="pg_cron", days="vixie", bare_step=False, marks=frozenset({"$"}),
                nicknames=(*_CLASSIC, "@reboot")),
        Dialect(name="robfig", title="Kubernetes", high_weekday=6, question="star", days="star",
                nicknames=_CLASSIC, every=True, zone_prefixes=("CRON_TZ=", "TZ=")),
        Dialect(name="jenkins", title="Jenkins", names=False, bare_step=False, marks=frozenset({"H"}),
                nicknames=_CLASSIC, zone_prefixes=("TZ=",)),
        Dialect(name="quartz", title="Quartz", layouts=(SIX_SECONDS_FIRST, SEVEN), low_weekday=1, monday=2,
                question="needed", marks=_QUARTZ_MARKS, days="one", wrap="on",
                handling=Handling("drop", "first"), known=False),
    )  # fmt: skip


def _clouds() -> tuple[Dialect, ...]:
    return (
        Dialect(name="github", title="GitHub Actions", high_weekday=6, shortest_s=300, handling=_DEBIAN,
                real_time="hours"),
        Dialect(name="gitlab", title="GitLab", marks=frozenset({"L", "#"}), known=False),
        Dialect(name="vercel", title="Vercel", high_weekday=6, names=False, days="one", utc_only=True),
        Dialect(name="cloudflare", title="Cloudflare", low_weekday=1, monday=2, marks=_QUARTZ_MARKS, utc_only=True),
        Dialect(name="google", title="Cloud Scheduler", known=False),
        Dialect(name="eventbridge", title="EventBridge", layouts=(SIX_YEAR_LAST,), low_weekday=1, monday=2,
                question="needed", marks=_QUARTZ_MARKS, days="one", handling=Handling("drop", "first")),
    )  # fmt: skip


def _python() -> tuple[Dialect, ...]:
    croniter = Dialect(name="croniter", title="croniter", layouts=(FIVE, (*FIVE, "second"), (*FIVE, "second", "year")),
                       question="star", marks=frozenset({"L", "#", "Ln", "W"}), wrap="croniter", high_weekday=6,
                       days="croniter", nicknames=_CLASSIC,
                       handling=Handling("after", "both"), real_time="hours")  # fmt: skip
    return (
        croniter,
        msgspec.structs.replace(croniter, name="croniter_and", days="both"),
        msgspec.structs.replace(croniter, name="airflow", title="Airflow", handling=Handling("first", "second")),
        msgspec.structs.replace(croniter, name="dagster", title="Dagster", layouts=(FIVE,),
                                handling=Handling("after", "second")),
        Dialect(name="apscheduler", title="APScheduler", high_weekday=6, monday=0, days="both", long_step=False,
                marks=frozenset({"last", "2nd fri"}), handling=Handling("shift", "both")),
        Dialect(name="celery", title="Celery", high_weekday=6, days="both", wrap="on", bare_step=False, long_names=True,
                handling=Handling("first", "first")),
    )  # fmt: skip
