"""One server for all tests of this folder, and a fresh database for each that asks."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from postgresql.server import Server, programs, running

DEFINITIONS = Path(__file__).parents[1] / "data" / "postgresql"
# Set where a missing server is a fault, as in CI.
REQUIRED = "REQUIRE_POSTGRESQL"

Database = Callable[..., str]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A running PostgreSQL; without one its tests are skipped, or fail where it is required."""
    folder = programs()
    if folder is None:
        why = "no PostgreSQL server is installed (Debian: apt-get install postgresql)"
        if os.environ.get(REQUIRED):
            pytest.fail(why)
        pytest.skip(why)
    with running(folder) as found:
        yield found


@pytest.fixture(scope="session")
def database(server: Server) -> Database:
    """Makes a database from definitions and a script, and gives its name: `database("airflow2", script="…")`."""
    numbers = itertools.count(1)

    def make(*definitions: str, script: str = "", options: str = "") -> str:
        name = f"d{next(numbers)}"
        with server.connected("postgres") as connection:
            connection.execute(f"create database {name} template template0 {options}".encode())
        with server.connected(name) as connection:
            for definition in definitions:
                connection.execute((DEFINITIONS / f"{definition}.sql").read_bytes())
            if script:
                connection.execute(script.encode())
        return name

    return make
