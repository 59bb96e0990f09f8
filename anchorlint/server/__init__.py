"""The language server: findings while you type, over stdin and stdout."""

from __future__ import annotations


def serve() -> None:
    """Speak the Language Server Protocol on stdin and stdout until the client says exit."""
    from anchorlint.server.app import language_server

    language_server().start_io()
