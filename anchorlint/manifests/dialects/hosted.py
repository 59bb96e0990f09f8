"""Crons of hosting platforms: Cloudflare's wrangler.toml, .json and .jsonc, and Vercel's vercel.json."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from anchorlint.documents import Entry, Kind, Node, json, toml
from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.manifests.dialects import NOT_OURS, Reading
from anchorlint.manifests.dialects.placeholders import skipped


def read(text: str, path: str) -> Reading:
    """The crons of a wrangler or vercel configuration; raises Malformed."""
    comments = posixpath.basename(path).startswith("wrangler")
    document = toml.read(text, path) if path.endswith(".toml") else json.read(text, path, comments=comments)
    if document.kind is not Kind.MAPPING:
        return NOT_OURS
    found = list(_cloudflare(document, path) if comments else _vercel(document, path))
    reasons = [skipped(cron) for cron, _ in found]
    if not found:
        return NOT_OURS
    return Reading(
        tuple(schedule for (_, schedule), why in zip(found, reasons, strict=True) if why is None),
        skipped=tuple(why for why in reasons if why is not None),
    )


def _cloudflare(document: Node, path: str) -> Iterator[tuple[Node, Schedule]]:
    """The triggers of the Worker and of each of its environments."""
    named = document.entry("name")
    environments = document.child("env")
    below = environments.entries if environments else ()
    for environment, node in (("", document), *((entry.key, entry.node) for entry in below)):
        listed = node.child("triggers", "crons")
        crons = listed.items if listed else ()
        for cron in crons:
            name = "-".join(part for part in (named.node.raw if named else "worker", environment) if part)
            id_ = f'{name} "{cron.raw}"' if len(crons) > 1 else name
            yield cron, _schedule(id_, "cloudflare", cron, f"{path}::{name}", Dialect.CLOUDFLARE, named, (name,))


def _vercel(document: Node, path: str) -> Iterator[tuple[Node, Schedule]]:
    listed = document.child("crons")
    for item in listed.items if listed else ():
        called, cron = item.entry("path"), item.child("schedule")
        if called is not None and cron is not None:
            route = called.node.raw.partition("?")[0]
            yield cron, _schedule(called.node.raw, "vercel", cron, f"{path}::{route}", Dialect.VERCEL, called, (route,))


def _schedule(
    id_: str, format_: str, cron: Node, workflow: str, dialect: Dialect, named: Entry | None, recorded: tuple[str, ...]
) -> Schedule:
    return Schedule(
        id=id_,
        format=format_,
        span=cron.span,
        id_span=named.node.span if named else cron.span,
        workflow=workflow,
        scope=cron.span.path,
        firing=Firing(dialect=dialect, expression=cron.raw, span=cron.span),
        busy=Busy.ALLOW,
        recorded_as=recorded,
    )
