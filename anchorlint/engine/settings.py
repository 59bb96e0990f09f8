"""What a user can set, in `[tool.anchorlint]` and on the command line, with its defaults."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from anchorlint.domain.finding import Confidence
from anchorlint.domain.report import FailOn

OutputFormat = Literal["full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """The values in force for one file; `None` stands for the built-in choice."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    preview: bool = False
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    include_tests: bool = False
    min_confidence: Confidence = Confidence.MEDIUM
    fail_on: FailOn = "warning"
    output_format: OutputFormat = "full"
    runs: tuple[str, ...] = ()
    runs_window: Annotated[int, msgspec.Meta(ge=1)] = 30
    baseline: str | None = None


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the command line says; a field left at `None` was not said and leaves the configuration in force."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    preview: bool | None = None
    per_file_ignores: dict[str, tuple[str, ...]] | None = None
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] | None = None
    force_exclude: bool | None = None
    respect_gitignore: bool | None = None
    min_confidence: Confidence | None = None
    fail_on: FailOn | None = None
    output_format: OutputFormat | None = None
    baseline: str | None = None


def overridden(settings: Settings, said: Said) -> Settings:
    """`settings` with what the command line says on top: lists called extend or ignore grow, others are replaced.

    A `select` that was said starts the choice of rules anew, so the configured `ignore` ends with it.
    """
    values = {name: value for name, value in msgspec.structs.asdict(said).items() if value is not None}
    if said.select is not None:
        settings = msgspec.structs.replace(settings, extend_select=(), ignore=())
    for key in ("extend_select", "ignore", "extend_exclude"):
        if key in values:
            values[key] = (*getattr(settings, key), *values[key])
    if said.per_file_ignores is not None:
        values["per_file_ignores"] = {**settings.per_file_ignores, **said.per_file_ignores}
    return msgspec.structs.replace(settings, **values)
