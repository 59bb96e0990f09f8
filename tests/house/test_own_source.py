"""anchorlint has nothing to say about itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from house.source import ROOT


@pytest.mark.slow
def test_our_own_source_is_without_findings() -> None:
    arguments = ["check", "anchorlint", "--isolated", "--no-cache", "--fail-on", "note"]
    command = [sys.executable, "-m", "anchorlint", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
