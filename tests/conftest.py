"""Options and fixtures that every test may use."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from anchorlint.main import main

# a busy machine is no fault of the code
settings.register_profile("anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("anywhere")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite what the cards say from what is rendered")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are to be rewritten."""
    return bool(request.config.getoption("--bless"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], Path]:
    """Writes files into a fresh folder, which is then the working directory."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    for name in [name for name in os.environ if name.startswith("ANCHORLINT_") or name in ("NO_COLOR", "FORCE_COLOR")]:
        monkeypatch.delenv(name)
    return write


@pytest.fixture
def anchorlint() -> Callable[..., Result]:
    """Runs the command line in this process: `anchorlint("check", "--isolated", ".")`."""

    def call(*arguments: str, given: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, arguments, input=given)

    return call
