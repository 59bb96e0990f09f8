"""What every schedule format is read into: when something fires, what it waits for, and how its runs ended."""

from __future__ import annotations

import enum
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Literal

import msgspec

from anchorlint.domain.finding import Note
from anchorlint.domain.span import Span


class Dialect(enum.StrEnum):
    """Whose rules an expression follows; the calendar knows what each accepts and what it does at a clock change."""

    NATIVE = "native"  # five Vixie fields; the engine behind the manifest is unknown
    VIXIE = "vixie"  # crontab, cron.d
    GITHUB = "github"
    ROBFIG = "robfig"  # Kubernetes CronJob, Argo CronWorkflow
    EVENTBRIDGE = "eventbridge"  # the six fields within cron(...)
    QUARTZ = "quartz"
    JENKINS = "jenkins"
    CLOUDFLARE = "cloudflare"
    GOOGLE = "google"  # Cloud Scheduler
    PG_CRON = "pg_cron"
    APSCHEDULER = "apscheduler"  # from_crontab's five fields, or the keywords as `day=last; hour=3`
    CELERY = "celery"  # the five arguments of crontab() as cron fields
    CRONITER = "croniter"  # Prefect, Superset
    CRONITER_AND = "croniter_and"  # the same with day_or=False
    AIRFLOW = "airflow"
    DAGSTER = "dagster"
    GITLAB = "gitlab"
    VERCEL = "vercel"
    SYSTEMD = "systemd"  # OnCalendar
    INTERVAL = "interval"  # a period without a clock: `every`, rate(), timedelta


class Busy(enum.StrEnum):
    """What happens to a firing while the run before it still holds the workflow."""

    SKIP = "skip"
    QUEUE = "queue"
    FAIL = "fail"
    CANCEL = "cancel"  # the running one is cut
    ALLOW = "allow"  # both run


class Firing(msgspec.Struct, frozen=True, kw_only=True):
    """When a schedule fires: an expression of a dialect on the local clock of a zone, or a period in seconds.

    `every_s` is set for INTERVAL alone, and None there when the text could not be read. `jitter_s` is how much later
    than the nominal instant the engine may start it.
    """

    dialect: Dialect
    expression: str
    span: Span
    zone: str = "UTC"
    every_s: float | None = None
    jitter_s: float = 0.0


class Prerequisite(msgspec.Struct, frozen=True):
    """The id of a schedule that has to end first, where it stands, and how long before ours it fires (logical dates).

    `offset_s` is 0 unless the format looks for an occurrence of an earlier instant (execution_delta). `match` says how
    the occurrence of ours finds that of the other: on the same local date, at the very instant (less the offset), or
    by what nobody can tell. `partial` says that not its whole run has to end, so that two may wait for each other.
    """

    id: str
    span: Span
    offset_s: float = 0.0
    match: Literal["date", "instant", "unknown"] = "date"
    partial: bool = False


class Deadline(msgspec.Struct, frozen=True, kw_only=True):
    """The last local time of the dependent's own date at which it may start.

    `minute` counts from local midnight of `zone`, None when the text is malformed; `fault` then says why.
    `within_s` is for formats that limit the wait instead (the timeout of a sensor).
    """

    text: str
    span: Span
    minute: int | None = None
    zone: str = "UTC"
    within_s: float | None = None
    fault: str | None = None


class Stated(msgspec.Struct, frozen=True):
    """A value as it was written, not yet judged, and where it stands; `kind` is the document's word for its type."""

    value: str | float | int | bool | None
    kind: str
    span: Span


class Dependency(msgspec.Struct, frozen=True, kw_only=True):
    """What a dependent waits for: `legacy` from the old single field, `listed` from the list (None if not written).

    `span` is the line that names the prerequisites (key and value). `status`, `delay` and `deadline` are None where
    the format or the entry says nothing. `any_of` is set where the end of each single one starts the dependent.
    `remedy` says how the format limits the wait, where it has something else than a deadline.
    """

    span: Span
    legacy: Prerequisite | None = None
    listed: tuple[Prerequisite, ...] | None = None
    legacy_span: Span | None = None
    status: Stated | None = None
    delay: Stated | None = None
    deadline: Deadline | None = None
    needs_deadline: bool = True  # False for formats that have no such field
    any_of: bool = False
    remedy: str | None = None

    @property
    def prerequisites(self) -> tuple[Prerequisite, ...]:
        """Every named prerequisite with a non-empty id, each id once, in the order of the text."""
        named = (*((self.legacy,) if self.legacy else ()), *(self.listed or ()))
        return tuple({p.id: p for p in reversed(named) if p.id.strip()}.values())[::-1]

    @property
    def delay_s(self) -> float:
        """The wait after the last prerequisite has ended, in seconds; 0 when it is not a number or negative."""
        value = self.delay.value if self.delay else 0
        usable = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e7
        return float(value) * 60 if usable else 0.0  # type: ignore[arg-type]


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the runs of a schedule leave behind, by its name, for `kept_s` seconds.

    A `*` in the name stands for whatever differs from run to run. `span` is where the retention is stated, or where
    it is left behind when the default of the format applies (`default` says so).
    """

    what: str
    kept_s: float
    span: Span
    default: bool = False

    def named(self, what: str) -> bool:
        """Whether a reader that asks for `what`, which may hold a `*` as well, may get this."""
        return fnmatchcase(self.what, what) or fnmatchcase(what, self.what)


class Retained(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a schedule reads and that is kept for `kept_s` seconds after it was written.

    `writer` is the id of the schedule that writes it; None means the run before this one does. `span` is where the
    retention is stated, or the read when the default of the format applies (`default` says so). Where `kept_s` is
    None, it is what the writer says of the `Kept` of this name; without a writer, then, whoever keeps such a thing.
    """

    what: str
    kept_s: float | None
    span: Span
    read_span: Span
    writer: str | None = None
    default: bool = False


class Polled(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence that a clock offset stands for "after `other` has ended": a sleep, a delta, a look at its newest run.

    `how` goes on from the name of the schedule, as in `sleeps 20m`, and `remedy` says what its format has instead, with
    `{other}` for the name of the other one.
    `newest` is set where the newest run is taken, which is harmless if one of the two fires much more often. `what`
    names what is taken where nothing says whose it is: that of the schedule which keeps something of this name.
    `offset_s` is set where a run that many seconds before ours is waited for: harmless if the other one has it.
    """

    how: str
    span: Span
    other: str | None = None
    newest: bool = False
    what: str | None = None
    remedy: str | None = None
    offset_s: float | None = None


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """A fault that only the reader of the format can see; the check of `code` reports it."""

    code: str
    message: str
    span: Span
    notes: tuple[Note, ...] = ()
    help: str | None = None


class Schedule(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One thing that fires, whatever the format; compared by identity, since two entries may carry one id.

    `workflow` is equal for schedules whose runs cannot go on at once (the reader computes it, unique across files).
    `scope` is the namespace of the ids (usually the file). `recorded_as` are further names under which recorded runs
    and other schedules speak of it. `span` is the whole entry, `id_span` the id; an entry without an id has the id "".
    `firing` is None for a dependent without a cron; `zone` is the one of its local dates, `zone_span` where it is
    written. Of several with one `slot` only the last one in the order of the paths counts: it has replaced the others.
    `entrypoint` is the function that it runs ("package.module:function"), `entrypoints` are those of a format that
    runs several.
    """

    id: str
    format: str
    span: Span
    id_span: Span
    workflow: str
    scope: str
    firing: Firing | None = None
    zone: str = "UTC"
    zone_span: Span | None = None
    enabled: bool = True
    busy: Busy = Busy.SKIP
    dependency: Dependency | None = None
    reads: tuple[Retained, ...] = ()
    keeps: tuple[Kept, ...] = ()
    polled: tuple[Polled, ...] = ()
    entrypoint: str | None = None
    entrypoints: tuple[str, ...] = ()
    recorded_as: tuple[str, ...] = ()
    slot: str | None = None

    @property
    def name(self) -> str:
        """The id, or words for an entry without one."""
        return " ".join(self.id.split()) or f"the entry in line {self.span.start.line}"

    @property
    def dependent(self) -> bool:
        """Whether it fires when others end, so that its cron (if any) only names its local dates."""
        return self.dependency is not None and bool(self.dependency.prerequisites)


class Ending(enum.StrEnum):
    """How a recorded run ended, as far as its length is concerned."""

    COMPLETED = "completed"
    FAILED = "failed"
    CUT = "cut"  # cancelled, replaced or timed out while it ran: it was at least that long
    NONE = "none"  # skipped, still running, or cancelled before it started: no duration


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded run; instants are aware. `schedule` is the name that the record uses.

    `perhaps_waited` says that the record shows a cancelled run alike, whether it had begun or still waited in a queue.
    `by_clock` is False for a run that something else than the schedule's clock has started.
    """

    schedule: str
    ending: Ending
    started_at: datetime | None = None
    finished_at: datetime | None = None
    scheduled_for: datetime | None = None
    perhaps_waited: bool = False
    by_clock: bool = True

    @property
    def duration_s(self) -> float | None:
        """finished - started in seconds, None for a run that has no duration."""
        if self.ending is Ending.NONE or self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()
