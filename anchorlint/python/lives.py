"""Lives: how long a store keeps what is asked for, by its model, by settings, and by what the project writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from anchorlint.domain.duration import spoken
from anchorlint.knowledge.tables import SECONDS, Store
from anchorlint.python.arguments import argument
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Event
from anchorlint.python.index import Index
from anchorlint.python.link import last_name
from anchorlint.python.value import Value
from anchorlint.python.view import View

#: words of a key or argument by which something is asked to be kept for a time
_KEPT = re.compile(r"(?:^|_)(expir\w*|ttl|keep|kept|retention|retain|lifetime|delete|purge)(?:_|$)", re.IGNORECASE)
_NAMING = frozenset({"bind", "set", "call"})
#: kinds of terms that are never read as a mapping with known entries
_NO_MAPS = frozenset({"const", "fstr", "cmp", "seq", "comp", "param", "bin", "un", "iter"})
_MAKES = frozenset({"post", "put", "request", "patch"})
MOST_WRITES = 200  #: writes of one store that are looked at
WRITE_FUEL = 2000


class Lives:
    """Answers how long things are kept; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def of_store(self, store: Store, key: Value | None) -> str:
        """How long a store keeps what stands under a key, in words; "" where nothing says that it forgets."""
        written = self.written_s(store, key)
        if written is not None:
            return f"kept for {spoken(written)}"
        life = store.life
        if life is None or store.endless_without_ttl:
            return ""
        set_s = self.setting_s(life.settings, SECONDS.get(life.unit, 1.0))
        if set_s is not None:
            return f"kept for {spoken(set_s)}"
        if life.default_s is not None:
            return f"kept for {spoken(life.default_s)}{' by default' if life.settings else ''}"
        return f"kept {life.text}" if life.text else ""

    # writes

    def written_s(self, store: Store, key: Value | None) -> float | None:
        """The life in seconds that a write of the project gives to keys of this shape."""
        shape = key_shape(key)
        for written, life_s in self._writes(store.name):
            if shape is None or written is None or written == shape:
                return life_s
        return None

    def _writes(self, name: str) -> tuple[tuple[str | None, float], ...]:
        found = self._written.get(name)
        if found is None:
            store = next(one for one in self.engine.models.stores if one.name == name)
            found = self._written[name] = tuple(self._of_writes(store))
        return found

    @cached_property
    def _written(self) -> dict[str, tuple[tuple[str | None, float], ...]]:
        return {}

    def _of_writes(self, store: Store) -> Iterator[tuple[str | None, float]]:
        writes = [w for w in (*store.writes, *store.expires) if w.ttl]
        names = {c.rpartition(".")[2]: w for w in writes for c in w.calls}
        for view, term, callee in self._calls(names):
            target, receiver = self.engine.calls.target(callee), self.engine.calls.receiver(callee)
            models = self.engine.models
            for table in ("store.writes", "store.expires"):
                for one, write in models.all_of(table, target, receiver):
                    if one.name == store.name and write.ttl:
                        yield from self.life_of(view, term, write)

    def is_written(self, store: Store) -> bool:
        """Whether some call of the project writes a store with a life, known or not."""
        writes = [w for w in (*store.writes, *store.expires) if w.ttl]
        tables = ("store.writes", "store.expires")
        for _, _, callee in self._calls({c.rpartition(".")[2] for w in writes for c in w.calls}):
            target, receiver = self.engine.calls.target(callee), self.engine.calls.receiver(callee)
            written = (pair for table in tables for pair in self.engine.models.all_of(table, target, receiver))
            if any(one.name == store.name and write.ttl for one, write in written):
                return True
        return False

    def _calls(
        self, names: Iterable[str], wanted: Callable[[list[tuple], tuple], bool] | None = None
    ) -> Iterator[tuple[View, tuple, Value]]:
        linked = self.engine.linked
        for name in sorted(names):
            for call in linked.calls.get(name, ())[:MOST_WRITES]:
                terms = linked.modules[call.module].terms
                if wanted is None or wanted(terms, terms[call.event.a]):
                    view = self.engine.view(call.module, call.function)
                    self.engine.ask("lives of keys", WRITE_FUEL)
                    term = view.terms[call.event.a]
                    yield view, term, view.value(term[1])

    def life_of(self, view: View, term: tuple, write: object) -> Iterator[tuple[str | None, float]]:
        """The lives in seconds that a write gives, each with the shape of its key (None: no key that can be told)."""
        args = tuple(view.value(n) for n in term[2])
        kwargs = tuple((k, view.value(n)) for k, n in term[3] if k)
        key = argument(write.key, args, kwargs) if write.key != "self" else None
        for ttl in write.ttl:
            value = argument(ttl, args, kwargs)
            if value is None and ttl.default is not None:
                continue
            known = value is not None and not ttl.absolute
            seconds = self.seconds(value, SECONDS.get(ttl.unit, 1.0)) if known else None
            if seconds is not None and 0 < seconds < 1e12:
                yield key_shape(key), seconds

    def seconds(self, value: Value, unit_s: float = 1.0) -> float | None:
        """A known span in seconds; a plain number is in `unit_s`. "2m" and text numbers are read too."""
        if value.kind == "str":
            return _spelled(str(value.args[0]), unit_s)
        form = self.engine.arithmetic.linear(value)
        if form is None or form[1].number is None:
            return None
        return float(form[1].number) * (1.0 if form[0] == "td" else unit_s)

    # settings

    def setting_s(self, names: tuple[str, ...], unit_s: float) -> float | None:
        """A span in seconds that the project gives to a configuration key, wherever it does."""
        for name in names:
            found = self._settings.get(name.rpartition(".")[2])
            if found is not None:
                return self.seconds(found, unit_s)
        return None

    @cached_property
    def _settings(self) -> dict[str, Value]:
        """Every keyword, key, attribute and module name that is given a constant span, by name."""
        wanted = {n.rpartition(".")[2] for one in (*self.engine.models.stores, *self.engine.models.brokers)
                  for life in _lives(one) for n in life.settings}  # fmt: skip
        found: dict[str, Value] = {}
        for module, index in enumerate(self.engine.linked.indexes):
            if not _may_name(index, wanted):
                continue
            terms = index.facts.terms
            for function, record in enumerate(index.facts.functions):
                for event in record.events:
                    for name, number in _named(terms, event) if event[0] in _NAMING else ():
                        if name in wanted and name not in found:
                            self.engine.ask("settings", WRITE_FUEL)
                            value = self.engine.view(module, function).value(number)
                            if self.seconds(value) is not None:
                                found[name] = value
        return found

    # addresses

    def of_address(self, address: Value) -> str:
        """How long what stands at an address is kept, where the project asks for that when it makes it."""
        from anchorlint.python.asked import said_address

        said = said_address(address).partition("?")[0]
        for made, life_s in self._made:
            if len(made) > 1 and _below(said, made):
                return f"kept for {spoken(life_s)}"
        return ""

    @property
    def is_made(self) -> bool:
        """Whether the project asks anywhere for something to be kept for a time when it makes it."""
        return bool(self._made)

    @cached_property
    def _made(self) -> tuple[tuple[str, float], ...]:
        return tuple(self._of_made())

    def _of_made(self) -> Iterator[tuple[str, float]]:
        from anchorlint.python.asked import said_address

        for view, term, callee in self._calls(_MAKES, _may_keep):
            if callee.kind not in ("attr", "ext"):
                continue
            at = 1 if last_name(view.terms, term[1]) == "request" and len(term[2]) > 1 else 0
            numbers = (*term[2], *(n for k, n in term[3] if k))
            for name, value in _entries([view.value(n) for n in numbers if _may_say(view.terms, n)]):
                life_s = self._asked_s(name, value)
                if life_s is not None:
                    yield said_address(view.value(term[2][at])).partition("?")[0], life_s

    def _asked_s(self, name: str, value: Value) -> float | None:
        """The life that an entry of a request asks for; its unit by the entry's name."""
        if not _KEPT.search(name):
            return None
        unit = self.engine.words.unit(name)
        life_s = self.seconds(value, SECONDS.get(unit or "s", 1.0))
        return life_s if life_s is not None and life_s > 1 else None


def key_shape(key: Value | None) -> str | None:
    """The fixed text of a key: `receipt:{}`; None where it has none."""
    if key is None:
        return None
    if key.kind == "str":
        return str(key.args[0])
    if key.kind == "fstr":
        shape = "".join(key_shape(part) or "{}" for part in key.args[0])
        return shape if shape.strip("{}") else None
    if key.kind == "result" and key.args[0].kind == "+":
        return "".join(key_shape(part) or "{}" for part in key.args[1])
    return None


def _below(address: str, made: str) -> bool:
    """Whether an address is that of something made at another one: `/jobs/{}/results` of `/jobs`."""
    made = made.rstrip("/")
    at = address.find(made)
    return at >= 0 and address[at + len(made) :][:1] in ("/",) and bool(made.strip("/{}"))


def _spelled(text: str, unit_s: float) -> float | None:
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d|w)?\s*", text)
    if match is None:
        return None
    sizes = {"ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
    return float(match[1]) * (sizes[match[2]] if match[2] else unit_s)


def _lives(one: object) -> Iterator[object]:
    for name in ("life", "visibility", "retention"):
        life = getattr(one, name, None)
        if life is not None:
            yield life


def _may_name(index: Index, wanted: set[str]) -> bool:
    """Whether one of these names stands anywhere in a file: as an attribute, a text, a local or a keyword."""
    terms, kinds = index.facts.terms, index.kinds
    if not wanted.isdisjoint(index.named) or not wanted.isdisjoint([e[2] for _, e in index.events("bind")]):
        return True
    if not wanted.isdisjoint([terms[n][2] for n in kinds.get("const", ())]):
        return True
    return any([name in wanted for n in kinds.get("call", ()) for name, _ in terms[n][3]])


def _named(terms: list[tuple], event: Event) -> list[tuple[str, int]]:
    """The names to which an event gives a value: keywords and keys of a call or map, an attribute, a local."""
    if event[0] == "call":
        _, _, args, kwargs, *_ = terms[event[2]]
        maps = [number for number in (*[number for _, number in kwargs], *args) if terms[number][0] == "map"]
        return [*kwargs, *[one for number in maps for one in _keys(terms, number)]] if kwargs or maps else []
    value = event[3]
    found = list(_keys(terms, value)) if value >= 0 and terms[value][0] == "map" else []
    if event[0] == "bind":
        return [(event.a, value), *found]
    target = terms[event.a]
    if target[0] == "attr":
        found.insert(0, (target[2], value))
    elif target[0] == "sub" and terms[target[2]][0] == "const":
        found.insert(0, (str(terms[target[2]][2]), value))
    return found


def _keys(terms: list[tuple], number: int, depth: int = 0) -> Iterator[tuple[str, int]]:
    if number < 0 or terms[number][0] != "map" or depth > 3:
        return
    for key, value in terms[number][1]:
        if key >= 0 and terms[key][0] == "const":
            yield str(terms[key][2]), value
            yield from _keys(terms, value, depth + 1)


def _may_keep(terms: list[tuple], call: tuple) -> bool:
    """Whether a call to an address may ask for something to be kept, in a mapping that it gives."""
    return bool(call[2]) and any(_may_say(terms, number) for number in (*call[2], *(n for _, n in call[3])))


def _may_say(terms: list[tuple], number: int) -> bool:
    """Whether a term may be a mapping with an entry that says how long something is kept."""
    term = terms[number]
    if term[0] != "map":
        return term[0] not in _NO_MAPS
    return any(
        key < 0 or terms[key][0] != "const" or bool(_KEPT.search(str(terms[key][2]))) or _may_say(terms, value)
        for key, value in term[1]
    )


def _entries(given: list[Value]) -> Iterator[tuple[str, Value]]:
    for value in given:
        if value.kind == "map":
            for key, inner in value.args[0]:
                if key is not None and key.kind == "str":
                    yield str(key.args[0]), inner
                    yield from _entries([inner])
