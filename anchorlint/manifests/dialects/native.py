"""anchorlint's own manifest, `schedules.toml`, `.yaml` or `.json`: a list `schedules` of entries."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from anchorlint.documents import Entry, Kind, Node, json, toml, yaml
from anchorlint.domain.finding import Note
from anchorlint.domain.schedule import Flaw, Schedule
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.native_entry import KEYS, NativeEntry

TOP_KEYS = ("version", "defaults", "schedules")
_TELLING = {"id", "workflow", "after_schedule_id", "after_schedule_ids", "on_busy", "entrypoint"}


def read(text: str, path: str) -> Reading:
    """The schedules of a native manifest; raises Malformed. Another file of that name is not ours."""
    document = _document(text, path)
    listed = document.child("schedules")
    if listed is None or listed.kind is not Kind.SEQUENCE or not _telling(document, listed):
        why = "no list of schedules with ids: taken for a file of another program"
        return Reading(skipped=(Skipped(path, 1, why),), ours=False) if document.entries else NOT_OURS
    defaults = document.child("defaults")
    flaws = [*_top_flaws(document), *_default_flaws(defaults)]
    schedules: list[Schedule] = []
    for number, item in enumerate(listed.items, 1):
        if item.kind is not Kind.MAPPING:
            message = f"entry {number} is {item.kind.said}, not a mapping of keys"
            flaws.append(Flaw(code="SCH418", message=message, span=item.span))
            continue
        entry = NativeEntry(item, defaults, path)
        schedule = entry.schedule()
        schedules.append(schedule)
        if schedule.enabled:
            flaws += [*_key_flaws(item, f"{schedule.name} has", KEYS), *entry.flaws]
    return Reading(tuple(schedules), (*flaws, *_same_ids(schedules)))


def _document(text: str, path: str) -> Node:
    if path.endswith(".toml"):
        return toml.read(text, path)
    return json.read(text, path) if path.endswith(".json") else yaml.read(text, path)


def _telling(document: Node, listed: Node) -> bool:
    """Whether the list is one of ours: an entry with a key that only our entries have, or an empty list of ours."""
    if not listed.items:
        return document.child("version") is not None
    return any(entry.key in _TELLING for item in listed.items for entry in item.entries)


def _top_flaws(document: Node) -> Iterator[Flaw]:
    # YAML files keep anchors in top-level keys of any name; only a near miss of ours is surely a mistake.
    for key in _key_flaws(document, "the manifest has", TOP_KEYS):
        if key.help or key.notes:
            yield key


def _default_flaws(defaults: Node | None) -> Iterator[Flaw]:
    if defaults is None or defaults.kind is Kind.NULL:
        return
    if defaults.kind is not Kind.MAPPING:
        yield Flaw(
            code="SCH418", message=f"defaults is {defaults.kind.said}, not a mapping of keys", span=defaults.span
        )
    yield from _key_flaws(defaults, "defaults has", KEYS)


def _key_flaws(node: Node, who: str, known: Iterable[str]) -> Iterator[Flaw]:
    """Keys that nobody reads, and keys that are written twice."""
    for entry in node.entries:
        if entry.key not in known and not entry.merged and not entry.key.startswith(("x-", "x_")):
            near = _near(entry.key, known)
            advice = f"did you mean {near}?" if near else None
            yield Flaw(code="SCH418", message=f"{who} an unknown key {entry.key}", span=entry.key_span, help=advice)
    for before, after in node.duplicates:
        yield _twice(who, before, after)


def _near(key: str, known: Iterable[str]) -> str | None:
    plain = {name.replace("_", ""): name for name in known}
    found = difflib.get_close_matches(key.replace("_", "").replace("-", "").lower(), plain, n=1, cutoff=0.7)
    return plain[found[0]] if found else None


def _twice(who: str, before: Entry, after: Entry) -> Flaw:
    note = Note("first written here, and dropped by most readers without a word", before.key_span)
    message = f"{who} two keys {after.key}, and only one of them counts"
    return Flaw(code="SCH418", message=message, span=after.key_span, notes=(note,))


def _same_ids(schedules: Iterable[Schedule]) -> Iterator[Flaw]:
    first: dict[str, Schedule] = {}
    for schedule in schedules:
        if not schedule.id:
            continue
        before = first.setdefault(schedule.id, schedule)
        if before is not schedule and schedule.enabled:
            line = before.id_span.start.line
            message = f"the id {schedule.id} is used again, first in line {line}"
            note = Note("the same id", before.id_span)
            help_line = "give each schedule an id of its own: dependencies and recorded runs go by it"
            yield Flaw(code="SCH418", message=message, span=schedule.id_span, notes=(note,), help=help_line)
