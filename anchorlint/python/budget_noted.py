"""What the name of a noted field tells: that each success writes it anew, or that the item has come to its end."""

from __future__ import annotations

from collections.abc import Iterable

from anchorlint.knowledge.families import parts as spelled

_ENDING = frozenset({"status", "state", "done", "finished", "completed", "complete", "result", "processed", "sent",
                     "handled", "closed", "settled", "paid", "failed", "succeeded"})  # fmt: skip
_AGAIN = frozenset({"last", "latest", "seen", "etag", "cursor", "since", "offset", "next", "checked", "synced",
                    "polled", "modified", "recent", "previous"})  # fmt: skip


def written_again(fields: Iterable[str]) -> bool:
    """Whether one of these fields is called like what each success writes anew: `last_fetched`, `etag`, `cursor`."""
    return any(not _AGAIN.isdisjoint(spelled(field)) for field in fields)


def written_at_the_end(fields: Iterable[str]) -> bool:
    """Whether one of these fields is called like what says that an item is done with: `status`, `finished_at`."""
    return any(not _ENDING.isdisjoint(spelled(field)) for field in fields)
