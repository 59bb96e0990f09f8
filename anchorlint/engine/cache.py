"""Keeps what was read from files between runs; a cache that cannot be used costs time and nothing else."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from anchorlint import __version__
from anchorlint.engine.discover import project_root
from anchorlint.engine.request import Request

FOLDER = ".anchorlint_cache"
FILE = "facts.sqlite"
WAIT_S = 0.5
TABLE = "CREATE TABLE IF NOT EXISTS leaves (path BLOB PRIMARY KEY, key BLOB NOT NULL, leaf BLOB NOT NULL) WITHOUT ROWID"


class Cache:
    """Leaves by path, each valid for one content and one version of anchorlint.

    `trouble` says why the cache is not in use, None while it is.
    """

    def __init__(self, folder: str | None) -> None:
        self.trouble: str | None = None
        self._connection: sqlite3.Connection | None = None
        self._file: Path | None = None
        self._fresh: list[tuple[bytes, bytes, bytes]] = []
        self._version = _version()
        if folder is not None:
            self._open(folder)

    @property
    def in_use(self) -> bool:
        """Whether anything can be kept at all."""
        return self._connection is not None

    def key(self, path: str, data: bytes) -> bytes:
        """What has to be equal for a stored leaf to be right."""
        hashed = blake2b(self._version, digest_size=20)
        hashed.update(_name(path) + b"\0")
        hashed.update(data)
        return hashed.digest()

    def find(self, path: str, key: bytes) -> bytes | None:
        """The stored leaf of a file, None if there is none for this key."""
        if self._connection is None:
            return None
        try:
            row = self._connection.execute("SELECT key, leaf FROM leaves WHERE path = ?", (_name(path),)).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return bytes(row[1]) if row and bytes(row[0]) == key else None

    def keep(self, path: str, key: bytes, leaf: bytes) -> None:
        """Store a leaf when the run ends."""
        self._fresh.append((_name(path), key, leaf))

    def close(self, gone: Iterable[str] = ()) -> None:
        """Write what was kept and forget the paths that are `gone`."""
        if self._connection is None:
            return
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO leaves VALUES (?, ?, ?)", self._fresh)
                self._connection.executemany("DELETE FROM leaves WHERE path = ?", [(_name(path),) for path in gone])
            self._connection.close()
        except sqlite3.Error as error:
            self._give_up(error)

    def _open(self, folder: str) -> None:
        try:
            made = Path(folder)
            made.mkdir(parents=True, exist_ok=True)
            if not (made / ".gitignore").exists():
                (made / ".gitignore").write_text("*\n", encoding="utf-8")
                (made / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n", encoding="utf-8")
            self._file = made / FILE
            self._connection = _connected(self._file)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.trouble = f"the cache is not used: {error}"
        self._connection = None
        if self._file and isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            self._file.unlink(missing_ok=True)  # damaged: the next run starts a new one


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


def _name(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _connected(file: Path) -> sqlite3.Connection:
    try:
        return _prepared(file)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        # No database any more: nothing in it can be of use, so a new one takes its place.
        file.unlink()
        return _prepared(file)


def _prepared(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=WAIT_S)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(TABLE)
    return connection


def _version() -> bytes:
    """The version of anchorlint down to the modules that read Python, so that a checkout never meets old facts."""
    package = Path(__file__).resolve().parents[1] / "python"
    stamps = [__version__, sys.version]
    with os.scandir(package) as found:
        for entry in sorted(found, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                state = entry.stat()
                stamps.append(f"{entry.name}{state.st_size}{state.st_mtime_ns}")
    return "\0".join(stamps).encode()
