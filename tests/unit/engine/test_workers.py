"""Files are read elsewhere with the same result, whoever reads them and whatever happens to him."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from anchorlint.engine import workers
from anchorlint.engine.leaf import read_packed
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.workers import Workers
from anchorlint.report import json

Project = Callable[[Mapping[str, str]], Path]
FILES = {f"{number:02}.py": f"x = {number}  # anchorlint: off\n" for number in range(30)} | {"bad.py": "def f(:\n"}


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is worth a process of its own."""
    monkeypatch.setattr(workers, "WORTH_BYTES", 1)
    monkeypatch.setattr(workers, "BATCH_BYTES", 100)


@pytest.fixture
def alone(project: Project) -> str:
    project(FILES)
    return json.render(run(Request(jobs=1, use_cache=False)))


def die(_: object) -> None:
    os._exit(3)


class Deadly(Executor):
    """Its processes die of whatever they are given."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool

    def submit(self, _: Any, *given: Any, **more: Any) -> Future[Any]:
        return self._pool.submit(die, *given, **more)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


class Refusing(Executor):
    """An executor that takes nothing any more."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise RuntimeError("cannot schedule new futures after shutdown")


def test_any_number_of_processes_says_the_same(alone: str) -> None:
    assert json.render(run(Request(jobs=2, use_cache=False))) == alone


def test_any_executor_will_do_and_is_left_running(alone: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert json.render(run(Request(executor=pool, use_cache=False))) == alone
        assert pool.submit(int).result() == 0


def test_what_others_have_read_is_kept(alone: str) -> None:
    assert json.render(run(Request(jobs=2))) == alone
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "read_packed", lambda files: pytest.fail("read again"))
        assert json.render(run(Request(jobs=2))) == alone


def test_a_pool_that_breaks_costs_time_only(alone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = workers._pool
    monkeypatch.setattr(workers, "_pool", lambda jobs: Deadly(pool(jobs)))
    assert json.render(run(Request(jobs=2, use_cache=False))) == alone


def test_an_executor_that_was_shut_down_costs_time_only(alone: str) -> None:
    assert json.render(run(Request(executor=Refusing(), use_cache=False))) == alone


def test_a_little_work_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTH_BYTES", 1000)
    monkeypatch.setattr(workers, "_pool", lambda jobs: pytest.fail("started"))
    few = Workers(8)
    few.add("a.py", b"x = 1\n")
    ((batch, packed),) = few.results()
    assert (batch, packed) == ([("a.py", b"x = 1\n")], read_packed([("a.py", b"x = 1\n")]))


def test_a_fault_of_ours_is_told_for_its_file_alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    import anchorlint.engine.leaf as leaf

    before = leaf.read_leaf

    def broken(path: str, data: bytes) -> object:
        if path == "05.py":
            raise KeyError("lost")
        return before(path, data)

    monkeypatch.setattr(leaf, "read_leaf", broken)
    project(FILES)
    with ThreadPoolExecutor(2) as pool:
        report = run(Request(executor=pool, use_cache=False))
    (problem,) = report.problems
    assert (problem.path, problem.message) == ("05.py", "internal error while reading: KeyError: 'lost'")
    assert len(report.findings) == len(FILES) - 1


def files_of(batches: Iterator[Any]) -> list[str]:
    return [path for batch, _ in batches for path, _ in batch]


def test_every_file_comes_back_once() -> None:
    for jobs in (1, 2):
        several = Workers(jobs)
        for number in range(50):
            several.add(f"{number}.py", b"x = 1\n" * number)
        assert sorted(files_of(several.results())) == sorted(f"{number}.py" for number in range(50))
