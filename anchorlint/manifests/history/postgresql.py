"""Recorded runs out of a PostgreSQL database, in one transaction that only reads.

This is the one module that connects to anything, and only to what the user names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.manifests.history import Records
from anchorlint.manifests.history.exports import converted
from anchorlint.manifests.history.tables import WANTED, NoRuns, Query, Table, Tables, queries

if TYPE_CHECKING:
    import psycopg

_SCHEME = re.compile(r"(?i)postgres(?:ql)?(?:\+\w+)?://")  # SQLAlchemy, and so Airflow, adds a driver
_CONNECT_S = 10
_STATEMENT_S = 60
_AT_ONCE = 1000  # rows that are fetched together
_TOGETHER = ({"dag_run"}, {"flow_run", "deployment"})  # tables of one scheduler stand in one schema
_SESSION = f"""
set local statement_timeout = '{_STATEMENT_S}s';
set local lock_timeout = '{_CONNECT_S}s';
set local time zone 'UTC';
set local datestyle = 'ISO'"""
_TABLES = """
select n.nspname::text, c.relname::text, pg_catalog.pg_table_is_visible(c.oid),
  pg_catalog.array_agg(a.attname::text)
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relname::text = any(%s) and c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_'
group by 1, 2, 3"""


class Address(msgspec.Struct, frozen=True):
    """Where a database is: `shown` is what may be printed of it, and never the password."""

    url: str
    shown: str
    patience_s: int | None = None


def is_address(text: str) -> bool:
    """Whether a text begins as the URL of a PostgreSQL database does."""
    return _SCHEME.match(text) is not None


def address(url: str) -> Address:
    """What a URL says; raises NoRuns where psycopg is missing or the URL cannot be read."""
    plain = _SCHEME.sub("postgresql://", url, count=1)
    parts = _parts(plain)
    host, port, name = (str(parts.get(key) or "") for key in ("host", "port", "dbname"))
    # A password with an unquoted @ or / in it moves into what follows.
    if "@" in host + name or not re.fullmatch(r"[\d,]*", port):
        raise NoRuns(_malformed())
    user = f"{parts['user']}@" if parts.get("user") else ""
    place = "" if host.startswith(("/", "@")) else f"{host}{':' if port else ''}{port}"
    waits = parts.get("connect_timeout") or os.environ.get("PGCONNECT_TIMEOUT")
    return Address(
        url=plain,
        shown=f"postgresql://{user}{place}/{name}",
        patience_s=None if waits else _CONNECT_S,
    )


def read(place: Address, since: datetime | None = None) -> Records:
    """The newest runs of each schedule, of those that began at `since` or later; raises NoRuns."""
    psycopg = _library()
    try:
        with _connected(place) as connection:
            return _records(connection, place, since)
    except psycopg.errors.QueryCanceled:
        why = f"the database took longer than {_STATEMENT_S} s to answer: name a later --since"
        raise NoRuns(why) from None
    except psycopg.OperationalError as error:
        raise NoRuns(f"cannot read the database: {_said(error)}") from None
    except psycopg.Error as error:
        raise NoRuns(f"the database answers: {_said(error)}") from None
    except UnicodeDecodeError:
        raise NoRuns("the database holds text that is no UTF-8") from None


def _library() -> Any:
    try:
        import psycopg
    except ImportError:
        why = "PostgreSQL is read with psycopg, which cannot be loaded: pip install 'anchorlint[postgresql]'"
        raise NoRuns(why) from None
    return psycopg


def _parts(url: str) -> Mapping[str, Any]:
    psycopg = _library()
    try:
        parts: Mapping[str, Any] = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        # Other messages of libpq quote the part that it cannot read, which may be the password.
        unknown = re.match(r'invalid URI query parameter: "\w+"', str(error))
        raise NoRuns(unknown[0] if unknown else _malformed()) from None
    return parts


def _malformed() -> str:
    return (
        "no address such as postgresql://user@host:5432/database; in a user or password write @ as %40, / as %2F,"
        " % as %25"
    )


def _connected(place: Address) -> psycopg.Connection[Any]:
    library = _library()
    waits = {"connect_timeout": place.patience_s} if place.patience_s else {}
    connection: psycopg.Connection[Any] = library.connect(
        place.url, application_name="anchorlint", client_encoding="UTF8", prepare_threshold=None, **waits
    )
    connection.read_only = True
    connection.isolation_level = library.IsolationLevel.REPEATABLE_READ
    # As text, an instant that Python has no date for is one row that cannot be read, not the end of all of them.
    connection.adapters.register_loader("timestamptz", library.types.string.TextLoader)
    connection.adapters.register_loader("timestamp", library.types.string.TextLoader)
    return connection


def _records(connection: psycopg.Connection[Any], place: Address, since: datetime | None) -> Records:
    connection.execute(_SESSION)
    asked = list(queries(_tables(connection), since))
    if not asked:
        tables = "Airflow's dag_run, pg_cron's cron.job_run_details, Prefect's flow_run"
        raise NoRuns(f"the database holds none of {tables}: it may be another one of this server")
    found = [_answer(connection, query, place) for query in asked]
    runs = tuple(run for records in found for run in records.runs)
    problems = tuple(problem for records in found for problem in records.problems)
    if not runs and not problems:
        names = " and ".join(query.table for query in asked)
        return Records(problems=(Problem(f"{names} holds no run that this user may see", place.shown),))
    return Records(runs, problems)


def _answer(connection: psycopg.Connection[Any], query: Query, place: Address) -> Records:
    library = _library()
    try:
        # What one scheduler's tables refuse must not end the transaction for the other's.
        with (
            connection.transaction(),
            connection.cursor(name="anchorlint", row_factory=library.rows.dict_row) as cursor,
        ):
            cursor.itersize = _AT_ONCE
            cursor.execute(query.sql)
            records = converted(cursor, query.convert, place.shown)
            return records if cursor.rownumber else Records()
    except library.errors.InsufficientPrivilege as error:
        return Records(problems=(Problem(f"the database answers: {_said(error)}", place.shown),))


def _tables(connection: psycopg.Connection[Any]) -> Tables:
    """What stands under the wanted names: in the search path, else in the one schema that has it."""
    names = [name.rpartition(".")[2] for name in WANTED]
    schemas: dict[str, dict[str, Table]] = {}
    visible = set()
    for schema, name, is_visible, columns in connection.execute(_TABLES, (names,)):
        schemas.setdefault(schema, {})[name] = Table(_quoted(schema, name), frozenset(columns))
        if is_visible:
            visible.add(schema)
    found = {f"cron.{name}": table for name, table in schemas.pop("cron", {}).items()}
    for group in _TOGETHER:
        homes = [schema for schema, tables in schemas.items() if group <= tables.keys()]
        chosen = [schema for schema in homes if schema in visible] or homes
        if len(chosen) > 1 and chosen[0] not in visible:
            where = ", ".join(sorted(chosen))
            raise NoRuns(
                f"{min(group)} stands in the schemas {where}: add ?options=-csearch_path%3D and one to the URL"
            )
        found |= {name: schemas[chosen[0]][name] for name in group if chosen}
    return found


def _quoted(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def _said(error: Exception) -> str:
    """The first line of what the database or its library says, neither of which quotes a password."""
    text = getattr(getattr(error, "diag", None), "message_primary", None) or str(error).partition("\n")[0]
    return " ".join(text.removeprefix("connection failed: ").split())
