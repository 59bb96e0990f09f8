"""Results of earlier tasks that a periodic task reads, and how long Celery keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.domain.schedule import Retained
from anchorlint.python.schedules.celery_settings import Setting, Settings
from anchorlint.python.schedules.celery_tasks import Task, Tasks
from anchorlint.python.schedules.constants import outside, seconds, text
from anchorlint.python.schedules.source import Called, Source
from anchorlint.python.value import Value, parts, plain

_EXPIRES = re.compile(r"(celery_)?(task_)?result_expires", re.IGNORECASE)
_DEFAULT_S = 86400.0


def reads(source: Source, tasks: Tasks, settings: Settings, name: str) -> tuple[Retained, ...]:
    """Each result that the task of this name looks up by the id that another one left."""
    reader = tasks.function(name)
    if reader is None or reader.ref.module not in source.asked:
        return ()
    found = []
    for call in _lookups(source, reader):
        writer = _writer(source, tasks, call, reader)
        kept = _kept(settings, reader.ref.module)
        if writer is not None and kept is not None:
            span = kept.span if isinstance(kept, Setting) else call.span
            kept_s = seconds(kept.value) if isinstance(kept, Setting) else kept
            found.append(
                Retained(
                    what=f"the result of {writer.name}",
                    kept_s=kept_s,
                    span=span,
                    read_span=call.span,
                    writer=writer.name,
                    default=not isinstance(kept, Setting),
                )
            )
    return tuple(found)


def _lookups(source: Source, reader: Task) -> Iterator[Called]:
    """The calls of AsyncResult in a task."""
    for call in source.calls:
        within = (call.module, call.view.number) == (reader.ref.module, reader.ref.number)
        if within and (call.is_of("celery", "AsyncResult") or call.method == "AsyncResult"):
            yield call


def _kept(settings: Settings, module: int) -> Setting | float | None:
    """The setting that says how long results are kept, the default without one; None if nobody can tell."""
    stated = settings.stated(_EXPIRES)
    own = [one for one in stated if one.module == module] or stated
    if not own:
        return _DEFAULT_S
    return own[0] if len(own) == 1 and (seconds(own[0].value) or 0) > 0 else None


def _writer(source: Source, tasks: Tasks, call: Called, reader: Task) -> Task | None:
    """The other task whose id is looked up: it has stored its own id under the key that is read here."""
    handle = call.value("id", 0)
    if handle is None:
        return None
    keys = {key for part in parts(handle, "result") if (key := _key(part)) is not None}
    for other in source.calls:
        task = tasks.of(other.module, other.view.number)
        if task is None or task is reader:
            continue
        values = [other.view.value(number) for number in other.term[2]]
        stored = bool(values) and text(values[0]) in keys
        if stored and any(_is_own_id(value) for value in values[1:]):
            return task
    return None


def _key(value: Value) -> str | None:
    """The constant under which something is read: `kv.get("crawl:last")`."""
    return text(value.args[1][0]) if value.args[0].kind in ("attr", "ext") and value.args[1] else None


def _is_own_id(value: Value) -> bool:
    """Whether a value is the id of the running task: `self.request.id`."""
    if value.kind == "result" and value.args[1] and outside(value) is not None:
        value = value.args[1][0]  # str(…)
    if value.kind != "attr" or value.args[1] not in ("id", "root_id"):
        return False
    request = plain(value.args[0])
    return request.kind == "attr" and request.args[1] == "request"
