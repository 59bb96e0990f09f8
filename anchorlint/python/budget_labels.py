"""What an ending says: the words, constants and enum members in which it may name a budget."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

SQL = re.compile(r"\s*(select|insert|update|delete|with|merge|create|alter)\b", re.IGNORECASE)


_QUOTED = re.compile(r"'([^']*)'")


ASKS = {"get", "getattr", "setdefault", "format", "join", "sleep", "str", "isinstance", "min", "max", "len", "repr",
        "range", "int", "float", "replace", "strip", "split", "startswith", "endswith", "encode", "field", "Counter",
        "getLogger", "super", "hasattr", "round", "labels", "print"}  # fmt: skip


_AGAIN = {"retry", "Retry", "TryAgain", "requeue", "reschedule", "apply_async", "enqueue_in", "enqueue_at", "defer"}


class Labels:
    """Reads the labels of endings in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.calls = program.part(CallGraph)
        self.words = program.words["budget"]

    # what it says

    def label(self, view: View, event: Event) -> str | None:
        """The words in which an ending names a budget, "" where it has text without them, None where it is no seal."""
        named, texts = None, False
        for text in self._texts(view, event):
            texts = True
            if self.words.weight(text) > 0:
                named = text
                break
        if named is None and (not texts or event.kind == "set" or not self._formats(view, event)):
            return None
        if event.kind == "call" and not self._seals(view, event) or self._asks_again(view, event):
            return None
        return named or ""

    def _formats(self, view: View, event: Event) -> bool:
        """Whether what is sealed is put together from a text and values."""
        terms, term = view.terms, view.terms[event.a] if event.a != NONE else ("",)
        values = (*term[2], *[v for _, v in term[3]]) if term[0] == "call" else (event.a,)
        return any([v >= 0 and terms[v][0] == "fstr" for v in values])

    def _asks_again(self, view: View, event: Event) -> bool:
        """Whether work is put back here, which is no ending: `raise self.retry()`, `raise Retry`."""
        if event.a == NONE or event.kind == "set":
            return False
        term = view.terms[event.a]
        name = last_name(view.terms, term[1] if term[0] == "call" else event.a)
        if name in _AGAIN:
            return True
        models = self.program.models
        ref = self.linked.expression(view.module, term[1] if term[0] == "call" else event.a)
        return ref is not None and ref.kind == "ext" and models.retry_raise(ref.dotted) is not None

    def _seals(self, view: View, event: Event) -> bool:
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name in ASKS or not (term[2] or term[3]) or self.calls.is_log(view.module, event, view.number):
            return False
        return not (name in self.program.words["log"] or name.startswith("log"))

    def _texts(self, view: View, event: Event) -> Iterator[str]:
        if event.kind == "raise":
            yield from self._raised(view, event)
        elif event.kind == "ret":
            if view.terms[event.a][0] in ("call", "const", "fstr", "seq", "map", "attr", "name", "import"):
                yield from self._words(view, event.a)
        elif event.kind == "set":
            if view.terms[event.b][0] in ("const", "fstr", "attr", "name", "import", "bin"):
                yield from self._words(view, event.b)
        else:
            _, callee, args, kwargs, *_ = view.terms[event.a]
            for number in (*args, *(v for _, v in kwargs)):
                yield from self._words(view, number)

    def _raised(self, view: View, event: Event) -> Iterator[str]:
        if event.a == NONE:
            return
        term = view.terms[event.a]
        name = last_name(view.terms, term[1] if term[0] == "call" else event.a)
        if name:
            yield name
        if term[0] == "call":
            for number in (*term[2], *(v for _, v in term[3])):
                yield from self._words(view, number)

    def _words(self, view: View, number: int, depth: int = 0) -> Iterator[str]:
        """The literal texts, constants and enum members that a value is made of."""
        term = view.terms[number]
        kind = term[0]
        if kind == "const":
            if term[1] == "bytes":
                yield term[2].decode("latin-1")
            elif term[1] == "str":
                yield from _QUOTED.findall(term[2]) if SQL.match(term[2]) else (term[2],)
        elif kind in ("name", "import", "outer"):
            yield from self._constant(view, number)
        elif kind == "attr":
            yield from self._member(view, number, term)
        elif kind == "map":
            for _, value in term[1]:
                yield from self._words(view, value, depth + 1)
        elif kind == "call" and depth < 3:
            name = last_name(view.terms, term[1])
            if name[:1].isupper():
                yield name
            if name not in ASKS or name in ("format", "str", "join", "replace"):
                for inner in (*term[2], *(v for _, v in term[3])):
                    yield from self._words(view, inner, depth + 1)
        elif kind in ("fstr", "seq", "bin") and depth < 4:
            for inner in parts(term):
                yield from self._words(view, inner, depth + 1)

    def _member(self, view: View, number: int, term: tuple) -> Iterator[str]:
        base = self.linked.expression(view.module, term[1])
        if base is not None and base.kind in ("cls", "ext"):
            yield term[2]
        if base is not None and base.kind == "cls":
            field = self.linked.field(base, term[2])
            if field is not None and field[1] >= 0:
                value = self.linked.modules[field[0]].terms[field[1]]
                if value[:2] == ("const", "str"):
                    yield value[2]
        elif base is not None and base.kind == "mod":
            yield from self._constant(view, number)

    def _constant(self, view: View, number: int) -> Iterator[str]:
        """The text that a module's constant holds."""
        ref = self.linked.expression(view.module, number)
        if ref is not None and ref.kind == "val":
            value = self.linked.modules[ref.module].terms[ref.number]
            if value[:2] == ("const", "str"):
                yield value[2]
