"""Says what a run would do: the files it would report on and the settings in force for them."""

from __future__ import annotations

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.request import Request
from anchorlint.engine.targets import find_targets
from anchorlint.knowledge.cards import cards


class Shown(msgspec.Struct, frozen=True):
    """Lines for people, and what stood in the way."""

    lines: tuple[str, ...]
    problems: tuple[Problem, ...]


def files_of(request: Request) -> Shown:
    """The files whose findings a run would report."""
    configurations = Configurations(request, cards())
    targets = find_targets(request, configurations)
    return Shown(targets.reported, (*configurations.problems((*request.paths, *targets.reported)), *targets.problems))


def settings_of(request: Request) -> Shown:
    """The settings in force, once for each configuration that some reported file has."""
    configurations = Configurations(request, cards())
    targets = find_targets(request, configurations)
    lines: list[str] = []
    for configured in dict.fromkeys([configurations.of("."), *map(configurations.of_file, targets.reported)]):
        source = configured.table.path if configured.table else "no configuration"
        settings = msgspec.to_builtins(configured.settings)
        lines += [f"# {source}", *(f"{key} = {msgspec.json.encode(value).decode()}" for key, value in settings.items())]
        lines += [f"rules = {msgspec.json.encode(sorted(configured.codes)).decode()}", ""]
    return Shown(tuple(lines), (*configurations.problems((*request.paths, *targets.reported)), *targets.problems))
