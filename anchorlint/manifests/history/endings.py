"""The words of many tools for how a run ended."""

from __future__ import annotations

from functools import lru_cache

from anchorlint.domain.schedule import Ending

_COMPLETED = (
    "completed",
    "complete",
    "success",
    "successful",
    "succeeded",
    "succeed",
    "ok",
    "passed",
    "done",
    "finished",
    "neutral",
)
_FAILED = ("failed", "failure", "fail", "error", "errored", "crashed", "startup_failure", "terminal_failure")
_CUT = (
    "cancelled", "canceled", "cancelling", "replaced", "superseded", "aborted", "killed", "terminated",
    "interrupted", "timed_out", "timedout", "timeout", "deadline_exceeded", "stopped", "revoked", "preempted",
)  # fmt: skip
_NONE = (
    "skipped", "running", "queued", "pending", "scheduled", "starting", "started", "waiting", "missed", "busy",
    "in_progress", "retrying", "stale", "action_required", "late", "created", "dropped", "expired", "paused",
)  # fmt: skip

_WORDS = {
    **dict.fromkeys(_COMPLETED, Ending.COMPLETED),
    **dict.fromkeys(_FAILED, Ending.FAILED),
    **dict.fromkeys(_CUT, Ending.CUT),
    **dict.fromkeys(_NONE, Ending.NONE),
}


@lru_cache(maxsize=256)
def ending(word: str) -> Ending | None:
    """What a status word says about the length of the run, None for a word that nobody uses."""
    return _WORDS.get(word.strip().lower().replace(" ", "_").replace("-", "_"))
