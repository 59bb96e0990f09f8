"""Retries of what a store has forgotten: the failures of reads, what hangs on them, and where it is tried again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anchorlint.python.asked import HTTP_READS, Ask, Asked
from anchorlint.python.causes import Causes
from anchorlint.python.contexts import Context, Contexts
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Event, Facts
from anchorlint.python.failures import Failures, Raised
from anchorlint.python.link import Ref, last_name
from anchorlint.python.relevance import Relevance, Timed
from anchorlint.python.retried import Retries
from anchorlint.python.sites import Site
from anchorlint.python.value import Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

GONE, UNREACHABLE = "?gone", "?unreachable"
_RAISED_BY_STATUS = {
    "requests": "requests.exceptions.HTTPError", "httpx": "httpx.HTTPStatusError",
    "aiohttp": "aiohttp.ClientResponseError", "niquests": "requests.exceptions.HTTPError",
    "urllib3": "urllib3.exceptions.HTTPError",
}  # fmt: skip
_LATER = frozenset({"raise_for_status", "execute"})


class Asking(Failures):
    """Failures that know what reads of things that forget raise: for a miss, and for a store that cannot be reached."""

    def __init__(self, engine: Evaluator, asked: Asked) -> None:
        super().__init__(engine)
        self.asked = asked

    def _all(self, view: View, depth: int) -> Iterator[tuple[Event, Raised]]:
        yield from super()._all(view, depth)
        for event in view.function.events:
            if event.kind != "call":
                continue
            name = last_name(view.terms, view.terms[event.a][1])
            if name in self.asked.names or name in HTTP_READS or name in _LATER:
                for raised in self._of_read(view, event, name):
                    yield event, raised

    def _of_read(self, view: View, event: Event, name: str) -> Iterator[Raised]:
        values = self.engine.values
        value = view.value(event.a)
        ask = self.asked.of(value)
        if ask is None and name in _LATER and value.kind == "result" and value.args[0].kind == "attr":
            ask = self.asked.of(value.args[0].args[0])
            if ask is not None and name == "raise_for_status":
                yield from self._of_status(view, event, ask)
                return
        if ask is None:
            return
        for kind, classes in ((GONE, ask.raises if "raise" in ask.misses else ()), (UNREACHABLE, ask.outages)):
            condition = values("eq", ask.value, values("ext", kind))
            for one in classes:
                yield Raised(condition, Ref("ext", dotted=one), view, event, None)

    def _of_status(self, view: View, event: Event, ask: Ask) -> Iterator[Raised]:
        if not ask.http:
            return
        values = self.engine.values
        callee = ask.value.args[0]
        library = self.asked.http(callee, self.engine.calls.target(callee)) or "requests"
        status = values("attr", ask.value, "status_code")
        condition = values("cmp", ">=", status, values.number(400), (view.module, event.line, event.column, 0, 0))
        yield Raised(condition, Ref("ext", dotted=_RAISED_BY_STATUS[library]), view, event, None)


class Near(Relevance):
    """The terms that hang on what is asked of something that forgets, as others hang on clocks."""

    def __init__(self, program: Program, asked: Asked) -> None:
        super().__init__(program.relevance.callers, program.models, program.words)
        self._asks: dict[int, list[int]] = {}
        for start in asked.starts:
            self._asks.setdefault(start.module, []).append(start.term)

    def is_touched(self, module: int) -> bool:
        """Whether anything in a file hangs on what is asked."""
        timed = self._modules[module]
        return bool(timed.decided or timed.failing)

    def _mark_readings(self, module: int, timed: Timed) -> None:
        """No clock matters here."""

    def _decided_in(self, module: int, timed: Timed) -> Iterator[int]:
        yield from self._asks.get(module, ())

    def _checked_in(self, module: int, timed: Timed) -> Iterator[int]:
        asks = self._asks.get(module, ())
        yield from asks
        for name in _LATER if asks else ():
            yield from (n for n in timed.index.named.get(name, ()) if timed.facts.terms[n][0] == "call")


class Missed(Retries):
    """The retries near reads of things that forget."""

    def __init__(self, engine: Evaluator, relevance: Near, asked: Asked) -> None:
        super().__init__(engine, relevance)
        self.relevance: Near = relevance
        self.asked = asked
        self.failures = Asking(engine, asked)
        self.contexts = Contexts(engine, self.failures, relevance)
        self.causes = Causes(engine, self.failures)

    def _keeping(self) -> Iterator[Ref]:
        """The functions that write a status that hangs on a miss: in files where something hangs on one."""
        for function in self.sites.rows.functions:
            rows = self.sites.rows.kept(function) if self.relevance.is_touched(function.module) else ()
            if any(self._is_timed(site) for site in rows):
                yield function

    def _may_hold_a_gate(self, function: Ref, sites: list[Site]) -> bool:
        return True

    def _is_timed(self, site: Site) -> bool:
        return super()._is_timed(site) or any(
            self.relevance.may_fail(site.function, number) for number, _ in self._taken(site)
        )

    def formula(self, site: Site, context: Context) -> Value:
        """The condition of another try; in a loop that goes on in any case, that something in it failed."""
        formula = super().formula(site, context)
        if formula.kind != "true":
            return formula
        values = self.engine.values
        failed = [values("raised", context.view, number, handler) for number, handler in self._taken(site)]
        return self.engine.formulas.disj(failed) if failed else formula

    def _taken(self, site: Site) -> Iterator[tuple[int, int]]:
        """The handlers inside a loop after which it goes on."""
        if site.kind != "loop":
            return
        facts = self.engine.linked.modules[site.function.module]
        events = facts.functions[site.function.number].events
        left = {_handler(facts, e.chain) for e in events if e.kind in ("raise", "ret", "brk")}
        for number, record in enumerate(facts.tries):
            if record.function == site.function.number and _in_loop(facts, record.chain, site.loop):
                yield from ((number, h) for h in range(len(record.handlers)) if (number, h) not in left)


def _handler(facts: Facts, chain: int) -> tuple[int, int] | None:
    """The handler in which a place stands, unless a test or a loop comes between."""
    while chain > 0 and facts.chains[chain][1] in ("exc", "join", "noexc", "try"):
        if facts.chains[chain][1] == "exc":
            return facts.chains[chain][2:4]
        chain = facts.chains[chain][0]
    return None


def _in_loop(facts: Facts, chain: int, loop: int) -> bool:
    while chain > 0:
        if facts.chains[chain][1:3] == ("loop", loop):
            return True
        chain = facts.chains[chain][0]
    return False
