"""What the jobs of a GitHub workflow leave behind, and what they take from runs of other workflows or earlier ones."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from anchorlint.documents import Kind, Node
from anchorlint.domain.schedule import Kept, Polled, Retained
from anchorlint.domain.span import Span

_DAY_S = 86400
_DEFAULT_S = 90 * _DAY_S  # of artifacts; the settings of a repository can lower it
_CACHE_S = 7 * _DAY_S  # since its last use
_EACH_RUN = re.compile(r"\$\{\{\s*github\.run_(?:id|number)\s*\}\}")
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}")
_LISTED = re.compile(
    r"\bgh\s+run\s+list\b[^\n|;)]*?(?:-w|--workflow)[ =]+(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s\"')|;]+))[^\n]*"
)
_ASKED = re.compile(r"actions/workflows/([\w.-]+\.ya?ml)/runs\b|\bworkflow_id:\s*['\"]([\w.-]+)['\"]")
_FETCHED = re.compile(r"\bgh\s+run\s+download\b[^\n]*|/artifacts\b|\blistWorkflowRunArtifacts\b")
_NAMED = re.compile(r"(?:\s-n|\s--name|\s-p|\s--pattern)[ =]+(?:\"([^\"\n]+)\"|'([^'\n]+)'|(\S+))")
_NEWEST = re.compile(r"actions/artifacts\?(?:[\w=&-]*&)?name=([\w.-]+)")
# without the number of a run gh takes the newest artifact of the name
_DOWNLOADED = re.compile(
    r"\bgh\s+run\s+download(?:[ \t]+-{1,2}[\w-]+[ =]+(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|)]+))+[ \t]*(?=$|[;&|)\n])"
)
_ELSEWHERE = re.compile(r"\s(?:-R|--repo)[ =]")
_WAITS = re.compile(r"\bgh\s+run\s+watch\b")
_ONLY_ON_FAILURE = re.compile(r"failure\(\)|cancelled\(\)")
_REMEDY = 'start it by workflow_run of "{other}", types: [completed], and run the job if its conclusion is success'


class Jobs:
    """The jobs of one workflow: `keeps` are its artifacts, `reads` and `polled` what it takes of finished runs.

    `caches` are those that carry something from run to run, which every run renews.
    """

    def __init__(self, document: Node, path: str, name: str, lines: list[str]) -> None:
        self._file = posixpath.basename(path)
        self._own = {name, self._file, "/".join(path.split("/")[-3:])}
        self._path = path
        self._lines = lines
        self.keeps: list[Kept] = []
        self.reads: list[Retained] = []
        self.caches: list[Retained] = []
        self.polled: list[Polled] = []
        jobs = document.child("jobs")
        for job in jobs.entries if jobs else ():
            steps = job.node.child("steps")
            self._job([step for step in steps.items if step.kind is Kind.MAPPING] if steps else [])

    def _job(self, steps: list[Node]) -> None:
        scripts = [script for step in steps for script in _scripts(step)]
        waits = any(_WAITS.search(script.raw) for script in scripts)
        fetched = [(script, found) for script in scripts for found in _FETCHED.finditer(script.raw)]
        by_action = [step for step in steps if _uses(step, "actions/download-artifact") and _with(step, "run-id")]
        for step in steps:
            if _uses(step, "actions/upload-artifact"):
                self.keeps += self._uploads(step)
            elif _uses(step, "dawidd6/action-download-artifact") and not waits:
                self._downloads(step)
            elif _uses(step, "actions/cache") or _uses(step, "actions/cache/restore"):
                self._restores(step)
        looked_at = [(script, *one) for script in scripts for one in _looked_at(script)]
        for script, other, found in looked_at if (fetched or by_action) and not waits else ():
            self._takes(other, self._within(script, found), _patterns(fetched, by_action))
        for script, words, what in _by_name(scripts) if not looked_at and not waits else ():
            self._takes_newest(what, self._within(script, words))

    def _uploads(self, step: Node) -> Iterator[Kept]:
        name, days = _with(step, "name"), _with(step, "retention-days")
        condition = step.child("if")
        if condition is not None and _ONLY_ON_FAILURE.search(condition.raw):
            return
        what = _EXPRESSION.sub("*", name.raw) if name else "artifact"
        stated = days is not None and days.raw.strip() not in ("", "0")
        if not stated or days is None:
            yield Kept(what=what, kept_s=_DEFAULT_S, span=step.span, default=True)
        elif days.raw.strip().isdecimal():
            yield Kept(what=what, kept_s=int(days.raw) * _DAY_S, span=days.span)

    def _downloads(self, step: Node) -> None:
        """An action that takes an artifact of the newest run of a workflow, its own one if none is named."""
        if any(_with(step, key) for key in ("run_id", "run_number", "commit", "pr", "repo")):
            return
        workflow, name = _with(step, "workflow"), _with(step, "name")
        what = _EXPRESSION.sub("*", name.raw) if name and not _with(step, "name_is_regexp") else "*"
        at = workflow or step.child("uses") or step
        self._takes(workflow.raw if workflow else self._file, at.span, [what])

    def _takes(self, other: str, at: Span, patterns: list[str]) -> None:
        if other in self._own:
            other = self._file
        elif "${{" in other or "$" in other:
            return
        else:
            how = f"takes the newest run of {other}"
            self.polled.append(Polled(how=how, span=at, other=other, newest=True, remedy=_REMEDY))
        for what in patterns:
            self.reads.append(Retained(what=what, kept_s=None, span=at, read_span=at, writer=other))

    def _takes_newest(self, what: str, at: Span) -> None:
        """The newest artifact of a name, whichever workflow has left it behind."""
        how = f"takes the newest artifact {what}"
        self.polled.append(Polled(how=how, span=at, what=what, newest=True, remedy=_REMEDY))
        self.reads.append(Retained(what=what, kept_s=None, span=at, read_span=at))

    def _restores(self, step: Node) -> None:
        """A cache under a key of its own for each run, or one without which the run fails."""
        key, strict = _with(step, "key"), _with(step, "fail-on-cache-miss")
        if key is not None and (_EACH_RUN.search(key.raw) or (strict is not None and strict.raw == "true")):
            what = f"the cache {_EXPRESSION.sub('*', key.raw)}"
            self.caches.append(Retained(what=what, kept_s=_CACHE_S, span=key.span, read_span=key.span, default=True))

    def _within(self, script: Node, said: str) -> Span:
        """Where a piece of a script stands: its line in the file."""
        first = said.strip().split("\n")[0]
        for number in range(script.span.start.line, min(script.span.end.line, len(self._lines)) + 1):
            column = self._lines[number - 1].find(first)
            if column >= 0:
                return Span.of(self._path, number, column + 1, number, column + 1 + len(first))
        return script.span


def _scripts(step: Node) -> Iterator[Node]:
    for script in (step.child("run"), _with(step, "script")):
        if script is not None and script.kind is Kind.TEXT:
            yield script


def _uses(step: Node, action: str) -> bool:
    used = step.child("uses")
    return used is not None and used.raw.partition("@")[0] == action


def _with(step: Node, key: str) -> Node | None:
    found = step.child("with", key)
    return found if found is not None and found.raw else None


def _looked_at(script: Node) -> Iterator[tuple[str, str]]:
    """Each workflow whose runs a script looks up, and the words by which it does."""
    for pattern in (_LISTED, _ASKED):
        for found in pattern.finditer(script.raw):
            if _ELSEWHERE.search(found[0]):
                continue
            yield next(group for group in found.groups() if group), found[0]


def _by_name(scripts: list[Node]) -> Iterator[tuple[Node, str, str]]:
    """Each artifact that is taken by its name alone, and the words by which it is."""
    for script in scripts:
        for found in _NEWEST.finditer(script.raw):
            yield script, found[0], found[1]
        for found in _DOWNLOADED.finditer(script.raw):
            named = _NAMED.findall(found[0])
            if named and not _ELSEWHERE.search(found[0]):
                yield script, found[0], next(group for group in named[0] if group)


def _patterns(fetched: list[tuple[Node, re.Match[str]]], by_action: list[Node]) -> list[str]:
    """The names of the artifacts that are taken, `*` where all of them are."""
    found = []
    for _, match in fetched:
        named = _NAMED.search(match[0])
        found.append(next(group for group in named.groups() if group) if named else "*")
    for step in by_action:
        name = _with(step, "name") or _with(step, "pattern")
        found.append(name.raw if name else "*")
    return list(dict.fromkeys(re.sub(r"\$\{\{.*?\}\}|\$\{?\w+\}?", "*", each) for each in found))
