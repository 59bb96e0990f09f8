"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, on a port of the loopback address."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg

OWNER = "owner"
CRON_DATABASE = "jobs"  # pg_cron works in one database of a cluster
_FOLDERS = "/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"
_PATIENCE_S = 60
_SETTINGS = """
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 16MB
max_connections = 20
listen_addresses = '127.0.0.1'
ssl = off
"""
# The owner comes in by the socket, everybody else by a password.
_WAYS_IN = f"local all {OWNER} trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


class Server(msgspec.Struct, frozen=True):
    """Where the server listens, and whether it has the extension pg_cron."""

    socket: str
    port: int
    pg_cron: bool

    def connected(self, database: str) -> psycopg.Connection[Any]:
        """A connection of the owner, each statement of which is kept at once."""
        place = f"host={self.socket} port={self.port} user={OWNER} dbname={database}"
        return psycopg.connect(place, autocommit=True, client_encoding="UTF8")

    def url(self, database: str, options: str = "") -> str:
        """The owner's URL of a database, by the socket."""
        return f"postgresql://{OWNER}@/{database}?host={self.socket}&port={self.port}{options}"

    def url_by_password(self, database: str, user: str, password: str, options: str = "") -> str:
        """Somebody's URL of a database, by the loopback address."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}{options}"


def programs() -> str | None:
    """The folder of the newest PostgreSQL here, None where there is none."""
    found = [path for pattern in _FOLDERS for path in glob.glob(pattern) if os.access(f"{path}/initdb", os.X_OK)]
    on_path = shutil.which("initdb")
    return max(found, key=_version, default=on_path and os.path.dirname(os.path.realpath(on_path)))


def _version(folder: str) -> int:
    return int("".join(filter(str.isdigit, folder)) or 0)


@contextmanager
def running(folder: str) -> Iterator[Server]:
    """A server from the programs in `folder`, gone with all its data at the end."""
    user = _somebody()
    root = Path(tempfile.mkdtemp(prefix="anchorlint-pg-"))
    try:
        if user is not None:
            shutil.chown(root, user)
        server = _prepared(folder, root, user)
        process = _start([f"{folder}/postgres", "-D", f"{root}/data"], user, root)
        try:
            _wait(server, process, root)
            yield server
        finally:
            process.send_signal(signal.SIGINT)  # a fast shutdown
            process.wait(_PATIENCE_S)
    finally:
        shutil.rmtree(root)


def _somebody() -> str | None:
    """Whom to be instead of root, for whom PostgreSQL does not run."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _prepared(folder: str, root: Path, user: str | None) -> Server:
    command = ["-D", f"{root}/data", "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    done = _start([f"{folder}/initdb", *command], user, root).wait(_PATIENCE_S)
    assert done == 0, (root / "log").read_text()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(str(root), port, _has_pg_cron(folder))
    settings = f"{_SETTINGS}port = {port}\nunix_socket_directories = '{root}'\n"
    if server.pg_cron:
        settings += f"shared_preload_libraries = 'pg_cron'\ncron.database_name = '{CRON_DATABASE}'\n"
    with (root / "data" / "postgresql.conf").open("a") as file:
        file.write(settings)
    (root / "data" / "pg_hba.conf").write_text(_WAYS_IN)
    return server


def _has_pg_cron(folder: str) -> bool:
    if not os.path.exists(f"{folder}/pg_config"):
        return False
    shared = subprocess.check_output([f"{folder}/pg_config", "--sharedir"], text=True).strip()
    return os.path.exists(f"{shared}/extension/pg_cron.control")


def _start(command: Sequence[str], user: str | None, root: Path) -> subprocess.Popen[bytes]:
    with (root / "log").open("ab") as log:
        return subprocess.Popen(
            command, user=user, group=pwd.getpwnam(user).pw_gid if user else None, extra_groups=[] if user else None,
            cwd=root, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip


def _wait(server: Server, process: subprocess.Popen[bytes], root: Path) -> None:
    last = time.monotonic() + _PATIENCE_S
    while True:
        try:
            server.connected("postgres").close()
            return
        except psycopg.OperationalError:
            assert process.poll() is None and time.monotonic() < last, (root / "log").read_text()
            time.sleep(0.05)
