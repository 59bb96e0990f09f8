"""A program: the linked files of one project and the evaluator that looks into them; what Python checks read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from anchorlint.domain.span import Span
from anchorlint.knowledge.models import Models, models
from anchorlint.knowledge.words import Words, words
from anchorlint.python.callers import Callers
from anchorlint.python.closed import Closed
from anchorlint.python.elapsed import Elapsed
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Facts
from anchorlint.python.gates import Gates
from anchorlint.python.index import Index
from anchorlint.python.link import Linked, Ref
from anchorlint.python.relevance import Relevance
from anchorlint.python.retried import Retries
from anchorlint.python.scenario import Scenarios
from anchorlint.python.tries import Tries
from anchorlint.python.view import View

if TYPE_CHECKING:
    from collections.abc import Collection

T = TypeVar("T")
_TEST_MODULES = ("pytest", "unittest")


class Program:
    """One project's Python. `reported` are the paths that are asked about; `periods_s` maps "package.module:function"
    to the seconds between two scheduled runs of that function."""

    def __init__(
        self,
        facts: Iterable[Facts],
        *,
        reported: Collection[str] | None = None,
        known: Models | None = None,
        vocabulary: Words | None = None,
        periods_s: Mapping[str, float] | None = None,
        include_tests: bool = False,
    ) -> None:
        self.linked = Linked(facts)
        self.models = known or models()
        self.words = vocabulary or words()
        self.engine = Evaluator(self.linked, self.models, self.words)
        self.periods_s = dict(periods_s or {})
        self.include_tests = include_tests
        self._parts: dict[type, Any] = {}
        self._reported = None if reported is None else frozenset(reported)

    def part(self, kind: type[T]) -> T:
        """The one `kind(program)` of this program, made when it is first asked for: what several checks share."""
        made = self._parts.get(kind)
        if made is None:
            made = self._parts[kind] = kind(self)  # type: ignore[call-arg]
        return made

    @cached_property
    def gates(self) -> Gates:
        """Brings literals to gates."""
        return Gates(self.words)

    @cached_property
    def relevance(self) -> Relevance:
        """What can hang on a clock."""
        return Relevance(Callers(self.linked, self.words), self.models, self.words)

    @cached_property
    def elapsed(self) -> Elapsed:
        """Where a gate decides something, told by an evaluator that looks into what can hang on a clock only."""
        engine = Evaluator(self.linked, self.models, self.words, self.relevance.answers)
        return Elapsed(engine, self.gates, self.relevance)

    @cached_property
    def retries(self) -> Retries:
        """The retry sites near clocks, and their causes."""
        return Retries(self.elapsed.engine, self.relevance, self.elapsed)

    @cached_property
    def scenarios(self) -> Scenarios:
        """Answers whether a retry tells an instant that has passed from a failure that passes."""
        return Scenarios(self.retries.engine, self.gates, self.retries.failures)

    @cached_property
    def closed(self) -> Closed:
        """Judges a retry whose cause is that an instant has passed."""
        return Closed(self.retries.engine, self.gates)

    @cached_property
    def tries(self) -> Tries:
        """Counts the tries of a retry site."""
        return Tries(self.retries)

    def functions(self) -> Iterator[Ref]:
        """Every function of a file that is asked about, module bodies included, test modules left out."""
        for module, facts in enumerate(self.linked.modules):
            if self.is_asked(module):
                for number in range(len(facts.functions)):
                    yield Ref("fn", module, number)

    def is_asked(self, module: int) -> bool:
        """Whether findings in this module can be reported at all."""
        return (self.include_tests or module not in self.tests) and (
            self._reported is None or self.linked.modules[module].path in self._reported
        )

    @cached_property
    def tests(self) -> frozenset[int]:
        """The test modules: pytest's file patterns, or an import of pytest or unittest."""
        return frozenset(n for n, index in enumerate(self.linked.indexes) if is_test_module(index))

    def view(self, function: Ref) -> View:
        """A function with parameters that stand for themselves."""
        return self.engine.view(function.module, function.number)

    def span(self, module: int, place: tuple[int, int, int, int]) -> Span:
        """A place of a module as a span."""
        return Span.of(self.linked.modules[module].path, *place)

    def period_s(self, function: Ref) -> float | None:
        """Seconds between two scheduled runs of a function, None where no schedule names it."""
        record = self.linked.function(function)
        return self.periods_s.get(f"{self.linked.dotted[function.module]}:{record.qualname}")


def is_test_module(index: Index) -> bool:
    """Whether a file holds tests, by its name as pytest finds them or by what it imports."""
    name, terms = index.facts.path.rpartition("/")[2], index.facts.terms
    if name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py"):
        return True
    imports = (terms[number] for number in index.kinds.get("import", ()))
    return any(term[1].partition(".")[0] in _TEST_MODULES and term[3] == 0 for term in imports)
