"""Types as they are written down: annotations, constructors and stores, read off without evaluating anything."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.facts import NONE
from anchorlint.python.link import Ref
from anchorlint.python.program import Program

MOST_DEPTH = 5  #: steps from a term to the annotation that types it


class Types:
    """The classes of terms in one program, as far as the text says them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self._known: dict[tuple[int, int, int], Ref | None] = {}

    def of(self, module: int, function: int, term: int, depth: int = 0) -> Ref | None:
        """The class of a value, of the project or from outside; None where nothing says it."""
        key = (module, function, term)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._of(module, function, term, depth) if depth < MOST_DEPTH else None
        return self._known[key]

    def _of(self, module: int, function: int, number: int, depth: int) -> Ref | None:
        facts = self.linked.modules[module]
        term = facts.terms[number]
        kind = term[0]
        if kind == "param":
            return self._param(module, term[1], term[2])
        if kind == "outer":
            return self.of(module, term[1], term[2], depth + 1)
        if kind in ("loop", "entered"):
            return self.of(module, function, term[2] if kind == "loop" else term[1], depth + 1)
        if kind in ("phi", "if"):
            arms = term[1] if kind == "phi" else term[2:]
            return next((t for arm in arms if (t := self.of(module, function, arm, depth + 1)) is not None), None)
        if kind == "call":
            return self._made(module, function, term[1], depth)
        if kind == "attr":
            owner = self.of(module, function, term[1], depth + 1)
            return self.field(owner, term[2]) if owner is not None and owner.kind == "cls" else None
        if kind == "iter":
            return self._element(module, function, term[1], depth)
        if kind in ("name", "import"):
            return self._global(module, number, depth)
        return None

    def _param(self, module: int, function: int, position: int) -> Ref | None:
        record = self.linked.modules[module].functions[function]
        param = record.params[position]
        if position == 0 and record.cls >= 0 and param.annotation == NONE and param.name in ("self", "cls"):
            return Ref("cls", module, record.cls)
        if position == 0 and record.cls >= 0 and param.annotation == NONE and not record.decorators:
            return Ref("cls", module, record.cls)
        return self._annotated(module, param.annotation)

    def _annotated(self, module: int, annotation: int) -> Ref | None:
        ref = self.linked.expression(module, annotation) if annotation != NONE else None
        return ref if ref is not None and ref.kind in ("cls", "ext") else None

    def _made(self, module: int, function: int, callee: int, depth: int) -> Ref | None:
        ref = self.linked.expression(module, callee)
        if ref is None:
            method = self.method(module, function, callee, depth)
            ref = method if method is not None else None
        if ref is None or ref.kind == "cls":
            return ref
        if ref.kind == "fn":
            return self._annotated(ref.module, self.linked.function(ref).returns)
        if ref.kind == "ext":
            made = self.program.models.families.made(ref.dotted)
            last = ref.dotted.rpartition(".")[2]
            return Ref("ext", dotted=made or ref.dotted) if made or last[:1].isupper() else None
        return None

    def _global(self, module: int, number: int, depth: int) -> Ref | None:
        ref = self.linked.expression(module, number)
        if ref is not None and ref.kind == "val":
            return self.of(ref.module, 0, ref.number, depth + 1)
        return None

    def _element(self, module: int, function: int, iterable: int, depth: int) -> Ref | None:
        """The class in `list[X]`, where a parameter, a field or a returned value says so."""
        terms = self.linked.modules[module].terms
        term = terms[iterable]
        at, annotation = module, NONE
        if term[0] == "param":
            annotation = self.linked.modules[module].functions[term[1]].params[term[2]].annotation
        elif term[0] == "attr":
            owner = self.of(module, function, term[1], depth + 1)
            found = self._field_annotation(owner, term[2]) if owner is not None and owner.kind == "cls" else None
            at, annotation = found if found is not None else (module, NONE)
        elif term[0] == "call":
            method = self.method(module, function, term[1], depth)
            if method is not None:
                at, annotation = method.module, self.linked.function(method).returns
        if annotation == NONE:
            return None
        written = self.linked.modules[at].terms[annotation]
        if written[0] != "sub":
            return None
        inner = self.linked.modules[at].terms[written[2]]
        return self._annotated(at, inner[2][0] if inner[0] == "seq" and inner[2] else written[2])

    # fields and methods

    def field(self, cls: Ref, name: str) -> Ref | None:
        """The class of a field: annotated in the class body, or stored from a typed parameter or a constructor."""
        declared = self.linked.field(cls, name)
        if declared is not None and declared[2] != NONE:
            return self._annotated(declared[0], declared[2])
        for base in self.linked.mro(cls):
            stored = self._stores.get((base, name)) if base.kind == "cls" else None
            if stored is not None:
                return self.of(*stored, 2)
        return None

    def _field_annotation(self, cls: Ref, name: str) -> tuple[int, int] | None:
        declared = self.linked.field(cls, name)
        if declared is not None and declared[2] != NONE:
            return declared[0], declared[2]
        for base in self.linked.mro(cls):
            stored = self._stores.get((base, name)) if base.kind == "cls" else None
            if stored is not None:
                term = self.linked.modules[stored[0]].terms[stored[2]]
                if term[0] == "param":
                    return stored[0], self.linked.modules[stored[0]].functions[term[1]].params[term[2]].annotation
        return None

    @cached_property
    def _stores(self) -> dict[tuple[Ref, str], tuple[int, int, int]]:
        """What constructors and other methods store first in a field of their object: module, function, term."""
        found: dict[tuple[Ref, str], tuple[int, int, int]] = {}
        for module, facts in enumerate(self.linked.modules):
            for number, function in enumerate(facts.functions):
                if function.cls < 0:
                    continue
                for event in function.events:
                    if event.kind != "set" or facts.terms[event.b][0] == "const":
                        continue
                    target = facts.terms[event.a]
                    if target[0] == "attr" and facts.terms[target[1]] == ("param", number, 0):
                        key = (Ref("cls", module, function.cls), target[2])
                        if key not in found or function.name == "__init__":
                            found.setdefault(key, (module, number, event.b))
        return found

    def method(self, module: int, function: int, callee: int, depth: int = 0) -> Ref | None:
        """The method of the project that an attribute access means: by type, or because one class alone has it."""
        term = self.linked.modules[module].terms[callee]
        if term[0] != "attr":
            return None
        owner = self.of(module, function, term[1], depth + 1)
        if owner is not None:
            return self._concrete(owner, term[2]) if owner.kind == "cls" else None
        if self.linked.expression(module, term[1]) is not None or term[2] in self.program.words["generic"]:
            return None
        classes = self.linked.methods.get(term[2], ())
        return self.linked.method(classes[0], term[2]) if len(classes) == 1 and term[2] not in BUILTIN else None

    def _concrete(self, cls: Ref, name: str) -> Ref | None:
        """The method, or that of the only subclass where the class itself only declares it."""
        method = self.linked.method(cls, name)
        if method is None or not self.program.engine.attributes.is_abstract(method):
            return method
        overrides = [m for sub in self.linked.subclasses.get(cls, ()) if (m := self.linked.method(sub, name)) != method]
        if not overrides:
            others = [c for c in self.linked.methods.get(name, ()) if c != cls]
            overrides = [self.linked.method(c, name) for c in others]
        return overrides[0] if len(overrides) == 1 else method


BUILTIN = frozenset().union(*(dir(t) for t in (str, list, dict, set, int, bytes)))
