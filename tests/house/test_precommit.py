"""The pre-commit hook in a project of its own: reports what is passed, reads the rest for linking."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from house.source import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="try-repo needs the repository, not an unpacked sdist"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environment that it builds for the hook, once for all tests."""
    return tmp_path_factory.mktemp("pre-commit")


def consumer(side: str, into: Path) -> Path:
    project = Path(shutil.copytree(ROOT / "rules" / "demo" / "1-two-clocks" / side, into / side))
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    subprocess.run(["git", "add", "."], cwd=project, check=True)
    return project


def hook(project: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "anchorlint", *arguments]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never"}
    return subprocess.run(
        command, cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600
    )


def test_only_what_is_passed_is_reported_and_the_rest_is_linked(home: Path, tmp_path: Path) -> None:
    project = consumer("bad", tmp_path)
    done = hook(project, home, "--files", "claims/ruling.py")
    assert done.returncode == 1, done.stdout + done.stderr
    # That the ruling is tried again stands in claims/sweep.py, which was not passed.
    assert "ANC101" in done.stdout
    assert "RTY201" not in done.stdout


def test_everything_is_reported_when_everything_is_passed(home: Path, tmp_path: Path) -> None:
    done = hook(consumer("bad", tmp_path), home, "--all-files")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "ANC101" in done.stdout
    assert "RTY201" in done.stdout


def test_a_mended_project_passes(home: Path, tmp_path: Path) -> None:
    done = hook(consumer("mended", tmp_path), home, "--all-files")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout
