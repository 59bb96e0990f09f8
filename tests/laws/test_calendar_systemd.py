"""The calendar's OnCalendar against `systemd-analyze calendar`, where it is installed.

At a clock change systemd leaves a skipped time out and runs a doubled one once, the first time round, an hourly timer
as well: it misses an hour in autumn. Every difference found, all of systemd 252's:

- `*:0/7`, a step that does not end with its field, loses its first value when the field above turns as well: after
  23:56 comes 00:07 (it adds the step once more, to minute 63, and searches on from 00:03). Also in UTC.
- `*-*~07/3 *:30`, days counted from the end of the month, on the day on which the clock goes back: the first pass of
  the doubled hour is lost and the second one used.
- On the day on which Lord Howe skips half an hour, a timer within it elapses at a time that it does not name.
- Asked from within the second pass of a doubled hour, it elapses there; a timer that elapsed in the first does not.
- It gives up ("Resource deadlock avoided") on a few that match only far away.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from anchorlint.manifests.calendar import Invalid, firings, parse_text, zone
from laws.calendar_expressions import ZONES, clock_changes

TOOL = shutil.which("systemd-analyze")
pytestmark = pytest.mark.skipif(TOOL is None, reason="systemd-analyze is not installed")
COUNT = 6
_DAYS = ("Mon", "Tue", "Wednesday", "Thu", "Fri", "sat", "Sunday")
_MOMENT = re.compile(r"(?:Next elapse|Iter\. #\d+): \w+ (\S+ \S+) UTC$")


def _ask(expressions: Sequence[str], base: datetime) -> dict[str, list[datetime]]:
    """What systemd says to each, in one process where it can; it leaves out those that it gives up on."""
    command = [str(TOOL), "calendar", f"--iterations={COUNT}", f"--base-time={base:%Y-%m-%d %H:%M:%S} UTC"]
    environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C", "SYSTEMD_COLORS": "0"}
    done = subprocess.run([*command, *expressions], capture_output=True, text=True, env=environment, check=False)
    blocks = [block for block in done.stdout.split("\n\n") if block.strip()]
    if len(blocks) < len(expressions):
        assert "deadlock avoided" in done.stderr
        if len(expressions) == 1:
            return {}
        middle = len(expressions) // 2
        return _ask(expressions[:middle], base) | _ask(expressions[middle:], base)
    return {text: _moments(block) for text, block in zip(expressions, blocks, strict=True)}


def _moments(block: str) -> list[datetime]:
    found = (_MOMENT.search(line.strip()) for line in block.splitlines())
    return [datetime.fromisoformat(match[1]).replace(tzinfo=UTC) for match in found if match]


def _shared_zones() -> tuple[str, ...]:
    """The zones for which the machine's rules are those of the tzdata package in these years."""
    noons = [datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(days=day) for day in range(9 * 365)]
    return tuple(
        name
        for name in ZONES
        if Path("/usr/share/zoneinfo", name).exists()
        and all(
            noon.astimezone(ZoneInfo(name)).utcoffset() == noon.astimezone(zone(name)).utcoffset() for noon in noons
        )
    )


def _expression(source: random.Random, zones: Sequence[str]) -> str:
    days = source.choice(["", "", "", "Mon..Fri ", f"{source.choice(_DAYS)} ", "Tue,Thu..Sat "])
    date = source.choice(["*-*-*", "*-*-*", _date(source), _date(source)])
    low = source.random() < 0.7
    hour = source.choice(["*", _part(source, 0, 3 if low else 23), _part(source, 0, 23), "0/1"])
    minute = source.choice(["*", _part(source, 0, 59), _part(source, 0, 59), "0/15", "30"])
    return f"{days}{date} {hour}:{minute} {source.choice(zones)}"


def _date(source: random.Random) -> str:
    year = source.choice(["*", "*", "*", "2026/1", "2026..2028", "2026,2027"])
    month = source.choice(["*", "*", _part(source, 1, 12)])
    if source.random() < 0.3:
        first = source.randint(2, 20)
        return f"{year}-{month}~{source.choice([f'{first}', f'{first}/1', f'2..{first}', f'1..{first}/3', '07/3'])}"
    return f"{year}-{month}-{_part(source, 1, 31)}"


def _part(source: random.Random, low: int, high: int) -> str:
    first = source.randint(low, high - 1)
    last = source.randint(first, high)
    shapes = [
        f"{first:02}",
        f"{first}",
        f"{first}..{last}",
        f"{first}..{last}/2",
        f"{first}/{source.randint(1, high - first)}",
    ]
    return ",".join(source.sample(shapes, source.choice([1, 1, 2])))


def _compare(seed: int, count: int) -> list[str]:
    source = random.Random(seed)
    zones = _shared_zones()
    changes = sorted({change for name in zones for change in clock_changes(name, 2026, 2027)})
    wrong = []
    for _ in range(count // 100):
        base = source.choice(changes) - timedelta(minutes=source.randrange(30 * 60))
        expressions = list(dict.fromkeys(_expression(source, zones) for _ in range(100)))
        for text, wanted in _ask(expressions, base).items():
            got = _first(text, base, wanted)
            if got != wanted and not _has_a_reason(text, base, wanted):
                wrong.append(f"{text} from {base}: {got} instead of {wanted}")
    return wrong


def _has_a_reason(text: str, base: datetime, wanted: Sequence[datetime]) -> bool:
    place = zone(text.split()[-1])
    if base.astimezone(place).fold:
        return True
    if text.endswith("Lord_Howe") and any(moment.month == 10 for moment in wanted):
        return True
    if "~" in text:
        return any(moment.astimezone(place).fold for moment in wanted)
    date, time = text.split()[-3:-1]
    parts = zip([*date.split("-"), *time.split(":")], (2199, 12, 31, 23, 59), strict=True)
    return any(_oversteps(item, high) for part, high in parts for item in part.split(","))


def _oversteps(item: str, high: int) -> bool:
    match = re.fullmatch(r"(\d+)/(\d+)", item)
    return bool(match) and (high + 1 - int(match[1])) % int(match[2]) != 0


def _first(text: str, base: datetime, wanted: list[datetime]) -> list[datetime]:
    """As many firings as were asked for, as far as systemd's answer reaches and for eight years where it has fewer."""
    end = wanted[-1] + timedelta(seconds=1) if len(wanted) == COUNT else base + timedelta(days=8 * 366)
    # systemd's next elapse lies after the base time, never on it.
    moments = firings(parse_text("systemd", text), "UTC", base + timedelta(seconds=1), end)
    return [moment for _, moment in zip(range(COUNT), moments, strict=False)]


def test_random_timers_elapse_as_systemd_says() -> None:
    """Around clock changes, in every kind of zone."""
    assert not _compare(seed=252, count=400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_more_elapse_as_systemd_says(seed: int) -> None:
    """The same with other seeds."""
    assert not _compare(seed, count=10_000)


REFUSED = ("Sat..Mon", "*-*-*/5", "*:0/90", "*-*~31", "*:59/1", "24:00", "*-*-32", "0 5 * * *", "@daily", "*-*~5/5",
           "Mon, Wed 1:1", "22..3:00", "*-*-31/0", "Funday 1:00", "12:00 America/Nowhere")  # fmt: skip
ACCEPTED = ("Mon-Fri", "daily", "annually", "27-1-1", "5-12 3:4", "12:00:00.000", "*-*~6/5", "*:10..12/50", "Mon")


@pytest.mark.parametrize("text", [*REFUSED, *ACCEPTED])
def test_refuses_what_systemd_refuses(text: str) -> None:
    """Each way round."""
    done = subprocess.run([str(TOOL), "calendar", text], capture_output=True, check=False)
    assert (done.returncode != 0) == (text in REFUSED)
    if text in REFUSED:
        with pytest.raises(Invalid):
            parse_text("systemd", text)
    else:
        parse_text("systemd", text)
