"""Misses: what a program does when something that forgets says no, told by trying that answer on its conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
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
from anchorlint.python.value import Value, parts, root
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

Truth = bool | None
GONE, UNREACHABLE = "?gone", "?unreachable"
STATUS_OF_A_MISS = 404.0
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
        super().__init__(program.linked, program.models, program.words)
        self._asks: dict[int, list[int]] = {}
        for start in asked.starts:
            self._asks.setdefault(start.module, []).append(start.term)

    def _read_in(self, module: int, timed: Timed) -> Iterator[int]:
        yield from self._asks.get(module, ())

    def _checked_in(self, module: int, timed: Timed) -> Iterator[int]:
        asks = self._asks.get(module, ())
        yield from asks
        if asks:
            yield from (n for name in _LATER for n in timed.by_name.get(name, ()) if timed.facts.terms[n][0] == "call")


class Missed(Retries):
    """The retries near reads of things that forget."""

    def __init__(self, engine: Evaluator, relevance: Relevance, asked: Asked) -> None:
        super().__init__(engine, relevance)
        self.asked = asked
        self.failures = Asking(engine, asked)
        self.contexts = Contexts(engine, self.failures, relevance)
        self.causes = Causes(engine, self.failures)

    def _may_hold_a_gate(self, function: Ref, sites: list[Site]) -> bool:
        return True

    def _is_timed(self, site: Site) -> bool:
        return super()._is_timed(site) or any(
            self.relevance.is_timed_try(site.function.module, number) for number, _ in self._taken(site)
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


class Misses:
    """What one program does about misses; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        linked, models, words = program.linked, program.models, program.words
        scratch = Asked(Evaluator(linked, models, words, lambda function: False))
        self.relevance = Near(program, scratch)
        self.engine = Evaluator(linked, models, words, self._looks_into)
        self.asked = Asked(self.engine, scratch.starts)
        self.retries = Missed(self.engine, self.relevance, self.asked)
        self._known: dict[tuple[Value, Value], Truth] = {}

    def _looks_into(self, function: Ref) -> bool:
        """Whether a function's answer hangs on something that forgets, on a clock, or on a failure that it caught."""
        if self.relevance.answers(function) or self.program.retries.relevance.answers(function):
            return True
        return function in self._catching

    @cached_property
    def _catching(self) -> frozenset[Ref]:
        modules = enumerate(self.program.linked.modules)
        return frozenset(Ref("fn", n, record.function) for n, facts in modules for record in facts.tries)

    @cached_property
    def failures(self) -> Failures:
        """What is raised, reads of what forgets included."""
        return self.retries.failures

    def asks(self, literal: Value, views: Iterable[View] = ()) -> Iterator[Ask]:
        """What a literal asks about that may have been forgotten; a caught failure is one of what its try has asked."""
        for part in parts(literal, "result", "attr"):
            ask = self.asked.of(part)
            if ask is not None:
                yield ask
        if literal.kind != "raised":
            for caught in parts(literal, "exc"):
                yield from self._caught(caught, views)

    def _caught(self, caught: Value, views: Iterable[View]) -> Iterator[Ask]:
        module, number, handler = caught.args
        owner = self.engine.linked.modules[module].tries[number].function
        for view in views:
            if (view.module, view.number) == (module, owner):
                for _, _, condition in self.failures.reaching(view, number, handler):
                    for part in parts(condition, "result"):
                        ask = self.asked.of(part)
                        if ask is not None:
                            yield ask

    # a formula under a miss

    def truth(self, formula: Value, ask: Ask) -> Truth:
        """Whether a formula holds once what is asked for is gone; None where that does not decide it."""
        key = (formula, ask.value)
        if key not in self._known:
            self._known[key] = None  # ends a ring of failures
            self._known[key] = self._truth(formula, ask)
        return self._known[key]

    def _truth(self, formula: Value, ask: Ask) -> Truth:
        kind, args = formula.kind, formula.args
        if kind in ("true", "false"):
            return kind == "true"
        if kind == "not":
            inner = self.truth(args[0], ask)
            return None if inner is None else not inner
        if kind == "pc":
            return _all(self.truth(f, ask) for _, f, _ in args[0])
        if kind == "and":
            return _all(self.truth(f, ask) for f in args[0])
        if kind == "or":
            found = _all(_not(self.truth(f, ask)) for f in args[0])
            return _not(found)
        if kind == "fcase":
            return self._case(args[0], ask)
        if kind == "raised":
            return self._raised(formula, ask)
        return self._literal(formula, ask)

    def _case(self, arms: tuple[tuple[Value, Value], ...], ask: Ask) -> Truth:
        found = set()
        for condition, inner in arms:
            holds = self.truth(condition, ask)
            if holds is True:
                return self.truth(inner, ask)
            if holds is None:
                found.add(self.truth(inner, ask))
        return found.pop() if len(found) == 1 else None

    def _raised(self, literal: Value, ask: Ask) -> Truth:
        view, number, handler = literal.args
        for at in range(len(view.facts.tries[number].handlers)):
            for _, _, condition in self.failures.reaching(view, number, at):
                if self.truth(condition, ask) is True:
                    return at == handler
        return None

    def _literal(self, literal: Value, ask: Ask) -> Truth:
        kind, args = literal.kind, literal.args
        if kind == "isnone" and args[0] is ask.value:
            return {*ask.misses} & {"none", "default"} != set() or None
        if kind == "truthy":
            if args[0] is ask.value:
                return False if {*ask.misses} & {"none", "default", "empty", "false", "zero"} else None
            if args[0].kind == "attr" and args[0].args[0] is ask.value and args[0].args[1] in ("ok", "is_success"):
                return False if ask.http else None
        if kind == "eq":
            return self._equal(args[0], args[1], ask)
        if kind == "cmp" and ask.http and self.asked.status(args[1]) is ask:
            form = self.engine.arithmetic.linear(args[2])
            limit = form[1].number if form is not None else None
            return None if limit is None else _ordered(args[0], STATUS_OF_A_MISS, limit)
        if kind == "isinstance" and args[0].kind == "exc" and ask.raises:
            classes = self.failures.classes(args[1])
            error = Ref("ext", dotted=ask.raises[0])
            return any(self.failures.is_a(error, c) for c in classes) if classes else None
        return None

    def _equal(self, left: Value, right: Value, ask: Ask) -> Truth:
        if right.kind == "ext" and right.args[0] in (GONE, UNREACHABLE):
            return right.args[0] == GONE if left is ask.value else None
        said = self.said(right)
        if left is ask.value:
            answers = {m.partition(":")[2] for m in ask.misses if m.startswith("eq:")}
            return said in answers if answers and said is not None else None
        if said is None:
            return None
        if ask.http and self.asked.status(left) is ask:
            return said in ask.codes
        if root(left).kind == "exc" and ask.codes:
            return said in ask.codes
        return None

    def said(self, value: Value) -> str | None:
        """A constant as text: a status, an error code, a state."""
        if value.kind == "str":
            return str(value.args[0])
        if value.kind == "lin" and value.args[1].number is not None:
            return f"{value.args[1].number:g}"
        return str(value.args[1]) if value.kind == "attr" else None

    def leaves_open(self, formula: Value, ask: Ask) -> bool:
        """Whether a test of the caught failure is in a formula that may tell the miss from others in an unknown way."""
        from anchorlint.python.formula import literals

        return any(
            literal.kind != "raised" and self.truth(literal, ask) is None and parts(literal, "exc")
            for literal in literals(formula)
        )


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


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _all(truths: Iterator[Truth]) -> Truth:
    unknown = False
    for truth in truths:
        if truth is False:
            return False
        unknown = unknown or truth is None
    return None if unknown else True


def _ordered(op: str, left: float, right: float) -> bool:
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]
