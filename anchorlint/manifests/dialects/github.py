"""GitHub Actions: the crons of a workflow, and the workflows whose end starts it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from anchorlint.documents import Kind, Node, yaml
from anchorlint.domain.schedule import Dependency, Dialect, Firing, Flaw, Prerequisite, Schedule
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.github_groups import group
from anchorlint.manifests.dialects.github_jobs import Jobs
from anchorlint.manifests.dialects.placeholders import skipped

_NAME = re.compile(
    r"^name[ \t]*:[ \t]*(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s#\"'][^#\n]*?))[ \t]*(?:#[^\n]*)?$", re.MULTILINE
)
_ASKED_FOR = {"workflow_dispatch", "workflow_call", "repository_dispatch"}
_BY_HAND = {*_ASKED_FOR, "schedule", "workflow_run"}
# Workflows that GitHub itself adds, without a file in the repository.
_BUILT_IN = (
    "pages-build-deployment",
    "pages build and deployment",
    "CodeQL",
    "Dependabot Updates",
    "Dependency Graph",
    "Automatic Dependency Submission",
    "Copilot code review",
    "Copilot coding agent",
)


def read(text: str, path: str) -> Reading:
    """The schedules of one workflow file; raises Malformed. A file without any only lends its name."""
    scope = posixpath.dirname(path)
    if "schedule" not in text and "workflow_run" not in text:
        return Reading(names=_names(scope, _quick_name(text, path)))
    document = yaml.read(text, path)
    if document.kind is not Kind.MAPPING or document.entry("on") is None:
        return NOT_OURS
    workflow = _Workflow(document, path, text.split("\n"))
    return Reading(
        tuple(workflow.schedules()),
        tuple(workflow.flaws()),
        tuple(workflow.skipped()),
        names=_names(scope, workflow.name),
    )


def _quick_name(text: str, path: str) -> str:
    """The name of a workflow without reading its document; without a name GitHub uses the path."""
    found = _NAME.search(text)
    return (found[1] or found[2] or found[3]) if found else _own_path(path)


def _own_path(path: str) -> str:
    """The path within the repository, which is what GitHub calls a workflow without a name."""
    return "/".join(path.split("/")[-3:])


def _names(scope: str, name: str) -> tuple[tuple[str, str], ...]:
    return tuple((scope, known) for known in (name, *_BUILT_IN))


class _Workflow:
    def __init__(self, document: Node, path: str, lines: list[str]) -> None:
        self.document = document
        self.path = path
        self.scope = posixpath.dirname(path)
        self.file = posixpath.basename(path)
        named = document.entry("name")
        self.name = named.node.raw if named and named.node.raw else _own_path(path)
        self.name_span = named.node.span if named and named.node.raw else document.entries[0].key_span
        self.events = document.child("on") or document
        self.jobs = Jobs(document, path, self.name, lines)
        self.group, self.busy = group(document, path, self.name)

    def schedules(self) -> Iterator[Schedule]:
        crons = list(self._crons())
        for item, cron in crons:
            id_ = self.name if len(crons) == 1 else f'{self.name} "{cron.raw}"'
            yield self._scheduled(id_, item, cron)
        dependency = self._dependency()
        if dependency is not None:
            id_ = f"{self.name} (workflow_run)" if crons else self.name
            yield self._schedule(id_, dependency.span, dependency=dependency)

    def _crons(self) -> Iterator[tuple[Node, Node]]:
        """Each entry of `on.schedule` that has a cron, with its text."""
        listed = self.events.child("schedule")
        for item in listed.items if listed else ():
            cron = item.child("cron")
            if cron is not None and cron.kind is Kind.TEXT and skipped(cron) is None:
                yield item, cron

    def skipped(self) -> Iterator[Skipped]:
        """The crons that a template fills in."""
        listed = self.events.child("schedule")
        for item in listed.items if listed else ():
            cron = item.child("cron")
            why = skipped(cron) if cron is not None else None
            if why is not None:
                yield why

    def _scheduled(self, id_: str, item: Node, cron: Node) -> Schedule:
        zone = item.child("timezone")
        named = zone.text if zone else None
        firing = Firing(dialect=Dialect.GITHUB, expression=cron.raw, span=cron.span, zone=named or "UTC")
        return self._schedule(id_, item.span, firing, zone if named else None)

    def _schedule(
        self, id_: str, span: object, firing: Firing | None = None, zone: Node | None = None,
        dependency: Dependency | None = None,
    ) -> Schedule:  # fmt: skip
        otherwise = self._starts_otherwise()
        return Schedule(
            id=id_,
            format="github",
            span=span,  # type: ignore[arg-type]
            id_span=self.name_span,
            workflow=self.group,
            scope=self.scope,
            firing=firing,
            zone=firing.zone if firing else "UTC",
            zone_span=zone.span if zone else None,
            busy=self.busy,
            dependency=dependency,
            reads=(*self.jobs.reads, *(() if otherwise else self.jobs.caches)) if firing else (),
            keeps=() if otherwise else tuple(self.jobs.keeps),
            polled=tuple(self.jobs.polled) if firing else (),
            recorded_as=(self.name, self.file, _own_path(self.path)),
        )

    def _starts_otherwise(self) -> bool:
        """Whether events such as a push start the workflow, too, of which nobody knows when they come."""
        return any(entry.key not in _BY_HAND for entry in self.events.entries)

    def _dependency(self) -> Dependency | None:
        entry = self.events.entry("workflow_run")
        listed = entry.node.entry("workflows") if entry else None
        if entry is None or listed is None:
            return None
        items = listed.node.items or ((listed.node,) if listed.node.text else ())
        exact = [item for item in items if item.text and not set("*${") & set(item.raw)]
        if not exact:
            return None
        named = tuple(Prerequisite(item.raw, item.span) for item in exact)
        alone = len(items) == 1 and {each.key for each in self.events.entries} <= {*_ASKED_FOR, "workflow_run"}
        return Dependency(span=listed.span, listed=named, needs_deadline=False, any_of=not alone)

    def flaws(self) -> Iterator[Flaw]:
        entry = self.events.entry("schedule")
        if entry is None:
            return
        if entry.node.kind is not Kind.SEQUENCE:
            message = f"schedule is {entry.node.kind.said}, not a list of crons, so GitHub refuses the workflow"
            yield Flaw(code="SCH418", message=message, span=entry.span, help='write - cron: "..." below it')
        for item in entry.node.items:
            if item.entry("cron") is None:
                message = "an entry of schedule without cron, so GitHub refuses the workflow"
                yield Flaw(code="SCH418", message=message, span=item.span, help='write - cron: "17 4 * * *"')
