"""The README's first command on a machine that has nothing but Python."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import pytest

from house.source import ROOT

DEMO_COMMAND = "pip install . && anchorlint demo"


@pytest.mark.slow
def test_the_first_command_of_the_readme(tmp_path: Path) -> None:
    assert f"```sh\n{DEMO_COMMAND}\n```" in (ROOT / "README.md").read_text(encoding="utf-8")
    venv.create(tmp_path / "bare", with_pip=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PATH"] = f"{tmp_path / 'bare' / 'bin'}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        ["bash", "-c", DEMO_COMMAND],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 incidents: every fault found, and nothing reported once mended" in done.stdout
