"""Celery's settings wherever they are written: `app.conf.x = …`, `conf.update(x=…)`, modules, classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from anchorlint.domain.span import Span
from anchorlint.python.schedules.constants import text
from anchorlint.python.schedules.source import Site, Source
from anchorlint.python.value import Value

_ZONE = re.compile(r"(celery_)?timezone", re.IGNORECASE)


class Setting(msgspec.Struct, frozen=True):
    """One setting as it is written: the module, the value and where it stands."""

    module: int
    value: Value
    span: Span


class Settings:
    """Looks settings up; one for a project."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.zone = lru_cache(maxsize=None)(self._zone)
        self._assigned = lru_cache(maxsize=None)(self._all_assigned)

    def mappings(self, name: re.Pattern[str]) -> Iterator[Site]:
        """Each mapping that is given to a setting of that name, or merged into it."""
        for site, _ in self._assigned(name):
            yield site
        for call in self.source.calls:
            receiver = call.receiver
            if call.method == "update" and receiver and call.term[2] and self.is_named(receiver, name):
                yield Site(call.view, call.term[2][0])

    def stated(self, name: re.Pattern[str]) -> list[Setting]:
        """Each place where a setting of that name gets a value."""
        return [Setting(site.view.module, site.view.value(site.number), span) for site, span in self._assigned(name)]

    def is_named(self, site: Site, name: re.Pattern[str]) -> bool:
        """Whether a term is a setting of that name: an attribute, a subscript, or the very mapping of a plain name."""
        term = site.term
        if term[0] == "attr":
            return bool(name.fullmatch(term[2]))
        if term[0] == "sub":
            key = text(site.view.value(term[2]))
            return key is not None and bool(name.fullmatch(key))
        followed = self.source.follow(site)
        return any(self.source.follow(known) == followed for known, _ in self._assigned(name))

    def _all_assigned(self, name: re.Pattern[str]) -> list[tuple[Site, Span]]:
        """Every term that a setting gets, and where it stands."""
        return [*self._set(name), *self._updated(name)]

    def _updated(self, name: re.Pattern[str]) -> Iterator[tuple[Site, Span]]:
        for call in self.source.calls:
            if call.method not in ("update", "add_defaults") or not self._is_configuration(call.receiver):
                continue
            places = self.source.places(call.module)
            for key, number in call.term[3]:
                if name.fullmatch(key):
                    yield Site(call.view, number), places.argument(call.place, key, None)
            for number in call.term[2]:
                for entry in self.source.entries(Site(call.view, number)):
                    if name.fullmatch(entry.key):
                        yield entry.site, entry.span

    def _set(self, name: re.Pattern[str]) -> Iterator[tuple[Site, Span]]:
        for view in self.source.views():
            for event in view.events("bind", "set"):
                if event.kind == "bind":
                    named = view.number == 0 and bool(name.fullmatch(event.a))
                else:
                    term = view.terms[event.a]
                    named = term[0] == "attr" and bool(name.fullmatch(term[2]))
                    if term[0] == "sub" and self._is_configuration(Site(view, term[1])):
                        named = bool(name.fullmatch(text(view.value(term[2])) or ""))
                if named:
                    here = (event.line, event.column, event.end_line, event.end_column)
                    yield Site(view, event.b), self.source.places(view.module).given(here)

    def _is_configuration(self, site: Site | None) -> bool:
        """Whether settings are kept in it: what is called conf or config."""
        if site is None:
            return False
        last = site.term[2] if site.term[0] == "attr" else site.term[1] if site.term[0] == "name" else ""
        return isinstance(last, str) and last in ("conf", "config", "configuration")

    def _zone(self, module: int) -> str:
        """The zone of the crontabs in a module: what it says itself, else what all others say, else UTC."""
        stated = [(one.module, text(one.value)) for one in self.stated(_ZONE)]
        own = [zone for where, zone in stated if where == module]
        found = {zone for zone in own or [zone for _, zone in stated]}
        single = found.pop() if len(found) == 1 else None
        return single or "UTC"
