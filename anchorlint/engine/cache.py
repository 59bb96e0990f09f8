"""Keeps what was read and found between runs; a cache that cannot be used costs time and nothing else."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from anchorlint import __version__
from anchorlint.engine.discover import project_root
from anchorlint.engine.request import Request
from anchorlint.knowledge import rules_directory

FOLDER = ".anchorlint_cache"
FILE = "facts.sqlite"
WAIT_S = 0.5
MOST_RUNS = 20
TABLES = (
    "CREATE TABLE IF NOT EXISTS heads (file BLOB PRIMARY KEY, key BLOB NOT NULL, head BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS facts (file BLOB PRIMARY KEY, key BLOB NOT NULL, facts BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS runs (key BLOB PRIMARY KEY, findings BLOB NOT NULL)",
)


class Cache:
    """What single files say, and what whole programs were found to hold, each under a key of all that it depends on.

    `trouble` says why the cache is not in use, None while it is.
    """

    def __init__(self, folder: str | None) -> None:
        self.trouble: str | None = None
        self._connection: sqlite3.Connection | None = None
        self._file: Path | None = None
        self._here = os.getcwd()
        self._heads: dict[bytes, tuple[bytes, bytes]] = {}
        self._fresh: list[tuple[bytes, bytes, bytes, bytes | None]] = []
        self._found: list[tuple[bytes, bytes]] = []
        self._version = b"" if folder is None else _version()
        if folder is not None:
            self._open(folder)

    @property
    def in_use(self) -> bool:
        """Whether anything can be kept at all."""
        return self._connection is not None

    def key(self, *parts: bytes) -> bytes:
        """What has to be equal for something stored to be right: all that it was made from, and our version."""
        hashed = blake2b(self._version, digest_size=20)
        for part in parts:
            hashed.update(b"%d:" % len(part))
            hashed.update(part)
        return hashed.digest()

    def file_key(self, path: str, data: bytes) -> bytes:
        """The key of what one file says, empty where nothing is kept."""
        if not self.in_use:
            return b""
        return self.key(path.encode("utf-8", "surrogateescape"), data)

    def head(self, path: str, key: bytes) -> bytes | None:
        """The stored head of a file, None if there is none for this key."""
        found = self._heads.get(self._name(path))
        return found[1] if found and found[0] == key else None

    def facts(self, path: str, key: bytes) -> bytes | None:
        """The stored facts of a file, None if there are none for this key."""
        row = self._row("SELECT facts FROM facts WHERE file = ? AND key = ?", (self._name(path), key))
        return bytes(row[0]) if row else None

    def findings(self, key: bytes) -> bytes | None:
        """What was found in a whole program, None if that is not known for this key."""
        row = self._row("SELECT findings FROM runs WHERE key = ?", (key,))
        return bytes(row[0]) if row else None

    def keep(self, path: str, key: bytes, head: bytes, facts: bytes | None) -> None:
        """Store what a file says when the run ends."""
        self._fresh.append((self._name(path), key, head, facts))

    def keep_findings(self, key: bytes, findings: bytes) -> None:
        """Store what was found in a whole program when the run ends."""
        self._found.append((key, findings))

    def close(self) -> None:
        """Write what was kept, and forget files that are gone and all but the newest runs."""
        if self._connection is None:
            return
        try:
            if self._fresh or self._found:
                with self._connection:
                    self._write(self._connection)
            self._connection.close()
        except sqlite3.Error as error:
            self._give_up(error)

    def _write(self, connection: sqlite3.Connection) -> None:
        heads = [(name, key, head) for name, key, head, _ in self._fresh]
        facts = [(name, key, data) for name, key, _, data in self._fresh if data is not None]
        gone = [(name,) for name in self._heads if not os.path.exists(name)]
        connection.executemany("INSERT OR REPLACE INTO heads VALUES (?, ?, ?)", heads)
        connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", facts)
        connection.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?)", self._found)
        connection.executemany("DELETE FROM heads WHERE file = ?", gone)
        connection.executemany("DELETE FROM facts WHERE file = ?", gone)
        connection.execute(
            "DELETE FROM runs WHERE rowid NOT IN (SELECT rowid FROM runs ORDER BY rowid DESC LIMIT ?)", (MOST_RUNS,)
        )

    def _row(self, query: str, values: tuple[bytes, ...]) -> tuple[bytes, ...] | None:
        if self._connection is None:
            return None
        try:
            row: tuple[bytes, ...] | None = self._connection.execute(query, values).fetchone()
            return row
        except sqlite3.Error as error:
            self._give_up(error)
            return None

    def _name(self, path: str) -> bytes:
        return f"{self._here}/{path}".encode("utf-8", "surrogateescape")

    def _open(self, folder: str) -> None:
        try:
            made = Path(folder)
            made.mkdir(parents=True, exist_ok=True)
            if not (made / ".gitignore").exists():
                (made / ".gitignore").write_text("*\n", encoding="utf-8")
                (made / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n", encoding="utf-8")
            self._file = made / FILE
            self._connection, rows = _connected(self._file)
            self._heads = {bytes(name): (bytes(key), bytes(head)) for name, key, head in rows}
        except (OSError, sqlite3.Error, TypeError) as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.trouble = f"the cache is not used: {error}"
        self._connection = None
        self._heads = {}
        if self._file and isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            self._file.unlink(missing_ok=True)  # damaged: the next run starts a new one


Rows = list[tuple[bytes, bytes, bytes]]


def _connected(file: Path) -> tuple[sqlite3.Connection, Rows]:
    try:
        return _prepared(file)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "no such column" not in str(error):
            raise
        # No database of ours any more: nothing in it can be of use, so a new one takes its place.
        file.unlink()
        return _prepared(file)


def _prepared(file: Path) -> tuple[sqlite3.Connection, Rows]:
    connection = sqlite3.connect(file, timeout=WAIT_S)
    connection.execute("PRAGMA synchronous = OFF")
    for table in TABLES:
        connection.execute(table)
    return connection, connection.execute("SELECT file, key, head FROM heads").fetchall()


def cache_folder(request: Request) -> str | None:
    """Where the cache of a run is: where it was asked to be, else at the root of the project; None if unwanted."""
    if not request.use_cache:
        return None
    if request.cache_directory:
        return request.cache_directory
    return os.path.join(project_root(".", lambda _: False) or os.getcwd(), FOLDER)


def remove(folder: str) -> bool:
    """Delete the files of the cache in `folder`, and the folder if nothing else is in it; False if there was none."""
    made = Path(folder)
    if not (made / FILE).exists() and not (made / "CACHEDIR.TAG").exists():
        return False
    for name in (FILE, f"{FILE}-journal", ".gitignore", "CACHEDIR.TAG"):
        (made / name).unlink(missing_ok=True)
    if not any(made.iterdir()):
        made.rmdir()
    return True


def _version() -> bytes:
    """Our version down to every module and model, so that a changed checkout never meets what an older one kept.

    The times at which our files were written are known on this machine alone, so a cache that comes with somebody
    else's repository has no valid key, and the facts in it are never looked at.
    """
    package = str(Path(__file__).resolve().parents[1])
    stamps = [__version__, sys.version]
    for folder in (package, str(rules_directory())):
        stamps += _stamps(folder)
    return "\0".join(stamps).encode("utf-8", "surrogateescape")


def _stamps(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in ("__pycache__", "demo", "rules"):
                yield from _stamps(entry.path)
        elif entry.name.endswith((".py", ".toml")):
            state = entry.stat()
            yield f"{entry.name}{state.st_size}{state.st_mtime_ns}"
