"""`runs import --from`: whatever is refused is one clear message, exit code 2, and nothing written; no password is."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import Result

import anchorlint.manifests.history.postgresql as postgresql
from postgresql.conftest import Database
from postgresql.importing import dag_runs, imported, rows
from postgresql.server import Server

PASSWORD = "s3cr3t-w0rd"
RUN = {
    "run_after": "2026-11-20 04:00Z",
    "start_date": "2026-11-20 04:00Z",
    "end_date": "2026-11-20 04:10Z",
    "state": "success",
}
ONE_RUN = "'load' as dag_id, timestamptz '2026-11-20' as start_date, timestamptz '2026-11-21' as end_date"


def refused(tmp_path: Path, *arguments: str) -> str:
    """What is said, on one line of errors; checks that nothing else happens."""
    out = tmp_path / "runs.jsonl"
    out.write_text("kept\n")
    done: Result = imported(*arguments, "-o", str(out))
    assert (done.exit_code, done.stdout, out.read_text()) == (2, "", "kept\n")
    assert isinstance(done.exception, SystemExit)
    assert PASSWORD not in done.output
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) <= 1
    return done.stderr


@pytest.fixture(scope="module")
def name(server: Server, database: Database) -> str:
    """A database of Airflow with one run, that its reader may see."""
    found = database("airflow3", script=dag_runs("dag_run", RUN))
    with server.connected(found) as connection:
        connection.execute(f"create role clerk login password '{PASSWORD}'".encode())
    return found


@pytest.fixture
def deaf() -> Iterator[int]:
    """A port that takes connections and never says anything."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_no_permission_for_the_table(server: Server, name: str, tmp_path: Path) -> None:
    said = refused(tmp_path, "--from", server.url_by_password(name, "clerk", PASSWORD))
    place = f"postgresql://clerk@127.0.0.1:{server.port}/{name}"
    assert f"error: {place}: the database answers: permission denied for table dag_run" in said
    assert f"nothing is written, because there are no runs in {place}" in said


def test_a_wrong_password(server: Server, name: str, tmp_path: Path) -> None:
    said = refused(tmp_path, "--from", server.url_by_password(name, "clerk", PASSWORD + "x"))
    assert 'FATAL:  password authentication failed for user "clerk"'.replace("  ", " ") in said


def test_the_password_may_come_from_the_environment(server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with server.connected(name) as connection:
        connection.execute("create role agent login password 's3cr3t-w0rd'; grant select on dag_run to agent")
    done = imported("--from", f"postgresql://agent@127.0.0.1:{server.port}/{name}")
    assert (done.exit_code, len(rows(done))) == (0, 1)


def test_a_database_that_is_not_there(server: Server, tmp_path: Path) -> None:
    assert 'FATAL: database "nowhere" does not exist' in refused(tmp_path, "--from", server.url("nowhere"))


def test_a_database_without_their_tables(server: Server, database: Database, tmp_path: Path) -> None:
    said = refused(tmp_path, "--from", server.url(database()))
    assert "holds none of Airflow's dag_run, pg_cron's cron.job_run_details, Prefect's flow_run" in said


def test_a_table_that_is_another(server: Server, database: Database, tmp_path: Path) -> None:
    name = database(script="create table dag_run (id int)")
    assert 'the database answers: column "' in refused(tmp_path, "--from", server.url(name))


def test_an_empty_table(server: Server, database: Database, tmp_path: Path) -> None:
    said = refused(tmp_path, "--from", server.url(database("airflow3")))
    assert "dag_run holds no run that this user may see" in said


def test_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = refused(tmp_path, "--from", f"postgresql://u:{PASSWORD}@127.0.0.1:{port}/x")
    assert f"error: postgresql://u@127.0.0.1:{port}/x: cannot read the database: connection to server at" in said
    assert "Connection refused" in said


def test_a_server_that_never_answers(deaf: int, tmp_path: Path) -> None:
    said = refused(tmp_path, "--from", f"postgresql://u:{PASSWORD}@127.0.0.1:{deaf}/x?connect_timeout=2")
    assert "connection timeout expired" in said


def test_a_server_of_another_kind(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        url = f"postgresql://u:{PASSWORD}@127.0.0.1:{listener.getsockname()[1]}/x"
        assert "cannot read the database: " in refused(tmp_path, "--from", url)
        thread.join(10)


def test_tls_where_the_server_has_none(server: Server, name: str, tmp_path: Path) -> None:
    url = server.url_by_password(name, "clerk", PASSWORD, "?sslmode=require")
    assert "server does not support SSL, but SSL was required" in refused(tmp_path, "--from", url)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://u:{PASSWORD}/x@host/db",
        f"postgresql://u:{PASSWORD}@x@host/db",
        f"postgresql://u:12/{PASSWORD}@host/db",
        f"postgresql://u:{PASSWORD}%zz@host/db",
        f"postgresql://u:{PASSWORD}@[::1/db",
        f"postgresql://u:{PASSWORD}@host:port/db",
    ],
)
def test_a_url_that_cannot_be_read(url: str, tmp_path: Path) -> None:
    assert "error: --from: no address such as postgresql://user@host" in refused(tmp_path, "--from", url)


def test_a_parameter_that_the_library_does_not_know(tmp_path: Path) -> None:
    said = refused(tmp_path, "--from", f"postgresql://u:{PASSWORD}@host/db?sslmod=require")
    assert 'error: --from: invalid URI query parameter: "sslmod"' in said


@pytest.mark.parametrize("url", [f"mysql://u:{PASSWORD}@host/db", f"host=x password={PASSWORD}", "airflow.db"])
def test_what_is_no_postgresql(url: str, tmp_path: Path) -> None:
    assert "--from takes postgresql://USER@HOST/DATABASE" in refused(tmp_path, "--from", url)


def test_nothing_to_read(tmp_path: Path) -> None:
    assert "name a FILE, or a database with --from" in refused(tmp_path)


def test_without_psycopg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = refused(tmp_path, "--from", f"postgresql://u:{PASSWORD}@host/db")
    assert "pip install 'anchorlint[postgresql]'" in said


def test_a_query_that_takes_too_long(
    server: Server, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "_SESSION", "set local statement_timeout = '50ms'")
    name = database(script=f"create view dag_run as select {ONE_RUN}, pg_sleep(5)::text as state")
    said = refused(tmp_path, "--from", server.url(name))
    assert "the database took longer than 60 s to answer: name a later --since" in said


def test_a_connection_that_is_lost_midway(server: Server, database: Database, tmp_path: Path) -> None:
    """With rows already read: they are not written either."""
    script = """
    create function cut(n int) returns text language plpgsql as $$ begin
      if n = 1500 then perform pg_terminate_backend(pg_backend_pid()); end if; return 'success'; end $$;
    create view dag_run as select 'dag' || n / 100 as dag_id, null::timestamptz as end_date, cut(n) as state,
      timestamptz '2026-01-01' + n * interval '1 s' as start_date from generate_series(1, 3000) n"""
    said = refused(tmp_path, "--from", server.url(database(script=script)))
    assert "cannot read the database: terminating connection due to administrator command" in said


def test_the_transaction_only_reads(server: Server, database: Database, tmp_path: Path) -> None:
    """A view that would write when it is read is refused by the server."""
    script = """
    create table log (at timestamptz);
    create function noted() returns text language plpgsql as
      $$ begin insert into log values (now()); return 'success'; end $$;
"""
    name = database(script=f"{script} create view dag_run as select {ONE_RUN}, noted() as state")
    assert "cannot execute INSERT in a read-only transaction" in refused(tmp_path, "--from", server.url(name))
    with server.connected(name) as connection:
        assert connection.execute("select count(*) from log").fetchone() == (0,)


def test_only_this_command_connects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not even the library is loaded for anything else."""
    (tmp_path / "runs.jsonl").write_text('{"schedule_id": "a", "status": "skipped"}\n')
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert imported(str(tmp_path / "runs.jsonl")).exit_code == 0


assert issubclass(psycopg.errors.QueryCanceled, psycopg.OperationalError)  # so it has to be caught before
