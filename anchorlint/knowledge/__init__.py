"""Reads rules/: cards, models and words."""

from __future__ import annotations

from pathlib import Path


def rules_directory() -> Path:
    """The folder of cards and models: beside the package in a checkout, inside it once installed."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "rules"
    return installed if installed.is_dir() else package.parent / "rules"
