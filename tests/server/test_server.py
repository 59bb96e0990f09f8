"""The language server as an editor sees it: the real process, over its own pipes."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from anchorlint.knowledge import rules_directory

pytestmark = pytest.mark.asyncio
SERVER = ClientServerConfig(server_command=[sys.executable, "-m", "anchorlint", "server"])
PATIENCE_S = 20.0
Found = list[types.Diagnostic]

UNKNOWN = """\
defaults = { dependency_deadline = "17:30" }
schedules = [{ id = "😀", workflow = "w", after_schedule_ids = ["nobody"] }]
"""
RING = """\
schedules:
  - {id: a, workflow: w, after_schedule_ids: [b], dependency_deadline: "17:30"}
  - {id: b, workflow: w, after_schedule_ids: [a], dependency_deadline: "17:30"}
"""


@pytest_lsp.fixture(config=SERVER)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def registered(params: types.RegistrationParams) -> None:
        assert params.registrations[0].method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES

    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def open_file(client: LanguageClient, file: Path, text: str) -> str:
    uri = file.as_uri()
    language = "python" if file.suffix == ".py" else file.suffix.removeprefix(".")
    document = types.TextDocumentItem(uri, language, 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    return uri


def change(client: LanguageClient, uri: str, version: int, text: str) -> None:
    document = types.VersionedTextDocumentIdentifier(version, uri)
    whole = types.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))


async def published(client: LanguageClient, uri: str, until: Callable[[Found], bool]) -> Found:
    """The diagnostics of a file as soon as they are as wanted; fails with the last ones after PATIENCE_S."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_S
    while not (uri in client.diagnostics and until(list(client.diagnostics[uri]))):
        assert asyncio.get_running_loop().time() < deadline, client.diagnostics.get(uri, "nothing was published")
        await asyncio.sleep(0.02)
    return list(client.diagnostics[uri])


def codes(found: Found) -> list[object]:
    return [diagnostic.code for diagnostic in found]


def covered(text: str, where: types.Range) -> str:
    """What a range of UTF-16 units on one line covers."""
    assert where.start.line == where.end.line
    units = text.split("\n")[where.start.line].encode("utf-16-le")
    return units[2 * where.start.character : 2 * where.end.character].decode("utf-16-le")


async def test_an_opened_file_is_reported_in_utf16(client: LanguageClient, project: Path) -> None:
    uri = open_file(client, project / "schedules.toml", UNKNOWN)
    (found,) = await published(client, uri, lambda found: codes(found) == ["SCH403"])
    assert "nobody" in covered(UNKNOWN, found.range)
    assert covered(UNKNOWN, found.range) in UNKNOWN.partition("after_schedule_ids")[2]
    assert found.source == "anchorlint"
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.code_description is not None
    assert found.code_description.href.endswith("/rules/SCH403-unknown-dependency.md")


async def test_notes_are_related_information(client: LanguageClient, project: Path) -> None:
    uri = open_file(client, project / "schedules.yaml", RING)
    (found,) = await published(client, uri, lambda found: codes(found) == ["SCH405"])
    assert found.related_information
    assert {related.location.uri for related in found.related_information} == {uri}
    assert all(related.message for related in found.related_information)


async def test_findings_follow_every_change_and_end_with_the_file(client: LanguageClient, project: Path) -> None:
    file = project / "schedules.toml"
    file.write_text(UNKNOWN, encoding="utf-8")
    uri = open_file(client, file, UNKNOWN)
    await published(client, uri, lambda found: codes(found) == ["SCH403"])
    change(client, uri, 2, UNKNOWN.replace("nobody", "😀"))
    await published(client, uri, lambda found: codes(found) == ["SCH404"])
    change(client, uri, 3, 'schedules = [{ id = "a", workflow = "w", cron = "0 4 * * *" }]\n')
    await published(client, uri, lambda found: not found)
    change(client, uri, 4, UNKNOWN)
    await published(client, uri, lambda found: codes(found) == ["SCH403"])
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await published(client, uri, lambda found: not found)


async def test_unsaved_text_of_one_file_changes_the_findings_of_another(client: LanguageClient, project: Path) -> None:
    shutil.copytree(rules_directory() / "demo" / "1-two-clocks" / "bad", project, dirs_exist_ok=True)
    ruling, radar = project / "claims" / "ruling.py", project / "claims" / "radar.py"
    uri = open_file(client, ruling, ruling.read_text(encoding="utf-8"))
    (found,) = await published(client, uri, lambda found: codes(found) == ["ANC101"])
    assert "deadline + 7d" in found.message
    places = [related.location.uri for related in found.related_information or ()]
    assert (project / "claims" / "sweep.py").as_uri() in places
    text = radar.read_text(encoding="utf-8")
    other = open_file(client, radar, text)
    change(client, other, 2, text.replace("days=14", "days=30"))
    await published(client, uri, lambda found: any("deadline + 23d" in diagnostic.message for diagnostic in found))
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(other)))
    await published(client, uri, lambda found: any("deadline + 7d" in diagnostic.message for diagnostic in found))


async def test_a_burst_of_typing_ends_with_the_last_text(client: LanguageClient, project: Path) -> None:
    uri = open_file(client, project / "schedules.toml", "schedules = []\n")
    for version in range(2, 60):
        change(client, uri, version, "schedules = [" + "{" * (version % 3))
    change(client, uri, 60, UNKNOWN)
    await published(client, uri, lambda found: codes(found) == ["SCH403"])


async def test_broken_python_is_told_and_forgiven(client: LanguageClient, project: Path) -> None:
    uri = open_file(client, project / "x.py", "def f(:\n")
    await published(client, uri, lambda found: codes(found) == ["ANL003"])
    change(client, uri, 2, "def f(): ...\n")
    await published(client, uri, lambda found: not found)


async def test_a_broken_configuration_is_shown_and_read_again(client: LanguageClient, project: Path) -> None:
    settings = project / "anchorlint.toml"
    settings.write_text('selct = ["SCH"]\n', encoding="utf-8")
    uri = open_file(client, project / "schedules.toml", UNKNOWN)
    await published(client, settings.as_uri(), bool)
    (message,) = [m for m in client.messages if m.type == types.MessageType.Error]
    assert "selct" in message.message
    assert "anchorlint.toml:1" in message.message
    settings.write_text('ignore = ["SCH403"]\n', encoding="utf-8")
    event = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await published(client, settings.as_uri(), lambda found: not found)
    await published(client, uri, lambda found: not found)
    settings.write_text("", encoding="utf-8")
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await published(client, uri, lambda found: codes(found) == ["SCH403"])


async def test_hover_shows_the_card(client: LanguageClient, project: Path) -> None:
    uri = open_file(client, project / "schedules.toml", UNKNOWN)
    (found,) = await published(client, uri, lambda found: codes(found) == ["SCH403"])
    document = types.TextDocumentIdentifier(uri)
    shown = await client.text_document_hover_async(types.HoverParams(document, found.range.start))
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert shown.contents.value.startswith("# SCH403 unknown-dependency")
    assert await client.text_document_hover_async(types.HoverParams(document, types.Position(0, 0))) is None


async def test_files_that_are_none_of_ours_stay_silent(client: LanguageClient, project: Path) -> None:
    open_file(client, project / "notes.md", "def f(:\n")
    uri = open_file(client, project / "x.py", "def f(:\n")
    await published(client, uri, bool)
    assert not client.diagnostics.get((project / "notes.md").as_uri())
    assert not client.messages


async def test_typing_is_answered_while_an_analysis_runs(client: LanguageClient, project: Path) -> None:
    body = "".join(
        f"def f{n}(now, item):\n    return now - item.deadline > {n} or item.retry({n})\n" for n in range(150)
    )
    for number in range(300):
        (project / f"m{number}.py").write_text(f"import m{(number + 1) % 300}\n{body}", encoding="utf-8")
    uri = open_file(client, project / "m0.py", f"import m1  # ANL003\n{body}")
    await asyncio.sleep(0.5)
    where = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 14))
    shown = await client.text_document_hover_async(where)
    assert shown is not None
    assert uri not in client.diagnostics, "the analysis was too short for this test"
    # The session ends here, in the middle of the analysis, and the process with it.
