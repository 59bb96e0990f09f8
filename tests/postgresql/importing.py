"""What the tests of this folder share: the rows that an import prints, and rows for Airflow's table."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from anchorlint.main import main


def imported(*arguments: str) -> Result:
    """What `runs import` says to these arguments, in this process."""
    return CliRunner().invoke(main, ["runs", "import", *arguments])


def rows(done: Result) -> list[dict[str, Any]]:
    """The runs that were printed."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def dag_runs(table: str, *records: dict[str, object]) -> str:
    """SQL that inserts rows, with the columns that Airflow always fills."""
    return "".join(_insert(table, number, record) for number, record in enumerate(records))


def _insert(table: str, number: int, record: dict[str, object]) -> str:
    kind = record.get("run_type", "scheduled")
    known = {"dag_id": "load", "run_type": kind, "run_id": f"{kind}__{number}", **record}
    values = ", ".join("null" if value is None else f"'{value}'" for value in known.values())
    return f"insert into {table} ({', '.join(known)}) values ({values});\n"
