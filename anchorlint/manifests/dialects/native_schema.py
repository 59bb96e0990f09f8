"""The shape of a native manifest, for editors: `anchorlint schema manifest` prints it as JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(min_length=1)]
Ids = Annotated[tuple[Text, ...], Meta(min_length=1)]


class Values(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an entry may say, and what `defaults` may say for all entries."""

    workflow: Annotated[str, Meta(description="What runs; schedules of one workflow keep each other out.")] = ""
    cron: Annotated[str, Meta(description="Five fields: minute, hour, day, month, weekday.")] = ""
    every: Annotated[str, Meta(description="A period instead of a cron: 90s, 15m, 6h, 1d.")] = ""
    timezone: Annotated[str, Meta(description="An IANA zone such as Europe/Vienna.")] = "UTC"
    enabled: bool = True
    after_schedule_id: Annotated[str, Meta(description="The older form of after_schedule_ids.")] = ""
    after_schedule_ids: Annotated[Ids, Meta(description="It fires when all of these have ended.")] = ()
    after_terminal_status: Literal["completed", "any_terminal"] = "completed"
    after_delay_minutes: Annotated[float, Meta(ge=0)] = 0
    dependency_deadline: Annotated[
        str, Meta(description="The last local time at which it may start: 17:30, or 17:30 America/New_York.")
    ] = ""
    on_busy: Literal["skip", "queue", "fail"] = "skip"
    entrypoint: Annotated[str, Meta(description="package.module:function, the code that it runs.")] = ""


class Entry(Values, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One schedule."""

    id: Annotated[Text, Meta(description="Its name, known to dependents and recorded runs.")]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file called schedules.toml, schedules.yaml or schedules.json."""

    schedules: tuple[Entry, ...]
    version: Any = None
    defaults: Values = Values()
