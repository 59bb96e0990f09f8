"""Which scheduled runs of GitHub workflows exclude each other, and what becomes of the one that comes second."""

from __future__ import annotations

import posixpath
import re

from anchorlint.documents import Kind, Node
from anchorlint.domain.schedule import Busy

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_EVENT = re.compile(r"github\.event_name\s*(==|!=)\s*'(\w+)'")
# What these have on a scheduled run: nothing, or always the same.
_EMPTY = re.compile(
    r"github\.(head_ref|base_ref|event\.(pull_request|issue|inputs|number|merge_group|label)[\w.]*)|inputs\.\w+"
)
_SAME = re.compile(
    r"github\.(ref|ref_name|ref_type|repository|repository_owner|event_name|workflow_ref|event\.repository[\w.]*)"
)
_UNIQUE = re.compile(r"github\.(run_id|run_number|event\.schedule)\b")


def group(document: Node, path: str, name: str) -> tuple[str, Busy]:
    """The key of the runs that exclude each other, and what happens to a run that meets another one.

    Without a concurrency group the runs of one file go on side by side.
    """
    stated = document.child("concurrency") or _of_all_jobs(document)
    text = stated.text or (stated.child("group") or stated).text if stated else None
    if stated is None or text is None or _UNIQUE.search(text):
        return path, Busy.ALLOW
    cancels = stated.child("cancel-in-progress")
    busy = Busy.CANCEL if cancels is not None and _holds(cancels) else Busy.QUEUE
    known = _EXPRESSION.sub(lambda found: _value(found[1], name), text)
    # GitHub takes no notice of upper and lower case in the names of groups.
    within = path if "${{" in known else posixpath.dirname(path)
    return f"{within}::{known.casefold()}", busy


def _of_all_jobs(document: Node) -> Node | None:
    """The group that every job of the workflow is in, if there is one."""
    jobs = document.child("jobs")
    groups = [entry.node.child("concurrency") for entry in jobs.entries] if jobs else []
    texts = {group.text or (group.child("group") or group).text if group else None for group in groups}
    return groups[0] if len(texts) == 1 else None


def _value(expression: str, name: str) -> str:
    """What an expression is on a scheduled run: a text that is the same on each of them, or itself if unknown."""
    for part in (part.strip() for part in expression.split("||")):
        if _EMPTY.fullmatch(part):
            continue
        if part == "github.workflow":
            return name
        if _SAME.fullmatch(part):
            return f"<{part}>"
        break
    return f"${{{{ {expression} }}}}"


def _holds(node: Node) -> bool:
    """Whether cancel-in-progress is surely true on a scheduled run."""
    if node.kind is Kind.BOOLEAN:
        return bool(node.value)
    found = _EVENT.fullmatch(node.raw.replace("${{", "").replace("}}", "").strip())
    return found is not None and (found[1] == "==") == (found[2] == "schedule")
