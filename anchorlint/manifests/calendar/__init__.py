"""When a schedule fires: every dialect's expressions, expanded to instants as its engine does, clock changes included.

`parse` reads a firing into a `Pattern` or raises `Invalid`; everything else asks a pattern. Zones come from the tzdata
package alone. A zone is a name or a `ZoneInfo`; instants are aware datetimes, UTC where they are returned.
"""

from __future__ import annotations

from anchorlint.manifests.calendar.describing import describe
from anchorlint.manifests.calendar.hazards import Hazard, hazards
from anchorlint.manifests.calendar.pattern import Invalid, Pattern
from anchorlint.manifests.calendar.queries import (
    firing_seconds,
    firings,
    local_dates,
    next_firing,
    previous,
    shortest_period_s,
)
from anchorlint.manifests.calendar.reading import parse, parse_text
from anchorlint.manifests.calendar.surprises import Surprise, can_fire, surprises
from anchorlint.manifests.calendar.zones import nearest_zone, valid_zone, zone, zone_names

__all__ = [
    "Hazard",
    "Invalid",
    "Pattern",
    "Surprise",
    "can_fire",
    "describe",
    "firing_seconds",
    "firings",
    "hazards",
    "local_dates",
    "nearest_zone",
    "next_firing",
    "parse",
    "parse_text",
    "previous",
    "shortest_period_s",
    "surprises",
    "valid_zone",
    "zone",
    "zone_names",
]
