"""What the editor may ask and tell: one handler for each message of the protocol."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from anchorlint import __version__
from anchorlint.server.hover import hover
from anchorlint.server.places import column_in, line_at
from anchorlint.server.session import Session

TYPING_PAUSE_S = 0.2
WATCHED = (
    "**/*.{py,pyi,toml,yaml,yml,timer,sql}",
    "**/*{schedules,runs,vercel,wrangler,crontab}*",
    "**/.gitignore",
)


def language_server() -> LanguageServer:
    """A server that is ready to be started on any pair of streams."""
    # Whole texts: pygls applies incremental changes to lines that it also splits at form feeds and U+2028.
    server = LanguageServer("anchorlint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    session = Session(server)
    _follow_documents(server, session)
    _follow_files(server, session)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def explain(params: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(params.text_document.uri)
        line = line_at(params.position, document.source)
        column = column_in(line, params.position.character, server.workspace.position_codec)
        return hover(params.position, line, column, session.found_in(document.uri))

    return server


def _follow_documents(server: LanguageServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(_: types.DidOpenTextDocumentParams) -> None:
        session.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(_: types.DidChangeTextDocumentParams) -> None:
        session.refresh(TYPING_PAUSE_S)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        session.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        session.forget(params.text_document.uri)


def _follow_files(server: LanguageServer, session: Session) -> None:
    @server.feature(types.INITIALIZED)
    def ready(_: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        files = workspace and workspace.did_change_watched_files
        if files and files.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            server.client_register_capability(
                types.RegistrationParams([types.Registration("anchorlint-files", method, options)])
            )

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(_: types.DidChangeWatchedFilesParams) -> None:
        session.refresh(TYPING_PAUSE_S)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(_: types.DidChangeConfigurationParams) -> None:
        session.refresh(TYPING_PAUSE_S)
