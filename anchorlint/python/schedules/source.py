"""The modules that hold schedules, as readers see them: their calls with arguments, values and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice, product
from typing import NamedTuple

from anchorlint.domain.span import Span
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE
from anchorlint.python.link import Linked, Ref
from anchorlint.python.parse import parse
from anchorlint.python.schedules.constants import Turn, put, text
from anchorlint.python.schedules.places import Place, Places
from anchorlint.python.terms import place
from anchorlint.python.value import Value, parts
from anchorlint.python.view import View

MOST_TURNS = 200  #: schedules that one call in a loop or a function makes
_FOLLOWED = ("name", "import", "attr", "outer", "entered")


class Site(NamedTuple):
    """A term and the view in which it is read."""

    view: View
    number: int

    @property
    def term(self) -> tuple:
        """The term itself."""
        return self.view.terms[self.number]


class Source:
    """The linked modules of a project; `text_of` gives the text of a path in which positions are looked up."""

    def __init__(self, engine: Evaluator, asked: frozenset[int], text_of: Callable[[str], str]) -> None:
        self.engine = engine
        self.linked: Linked = engine.linked
        self.asked = sorted(asked)
        self._text_of = text_of
        self._places: dict[int, Places] = {}

    def path(self, module: int) -> str:
        """The path of a module."""
        return self.linked.modules[module].path

    def places(self, module: int) -> Places:
        """Where things stand in a module; raises parse.Unparsed if its text has changed meanwhile."""
        if module not in self._places:
            path = self.path(module)
            written = self._text_of(path)
            self._places[module] = Places(path, written, parse(path, written))
        return self._places[module]

    def views(self) -> Iterator[View]:
        """Every function of the modules that are asked about, the body of the module first."""
        for module in self.asked:
            for number in range(len(self.linked.modules[module].functions)):
                yield self.engine.view(module, number)

    @cached_property
    def calls(self) -> tuple[Called, ...]:
        """Every call in the modules that are asked about, in the order of the text."""
        return tuple(
            Called(self, view, event.a)
            for view in self.views()
            for event in view.function.events
            if event.kind == "call"
        )

    @cached_property
    def packages(self) -> frozenset[str]:
        """The first steps of all dotted names that anything here can go by: of what is imported, and of the modules."""
        imported = (term[1] for facts in self.linked.modules for term in facts.terms if term[0] == "import")
        return frozenset(name.partition(".")[0] for name in (*imported, *self.linked.dotted))

    def follow(self, site: Site) -> Site:
        """The term that a name or an import leads to, in the module that has it."""
        for _ in range(8):
            term = site.term
            if term[0] == "entered":
                site = Site(site.view, term[1])
                continue
            ref = self.linked.expression(site.view.module, site.number) if term[0] in _FOLLOWED else None
            if ref is None or ref.kind != "val" or (ref.module, ref.number) == (site.view.module, site.number):
                break
            site = Site(self.engine.view(ref.module, 0), ref.number)
        return site

    def entries(self, site: Site) -> Iterator[Entry]:
        """The entries with a constant key of a mapping that is written out, merged ones too."""
        site = self.follow(site)
        term = site.term
        if term[0] == "map":
            for key, number in term[1]:
                if key == NONE:
                    yield from self.entries(Site(site.view, number))
                elif (name := text(site.view.value(key))) is not None:
                    yield Entry(self, name, site, Site(site.view, number), term[2:6])
        elif term[0] == "call" and Called(self, site.view, site.number).names == ("builtins.dict",):
            for name, number in term[3]:
                if name:
                    yield Entry(self, name, site, Site(site.view, number), place(term))

    def names(self, ref: Ref | None) -> tuple[str, ...]:
        """The dotted names of something from outside, or of the outside classes that a class of the project extends."""
        if ref is None:
            return ()
        if ref.kind == "cls":
            return tuple(base.dotted for base in self.linked.mro(ref) if base.kind == "ext")
        return (ref.dotted,) if ref.dotted else ()


class Entry(NamedTuple):
    """One entry of a mapping: its key, the mapping, its value, and the place of the mapping."""

    source: Source
    key: str
    mapping: Site
    site: Site
    place: Place

    @property
    def key_span(self) -> Span:
        """Where the key stands."""
        return self._spans[0]

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return self._spans[1]

    @property
    def _spans(self) -> tuple[Span, Span]:
        places = self.source.places(self.mapping.view.module)
        found = places.entry(self.place, self.key)
        return found or (places.span(self.place), places.span(self.place))

    @property
    def value(self) -> Value:
        """What the value is."""
        return self.site.view.value(self.site.number)


class Called:
    """One call in the source, its arguments by name, under one choice of parameters and loop variables."""

    def __init__(self, source: Source, view: View, number: int, turn: Turn | None = None) -> None:
        self.source = source
        self.view = view
        self.number = number
        self.turn: Turn = turn or {}
        self.term = view.terms[number]

    @property
    def module(self) -> int:
        """The module that the call stands in."""
        return self.view.module

    @property
    def place(self) -> Place:
        """The place of the whole call."""
        return place(self.term)

    @property
    def span(self) -> Span:
        """The whole call."""
        return self.source.places(self.module).span(self.place)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The dotted names that the callee goes by; none for a method."""
        return self.source.names(self.source.linked.expression(self.module, self.term[1]))

    @property
    def method(self) -> str:
        """The name of the method that is called, "" for a call of a name."""
        callee = self.view.terms[self.term[1]]
        return callee[2] if callee[0] == "attr" else ""

    @property
    def receiver(self) -> Site | None:
        """What the method is called on."""
        callee = self.view.terms[self.term[1]]
        return Site(self.view, callee[1]) if callee[0] == "attr" else None

    def is_of(self, package: str, *names: str) -> bool:
        """Whether one of these names of a package from outside is called."""
        if package not in self.source.packages:
            return False
        return any(n.startswith(f"{package}.") and n.rpartition(".")[2] in names for n in self.names)

    def site(self, name: str, position: int | None = None) -> Site | None:
        """The term of an argument, also out of a `**` mapping that is written out."""
        for key, number in self.term[3]:
            if key == name:
                return Site(self.view, number)
        if position is not None and position < len(self.term[2]) and not self._spread:
            return Site(self.view, self.term[2][position])
        for key, number in self.term[3]:
            if not key:
                for entry in self.source.entries(Site(self.view, number)):
                    if entry.key == name:
                        return entry.site
        return None

    @property
    def _spread(self) -> bool:
        return any(self.view.terms[number][0] == "star" for number in self.term[2])

    @property
    def is_open(self) -> bool:
        """Whether it may have arguments that nobody can see."""
        merged = [number for key, number in self.term[3] if not key]
        return self._spread or any(self.view.value(number).kind != "map" for number in merged)

    def value(self, name: str, position: int | None = None) -> Value | None:
        """What an argument is; None without it."""
        site = self.site(name, position)
        return put(self.source.engine, site.view.value(site.number), self.turn) if site else None

    def argument_span(self, name: str, position: int | None = None) -> Span:
        """Where an argument stands."""
        return self.source.places(self.module).argument(self.place, name, position)

    def turned(self, *values: Value | None) -> Iterator[Called]:
        """The call once for each element of the loops and each caller of the function that its arguments hang on."""
        open_ = {part for value in values if value is not None for part in parts(value, "iter", "param")}
        turns: list[Turn] = [{}]
        if open_:
            turns = list(islice(self._turns(sorted(open_, key=repr)), MOST_TURNS))
        for turn in turns or [{}]:
            yield Called(self.source, self.view, self.number, self.turn | turn)

    def _turns(self, open_: list[Value]) -> Iterator[Turn]:
        known = [(value, elements(self.source.engine, value.args[0])) for value in open_ if value.kind == "iter"]
        loops = [value for value, found in known if found]
        params = [v for v in open_ if v.kind == "param" and v.args[:2] == (self.module, self.view.number)]
        for chosen in product(*(found for _, found in known if found)):
            turn = dict(zip(loops, chosen, strict=True))
            if not params:
                yield turn
            for given in self._callers() if params else ():
                yield turn | {param: found for param in params if (found := given.get(param.args[2])) is not None}

    def _callers(self) -> Iterator[dict[int, Value]]:
        """The arguments of each call of the function that this one stands in, by their position."""
        linked, engine = self.source.linked, self.source.engine
        own = Ref("fn", self.module, self.view.number)
        for call in islice(linked.calls.get(linked.function(own).name, ()), MOST_TURNS):
            view = engine.view(call.module, call.function)
            term = view.terms[call.event.a]
            if linked.expression(call.module, term[1]) == own:
                caller = Called(self.source, view, call.event.a)
                args = tuple(view.value(number) for number in term[2])
                kwargs = tuple((key, view.value(number)) for key, number in term[3] if key)
                looped = {each for v in (*args, *(v for _, v in kwargs)) for each in parts(v, "iter")}
                for turn in caller._turns(sorted(looped, key=repr)):
                    filled = tuple(put(engine, arg, turn) for arg in args)
                    named = tuple((key, put(engine, arg, turn)) for key, arg in kwargs)
                    bound = engine.calls.bind(own, filled, named)
                    yield {n: v for n, v in enumerate(bound or ()) if v is not None}


def elements(engine: Evaluator, iterable: Value) -> tuple[Value, ...]:
    """What a loop goes through, where that is written out; nothing otherwise."""
    if iterable.kind == "seq":
        return iterable.args[1]  # type: ignore[no-any-return]
    if iterable.kind == "map" and all(key is not None for key, _ in iterable.args[0]):
        return tuple(key for key, _ in iterable.args[0])
    if iterable.kind == "result" and iterable.args[0].kind == "attr" and not iterable.args[1]:
        base, name = iterable.args[0].args
        keys = elements(engine, base) if base.kind == "map" and name in ("items", "keys", "values") else ()
        values = tuple(value for _, value in base.args[0]) if keys else ()
        if name == "items":
            return tuple(engine.values("seq", "tuple", pair) for pair in zip(keys, values, strict=True))
        return values if name == "values" else keys
    return ()
