"""Periods without a clock: `every`, `@every`, `rate()`, `n seconds`."""

from __future__ import annotations

import re

from anchorlint.manifests.calendar.pattern import Invalid, whole

_GO_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_GO_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST_S = 2**63 / 1e9
_RATE = re.compile(r"rate\(\s*(\d+)\s+(\w+)\s*\)$", re.ASCII)
_RATE_UNITS = {"minute": 60, "hour": 3600, "day": 86400}
_PG_SECONDS = re.compile(r"\s*(\d+)\s+seconds?\s*$", re.IGNORECASE | re.ASCII)


def parse_go_duration(text: str, offset: int = 0) -> float:
    """Go's `1h30m` in seconds, rounded down to whole seconds and at least one, as robfig does."""
    place, total_s = 0, 0.0
    for part in _GO_PART.finditer(text):
        if part.start() != place:
            break
        total_s += float(part[1]) * _GO_UNITS[part[2]]
        place = part.end()
    if not text or place != len(text):
        raise Invalid(f'"{text}" is no duration such as 1h30m', offset + place)
    if total_s > _LONGEST_S:
        raise Invalid(f'"{text}" is more than Go can count', offset)
    return float(max(1, int(total_s)))


def parse_rate(text: str) -> float:
    """EventBridge's `rate(value unit)` in seconds; raises Invalid where AWS refuses it."""
    match = _RATE.match(text)
    unit = match[2] if match else ""
    if match is None or unit.removesuffix("s") not in _RATE_UNITS:
        raise Invalid(f'"{" ".join(text.split())}" is not rate(value minutes|hours|days)')
    count = whole(match[1])
    if count == 0:
        raise Invalid("a rate of 0 never fires", match.start(1))
    if (count == 1) == unit.endswith("s"):
        wanted = unit.removesuffix("s") if count == 1 else f"{unit}s"
        raise Invalid(f"AWS refuses rate({count} {unit}): write rate({count} {wanted})", match.start(2))
    return float(count * _RATE_UNITS[unit.removesuffix("s")])


def parse_pg_seconds(text: str) -> float | None:
    """pg_cron's `n seconds` in seconds, None if the text is something else; raises Invalid above 59."""
    match = _PG_SECONDS.match(text)
    if match is None:
        return None
    count = whole(match[1])
    if not 1 <= count <= 59:
        raise Invalid(f"pg_cron takes 1 to 59 seconds, not {count}", match.start(1))
    return float(count)
