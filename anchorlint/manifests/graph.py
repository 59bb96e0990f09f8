"""Who waits for whom: ids resolved, rings, and what comes before a schedule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.domain.schedule import Schedule

if TYPE_CHECKING:
    import networkx


class Graph:
    """The dependencies among some schedules; networkx is imported only if there are any."""

    def __init__(self, schedules: Sequence[Schedule]) -> None:
        self._schedules = schedules
        self._places = {id(schedule): place for place, schedule in enumerate(schedules)}
        self._scoped: dict[tuple[str, str], Schedule] = {}
        self._named: dict[tuple[str, str], list[Schedule]] = {}
        for schedule in schedules:
            self._scoped.setdefault((schedule.scope, schedule.id), schedule)
            self._named.setdefault((schedule.format, schedule.id), []).append(schedule)
        self._answering: dict[tuple[str, str], list[Schedule]] = {}
        for schedule in schedules:
            for name in dict.fromkeys((schedule.id, *schedule.recorded_as)):
                self._answering.setdefault((schedule.scope, name), []).append(schedule)

    def answering(self, speaker: Schedule, name: str) -> list[Schedule]:
        """Every schedule that goes by a name in the scope of `speaker`, by its id or by that of its runs."""
        return self._answering.get((speaker.scope, name), [])

    def keeping(self, speaker: Schedule, what: str) -> list[Schedule]:
        """Every schedule in the scope of `speaker` whose runs leave something of that name behind."""
        within = (one for one in self._schedules if one.scope == speaker.scope)
        return [one for one in within if any(kept.named(what) for kept in one.keeps)]

    def find(self, dependent: Schedule, id_: str) -> Schedule | None:
        """The schedule that `dependent` means by an id: one of its own scope, else the only one of its format."""
        own = self._scoped.get((dependent.scope, id_)) or next(iter(self.answering(dependent, id_)), None)
        if own is not None:
            return own
        elsewhere = self._named.get((dependent.format, id_), [])
        return elsewhere[0] if elsewhere else None

    def before(self, schedule: Schedule) -> Iterator[Schedule]:
        """The known prerequisites of a schedule that all have to end, not itself."""
        if schedule.dependency is None or schedule.dependency.any_of:
            return
        for named in schedule.dependency.prerequisites:
            found = self.find(schedule, named.id)
            if found is not None and found is not schedule:
                yield found

    @cached_property
    def rings(self) -> tuple[tuple[Schedule, ...], ...]:
        """Each group of schedules that wait for each other, as one shortest ring from its first member in the text."""
        if not any(schedule.dependent for schedule in self._schedules):
            return ()
        import networkx as nx

        groups = [sorted(group) for group in nx.strongly_connected_components(self._whole_edges) if len(group) > 1]
        return tuple(self._ring(group) for group in sorted(groups))

    @cached_property
    def _edges(self) -> networkx.DiGraph[int]:
        """An edge from each dependent to its prerequisites, by their places."""
        import networkx as nx

        edges: networkx.DiGraph[int] = nx.DiGraph()
        for schedule in self._schedules:
            for prerequisite in self.before(schedule):
                edges.add_edge(self._places[id(schedule)], self._places[id(prerequisite)])
        return edges

    @cached_property
    def _whole_edges(self) -> networkx.DiGraph[int]:
        """The edges to prerequisites of which the whole run has to end: only these make a ring that nobody leaves."""
        import networkx as nx

        edges: networkx.DiGraph[int] = nx.DiGraph()
        for schedule in self._schedules:
            named = schedule.dependency.prerequisites if schedule.dependency else ()
            partly = {id(self.find(schedule, one.id)) for one in named if one.partial}
            for prerequisite in self.before(schedule):
                if id(prerequisite) not in partly:
                    edges.add_edge(self._places[id(schedule)], self._places[id(prerequisite)])
        return edges

    def _ring(self, group: list[int]) -> tuple[Schedule, ...]:
        import networkx as nx

        within = self._whole_edges.subgraph(group)
        first = group[0]
        back = nx.single_target_shortest_path(within, first)
        paths = [[first, *back[step][:-1]] for step in within.successors(first)]
        return tuple(self._schedules[place] for place in min(paths, key=lambda path: (len(path), path)))

    @cached_property
    def _in_rings(self) -> frozenset[int]:
        if not any(schedule.dependent for schedule in self._schedules):
            return frozenset()
        import networkx as nx

        own = {self._places[id(s)] for s in self._schedules if self._waits_for_itself(s)}
        groups = [group for group in nx.strongly_connected_components(self._whole_edges) if len(group) > 1]
        return frozenset(own.union(*groups))

    def _waits_for_itself(self, schedule: Schedule) -> bool:
        named: Iterable[str] = (p.id for p in schedule.dependency.prerequisites) if schedule.dependency else ()
        return any(self.find(schedule, id_) is schedule for id_ in named)

    def in_ring(self, schedule: Schedule) -> bool:
        """Whether a schedule waits for itself, directly or round a ring."""
        return self._places[id(schedule)] in self._in_rings

    def behind_ring(self, schedule: Schedule) -> bool:
        """Whether a schedule is in a ring or waits, through any number of others, for one that is."""
        if not self._in_rings or not schedule.dependent:
            return False
        import networkx as nx

        place = self._places[id(schedule)]
        if place in self._in_rings:
            return True
        return place in self._edges and not self._in_rings.isdisjoint(nx.descendants(self._edges, place))

    def related(self, one: Schedule, other: Schedule) -> bool:
        """Whether one of two schedules waits for the other, through any number of others."""
        if not (one.dependent or other.dependent):
            return False
        import networkx as nx

        first, second = self._places[id(one)], self._places[id(other)]
        if first not in self._edges or second not in self._edges:
            return False
        return bool(nx.has_path(self._edges, first, second) or nx.has_path(self._edges, second, first))
