"""What a run is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from anchorlint.engine.settings import Said

if TYPE_CHECKING:
    # Importing it costs more than all of ours, and most runs never need it.
    from concurrent.futures import Executor

Progress = Callable[[str, int, int], None]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One analysis; paths are relative to the working directory or absolute.

    `texts` stand in for files of these paths (standard input, unsaved buffers). `as_of` is an aware instant, now if
    `None`. `config` are configuration files and `key = value` settings. `progress` is told a stage, how much of it is
    done, and how much there is. Files are read in `jobs` processes, by default one for each processor, or by the
    `executor` that is given.
    """

    paths: tuple[str, ...] = (".",)
    texts: Mapping[str, str | bytes] = {}
    runs: tuple[str, ...] = ()
    as_of: datetime | None = None
    said: Said = Said()
    config: tuple[str, ...] = ()
    isolated: bool = False
    use_cache: bool = True
    cache_directory: str | None = None
    progress: Progress | None = None
    jobs: int | None = None
    executor: Executor | None = None
