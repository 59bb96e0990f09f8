"""Arrows point down only, and each library is imported in one package of ours."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.source import ROOT, Module, modules

# What each package may import from outside. An import name, not the name on the package index.
HOMES = {
    "click": {"cli", "main"},
    "lsprotocol": {"server"},
    "pygls": {"server"},
    "libcst": {"python"},
    "networkx": {"manifests"},
    "yaml": {"documents"},
    "tomli": {"documents"},
    "sqlglot": {"documents"},
    "pathspec": {"engine"},
    "psycopg": {"manifests"},
    "msgspec": None,
    "rich": None,
}
IMPORT_NAMES = {"pyyaml": "yaml"}
# What connects to something is imported in this module alone.
CONNECTS = {"psycopg": "anchorlint/manifests/history/postgresql.py"}
# Data that zoneinfo finds by itself.
NEVER_IMPORTED = {"tzdata"}


def lint_imports(config: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    arguments = ["--config", str(config), "--no-cache", "--no-logo"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run([*command, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_arrows_point_down_only() -> None:
    done = lint_imports(ROOT / "pyproject.toml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: 1 kept, 0 broken." in done.stdout


def test_the_contract_can_fail(tmp_path: Path) -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    line = '  "report | engine",\n'
    broken = settings.replace(line, "").replace('  "domain",\n', f'  "domain",\n{line}')
    (tmp_path / "pyproject.toml").write_text(broken, encoding="utf-8")
    assert lint_imports(tmp_path / "pyproject.toml").returncode == 1


def imported(module: Module) -> Iterator[tuple[str, int]]:
    """The top names that a module imports, wherever in it, with their lines."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module.path}:{node.lineno}: a relative import"
            yield str(node.module).partition(".")[0], node.lineno


def outside(module: Module) -> Iterator[tuple[str, int]]:
    """The third-party names among them."""
    own = {"anchorlint", *sys.stdlib_module_names}
    return ((name, line) for name, line in imported(module) if name not in own)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.path)
def test_each_library_has_one_home(module: Module) -> None:
    for name, line in outside(module):
        assert name in HOMES, f"{module.path}:{line}: {name} is not one of the libraries of anchorlint"
        home = HOMES[name]
        assert home is None or module.package in home, f"{module.path}:{line}: {name} belongs in {home}"


def test_every_dependency_is_imported_and_every_import_is_a_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "test" for line in lines]
    requirements = [*project["dependencies"], *extras]
    names = {re.split(r"[ \[]", requirement)[0].lower() for requirement in requirements} - NEVER_IMPORTED
    declared = {IMPORT_NAMES.get(name, name) for name in names}
    used = {name for module in modules() for name, _ in outside(module)} - {"lsprotocol"}  # pinned by pygls
    assert used == declared


def test_what_connects_is_imported_in_one_place() -> None:
    found = {(name, module.path) for module in modules() for name, _ in outside(module) if name in CONNECTS}
    assert found == set(CONNECTS.items())


def test_starting_up_imports_nothing_heavy() -> None:
    code = "import sys, anchorlint.main; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"libcst", "networkx", "pygls", "lsprotocol", "yaml", "rich", "tomli", "psycopg"}
    assert not heavy & set(done.stdout.split())
