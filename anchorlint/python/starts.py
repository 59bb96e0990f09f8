"""Starts: the calls of a program at which something that forgets is asked, told by names before any is evaluated.

What is asked matters only if it is kept for a time, or if the program knows the status 410; and only under a handle
that is no constant, or where a handler around it, or around a call of the function, may take it for an outage.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cached_property

from anchorlint.knowledge.tables import Argument
from anchorlint.python.ask import Start
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.index import Index
from anchorlint.python.lasting import HTTP_READS, Lasting
from anchorlint.python.lives import Lives
from anchorlint.python.terms import last_name, parts, place
from anchorlint.python.types_of import BUILTIN

HTTP_ROOTS = frozenset({"requests", "httpx", "aiohttp", "urllib3", "niquests"})
CLIENTS = frozenset({"http", "client", "session", "http_client", "api", "requests", "httpx", "sess"})
MOST_TEST = 12  #: terms of one test that are looked at
MOST_BASES = 3  #: classes above classes
_COMMON = frozenset({"get", "list", "set", "state", "status", "result", "info", "exists", "ready", "failed", "request",
                     "stream", "find_one", "has", "fetch", "watch", "head", "incr", "decr", "retrieve",
                     "ttl"})  # fmt: skip
_FIXED = frozenset({"map", "const", "fstr", "comp"})


class Starts:
    """Lists the candidates of one program; one for a program."""

    def __init__(self, engine: Evaluator, lives: Lives) -> None:
        self.engine = engine
        self.linked = engine.linked
        self.lasting = Lasting(lives)

    def all(self) -> Iterator[Start]:
        """The places where something may be asked whose miss can matter, in source order."""
        for module, index in enumerate(self.linked.indexes):
            called = (self.names | HTTP_READS) & index.calls.keys()
            read = self.names & index.named.keys()
            if not called and not read:
                continue
            near = self._is_near(module)
            asked = self._calls(index, module, called if near else called - _COMMON)
            tested = self._tests(index.facts) if near and not self._attributes.isdisjoint(read) else {}
            bound = {event.b for _, event in index.events("bind") if self._is_bound(index.facts, event)} if read else ()
            if tested or bound:
                yield from self._of_events(index.facts, module, asked, tested, bound)
            elif asked:
                for number, event in index.events("call"):
                    if event.a in asked:
                        yield Start(module, number, event.a, place(index.facts.terms[event.a]))

    def _of_events(
        self, facts: Facts, module: int, asked: set[int], tested: dict[int, list[int]], bound: Container[int]
    ) -> Iterator[Start]:
        for number, record in enumerate(facts.functions):
            for event in record.events:
                if event.kind == "call" and event.a in asked:
                    yield Start(module, number, event.a, place(facts.terms[event.a]))
                for term in tested.get(event.chain, ()):
                    yield Start(module, number, term, tuple(facts.chains[event.chain][5:9]))  # type: ignore[arg-type]
                if event.kind == "bind" and event.b in bound:
                    where = (event.line, event.column, event.end_line, event.end_column)
                    yield Start(module, number, event.b, where)

    def _calls(self, index: Index, module: int, names: frozenset[str]) -> set[int]:
        """The calls by these names that may ask for something whose miss can matter."""
        found = set()
        for name in names:
            if self.lasting.is_lasting(name):
                for number, event in index.calls[name]:
                    if self._may_matter(index.facts, module, number, event, name):
                        found.add(event.a)
        return found

    def _tests(self, facts: Facts) -> dict[int, list[int]]:
        """The path conditions whose last test reads an attribute that asks, with these attributes."""
        found = {}
        for number, frame in enumerate(facts.chains):
            if number and frame[1] == "test":
                read = list(self._of_test(facts, frame[2]))
                if read:
                    found[number] = read
        return found

    def _is_bound(self, facts: Facts, event: Event) -> bool:
        term = facts.terms[event.b] if event.b != NONE else ("",)
        return (
            term[0] == "attr" and term[2] in self.names and self._may_be_read(facts, term[1], term[2], attribute=True)
        )

    def _of_test(self, facts: Facts, test: int) -> Iterator[int]:
        """The attributes that a test reads: `if result.state == "PENDING"`."""
        terms, pending = facts.terms, [test]
        for _ in range(MOST_TEST):
            if not pending:
                return
            number = pending.pop()
            term = terms[number]
            if term[0] == "attr" and term[2] in self._attributes:
                if self._may_be_read(facts, term[1], term[2], attribute=True):
                    yield number
            elif term[0] in ("cmp", "un", "bool"):
                pending += parts(term)

    # names

    @cached_property
    def names(self) -> frozenset[str]:
        """The last names of all reads of modelled stores."""
        return frozenset(name.rpartition(".")[2] for name in self._read_names)

    @cached_property
    def _read_names(self) -> tuple[str, ...]:
        return tuple(name for store in self.engine.models.stores for read in store.reads for name in read.calls)

    @cached_property
    def _attributes(self) -> frozenset[str]:
        reads = (read for store in self.engine.models.stores for read in store.reads if read.attribute)
        return frozenset(name.rpartition(".")[2] for read in reads for name in read.calls)

    @cached_property
    def _called(self) -> frozenset[str]:
        """The last names of the reads that are calls."""
        reads = (read for store in self.engine.models.stores for read in store.reads if not read.attribute)
        return frozenset(name.rpartition(".")[2] for read in reads for name in read.calls) | HTTP_READS

    @cached_property
    def _roots(self) -> frozenset[str]:
        """The top packages of everything that is asked or raised."""
        raised = (c for store in self.engine.models.stores for c in (*store.gone, *store.outage))
        also = (c for store in self.engine.models.stores for read in store.reads for c in read.raises)
        return frozenset(n.partition(".")[0] for n in (*self._read_names, *raised, *also) if "." in n) | HTTP_ROOTS

    def _is_near(self, module: int) -> bool:
        """Whether a file imports a library that is asked, or a file of the project that does."""
        if module in self._direct:
            return True
        linked, terms = self.linked, self.linked.modules[module].terms
        imported = (terms[n] for n in linked.indexes[module].kinds.get("import", ()))
        return any(linked.imported(module, t[1], t[2], t[3]).module in self._direct for t in imported)

    @cached_property
    def _direct(self) -> frozenset[int]:
        """The files that import a library that is asked."""
        roots, found = self._roots, []
        for number, index in enumerate(self.linked.indexes):
            imported = (index.facts.terms[n] for n in index.kinds.get("import", ()))
            if any(t[3] == 0 and t[1].partition(".")[0] in roots for t in imported):
                found.append(number)
        return frozenset(found)

    # what can matter

    def _may_matter(self, facts: Facts, module: int, function: int, event: Event, name: str) -> bool:
        """Whether a call by this name may ask for something whose miss can matter."""
        terms, term = facts.terms, facts.terms[event.a]
        callee = terms[term[1]]
        if callee[0] not in ("attr", "name", "import"):
            return False
        if self._is_fixed(terms, term, name) and not self._is_guarded(facts, function, event):
            return False
        ref = self.linked.expression(module, term[1])
        if ref is not None and ref.kind == "ext":
            return self._is_read(ref.dotted.removeprefix("builtins."), "")
        return callee[0] != "attr" or (
            name in self._called and self._may_be_read(facts, callee[1], name, attribute=False)
        )

    def _may_be_read(self, facts: Facts, base: int, name: str, attribute: bool) -> bool:
        """Whether an attribute of a term may be a read: of an object of a store's class, or of one that is named so."""
        term = facts.terms[base]
        if term[0] in _FIXED:
            return False
        if term[0] == "param" and self._is_untyped(facts, term) and not self._is_ours(name):
            return self._is_read(f"*.{name}", facts.functions[term[1]].params[term[2]].name)
        if name in self._typed[attribute]:
            return True
        if name not in self._told:
            return False
        receiver = self._receiver(facts, term)
        return receiver is None or self._is_read(f"*.{name}", receiver)

    def _receiver(self, facts: Facts, term: tuple) -> str | None:
        """The name under which a read that is no method of a known class is asked; None where only a value tells."""
        if term[0] == "attr":
            return str(term[2])
        if term[0] == "param":
            return facts.functions[term[1]].params[term[2]].name
        if term[0] == "name":
            return str(term[1])
        called = last_name(facts.terms, term[1]) if term[0] == "call" else ""
        return called if called and called not in self._functions else None

    @cached_property
    def _told(self) -> frozenset[str]:
        """The names of reads that what they are asked of may be told by its own name."""
        models, found = self.engine.models, set()
        known = {name for one in models.types if one.receivers for name in models.families.bases(one.name)}
        for call in self._read_names:
            owner, _, name = call.rpartition(".")
            if owner == "*" or models.families.usual(owner) in known:
                found.add(name)
        return frozenset(found | HTTP_READS) if self.lasting.by_address else frozenset(found)

    @cached_property
    def _functions(self) -> frozenset[str]:
        """The names by which functions and classes of the project are called."""
        records = (record for facts in self.linked.modules for record in (*facts.functions, *facts.classes))
        return frozenset(record.name for record in records)

    def _is_read(self, target: str, receiver: str) -> bool:
        if self.engine.models.all_of("store.reads", target, receiver):
            return True
        first, _, last = target.rpartition(".")
        if last not in HTTP_READS or not self.lasting.by_address:
            return False
        return target.partition(".")[0] in HTTP_ROOTS or (first == "*" and receiver.strip("_") in CLIENTS)

    def _is_untyped(self, facts: Facts, param: tuple) -> bool:
        """Whether nothing says what a parameter is: it has no annotation and is no self."""
        record = facts.functions[param[1]]
        return record.params[param[2]].annotation == NONE and (param[2] > 0 or record.cls < 0)

    def _is_ours(self, name: str) -> bool:
        """Whether a method of this name may be told to be the project's by its name alone."""
        common = name in BUILTIN or name in self.engine.words["generic"]
        return not common and name in self.linked.methods

    @cached_property
    def _typed(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names of reads whose library the program imports, so that something may be known to be of it.

        Those that are called, and those that are attributes.
        """
        found: tuple[set[str], set[str]] = (set(HTTP_READS) if self.lasting.by_address else set(), set())
        for store in self.engine.models.stores:
            for read in store.reads:
                here = [call for call in read.calls if call.partition(".")[0] in self._imported]
                if here and self.lasting.is_kept(store):
                    found[read.attribute].update([call.rpartition(".")[2] for call in here])
        return frozenset(found[0]), frozenset(found[1])

    @cached_property
    def _imported(self) -> frozenset[str]:
        """The top packages that the program imports, and those of the classes that the models know behind them."""
        found = set(self.linked.libraries)
        for _ in range(MOST_BASES):
            for one in self.engine.models.types:
                names = (one.name, *one.also, *one.made_by, *one.objects)
                if any(name.partition(".")[0] in found for name in names):
                    found.update(name.partition(".")[0] for name in (one.name, *one.is_a))
        return frozenset(found)

    # handles

    def _is_fixed(self, terms: list[tuple], call: tuple, name: str) -> bool:
        """Whether the handle of a call is a text constant, so that it stays with no item.

        A read whose handle is its object takes no text first, but a time to wait.
        """
        if not call[2] or terms[call[2][0]][:2] != ("const", "str") or name in self._later:
            return False
        return all([keyword and keyword not in self._keywords for keyword, _ in call[3]])

    @cached_property
    def _keywords(self) -> frozenset[str]:
        """The keywords under which some read is given its handle."""
        keys = [read.key for store in self.engine.models.stores for read in store.reads]
        return frozenset(k for key in keys if isinstance(key, Argument) for k in key.keywords) | {"url"}

    @cached_property
    def _later(self) -> frozenset[str]:
        """The names of reads whose handle is not their first argument."""
        reads = [read for store in self.engine.models.stores for read in store.reads]
        later = {c for read in reads if isinstance(read.key, Argument) and read.key.at for c in read.calls}
        return frozenset(call.rpartition(".")[2] for call in later) | {"request", "stream"}

    def _is_guarded(self, facts: Facts, function: int, event: Event) -> bool:
        """Whether a call, or one of the function that makes it, stands in the body of a try statement."""
        if _in_try(facts, event.chain):
            return True
        calls = self.linked.calls.get(facts.functions[function].name, ())
        return any(_in_try(self.linked.modules[call.module], call.event.chain) for call in calls)


def _in_try(facts: Facts, chain: int) -> bool:
    while chain > 0:
        frame = facts.chains[chain]
        if frame[1] == "try" and facts.tries[frame[2]].handlers:
            return True
        chain = frame[0]
    return False
