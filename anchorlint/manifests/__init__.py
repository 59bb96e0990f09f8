"""Documents into schedules: formats, the calendar, recorded runs and the dependency graph."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from anchorlint.manifests.recognise import recognise

if TYPE_CHECKING:
    from anchorlint.manifests.dialects import Reading
    from anchorlint.manifests.timetable import Timetable

__all__ = ["read_manifests", "recognise"]


def read_manifests(
    sources: Iterable[tuple[str, str]],
    runs: Iterable[tuple[str, str, bool]],
    as_of: datetime,
    window: int = 30,
    besides: Reading | None = None,
) -> Timetable:
    """The timetable of every manifest among `sources` (path, text) and of the recorded `runs` (path, text, named).

    `as_of` is an aware instant from which to look ahead; `window` is how many of the last runs count. `besides` is what
    was read elsewhere, from Python. A file that cannot be read becomes a problem of the timetable, nothing is raised.
    """
    from anchorlint.manifests.dialects import Reading
    from anchorlint.manifests.reading import read

    return read(sources, runs, as_of, window, besides or Reading())
