"""The rules travel with the wheel and the sdist, and nothing else does that should stay at home."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from anchorlint import __version__
from house.source import ROOT, modules


def committed(under: str) -> set[str]:
    """The files below a folder as git has them; without git (an unpacked sdist) those on disk."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z", under], cwd=ROOT, capture_output=True, text=True, check=True)
        return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    return {file.relative_to(ROOT).as_posix() for file in (ROOT / under).rglob("*") if file.is_file()}


def build(kind: str, source: Path, into: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(into)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (built,) = into.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


def test_the_wheel_holds_every_rule_and_module(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"anchorlint/{name}" for name in committed("rules")} <= names
    assert {module.path for module in modules()} <= names
    assert {name.partition("/")[0] for name in names} == {"anchorlint", f"anchorlint-{__version__}.dist-info"}


def test_the_sdist_holds_what_the_tests_need(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert committed("rules") | committed("tests") | {"README.md", "LICENSE", "CHANGELOG.md"} <= names
    assert {name.partition("/")[0] for name in names if "/" in name} <= {".ci", "anchorlint", "rules", "tests"}


def test_a_wheel_built_from_the_sdist_is_the_same(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not before Python 3.11.4
        archive.extractall(tmp_path / "source", **safely)
    (source,) = (tmp_path / "source").iterdir()
    rebuilt = build("wheel", source, tmp_path / "wheel")
    assert sorted(zipfile.ZipFile(rebuilt).namelist()) == sorted(zipfile.ZipFile(wheel).namelist())


def test_an_installed_wheel_finds_its_rules(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "import anchorlint.knowledge as k; d = k.rules_directory(); print(d, len(list(d.glob('*.md'))), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    directory, cards = done.stdout.splitlines()
    assert Path(directory).resolve() == (tmp_path / "anchorlint" / "rules").resolve()
    assert int(cards) == len(list((ROOT / "rules").glob("*.md"))) > 0


def test_this_checkout_finds_its_rules() -> None:
    from anchorlint.knowledge import rules_directory

    assert rules_directory().resolve() == (ROOT / "rules").resolve()
