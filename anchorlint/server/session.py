"""What is open in the editor, and the one analysis at a time that answers for all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import msgspec
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from anchorlint.domain.finding import Problem
from anchorlint.server.analysis import Analysis, analyse
from anchorlint.server.background import in_background
from anchorlint.server.diagnostics import Places, of_finding, of_problem


class Document(msgspec.Struct, frozen=True):
    """One open file as the client last sent it."""

    uri: str
    path: Path
    version: int | None
    text: str


class Session:
    """Schedules analyses and publishes what they say. Lives on the event loop; only `analyse` runs beside it."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._stale = False
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._shown: frozenset[str] = frozenset()

    def refresh(self, after_s: float = 0.0) -> None:
        """Analyse once nothing has changed for `after_s` seconds."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(after_s, self._start)

    def forget(self, uri: str) -> None:
        """Clear the findings of a file that was closed; the others may see other text now."""
        self._publish(uri, [], None)
        self.refresh()

    def found_in(self, uri: str) -> list[types.Diagnostic]:
        """What was last published for a file."""
        return self._published.get(uri, [])

    def _start(self) -> None:
        self._stale = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._stale:
            self._stale = False
            documents = self._documents()
            try:
                analysis = await in_background(partial(analyse, {d.path: d.text for d in documents}))
            except Exception as error:
                self._show([Problem(f"internal error, please report it: {type(error).__name__}: {error}")])
                continue
            if not self._stale:
                self._tell(documents, analysis)

    def _documents(self) -> list[Document]:
        opened = self._server.workspace.text_documents.values()
        return [
            Document(document.uri, Path(document.path), document.version, document.source)
            for document in opened
            if document.uri.startswith("file:")
        ]

    def _tell(self, documents: list[Document], analysis: Analysis) -> None:
        """Publish for what is still open and unchanged; clear whatever no longer has anything to say."""
        self._show(analysis.problems)
        now_open = self._server.workspace.text_documents
        asked = {document.uri: document.version for document in documents}
        current = {uri for uri in asked.keys() & now_open.keys() if now_open[uri].version == asked[uri]}
        said = self._diagnostics(documents, analysis)
        others = (said.keys() | self._published.keys()) - asked.keys() - now_open.keys()
        for uri in sorted(current | others):
            self._publish(uri, said.get(uri, []), asked.get(uri))

    def _diagnostics(self, documents: Iterable[Document], analysis: Analysis) -> dict[str, list[types.Diagnostic]]:
        opened = {document.path: document.uri for document in documents}
        places = Places(analysis.root, analysis.lines, opened, self._server.workspace.position_codec)
        said: dict[str, list[types.Diagnostic]] = {}
        for finding in analysis.findings:
            said.setdefault(places.uri(finding.span.path), []).append(of_finding(finding, places))
        for problem in analysis.problems:
            if problem.path is not None:
                said.setdefault(places.uri(problem.path), []).append(of_problem(problem, places))
        return said

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        if diagnostics:
            self._published[uri] = diagnostics
        else:
            self._published.pop(uri, None)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def _show(self, problems: Iterable[Problem]) -> None:
        """A message for each problem that was not there the last time."""
        lines = frozenset(map(_line, problems))
        for line in sorted(lines - self._shown):
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"anchorlint: {line}"))
        self._shown = lines


def _line(problem: Problem) -> str:
    place = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part is not None)
    return f"{place}: {problem.message}" if place else problem.message
