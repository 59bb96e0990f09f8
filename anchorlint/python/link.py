"""Names across modules: what an import, a name or a base class refers to, and who calls what."""

from __future__ import annotations

import builtins
import sys
from collections import defaultdict
from functools import cached_property

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import NONE, Class, Function
from anchorlint.python.index import Index
from anchorlint.python.modules import Modules
from anchorlint.python.named_calls import CallsByName
from anchorlint.python.refs import Call as Call
from anchorlint.python.refs import Ref as Ref
from anchorlint.python.terms import last_name as last_name


class Linked(Modules):
    """The files of one project and what their names refer to."""

    @cached_property
    def indexes(self) -> list[Index]:
        """What stands where in each file."""
        return [Index(facts) for facts in self.modules]

    @cached_property
    def function_names(self) -> frozenset[str]:
        """The names of all functions of the program."""
        return frozenset(function.name for facts in self.modules for function in facts.functions)

    @cached_property
    def libraries(self) -> frozenset[str]:
        """The first names of everything that the program's files import."""
        return frozenset(
            index.facts.terms[number][1].partition(".")[0]
            for index in self.indexes
            for number in index.kinds.get("import", ())
        )

    @cached_property
    def passed(self) -> dict[str, list[tuple[int, int]]]:
        """What is handed to calls under a name, without being called there: by its last name, the modules and terms."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for module, index in enumerate(self.indexes):
            terms = index.facts.terms
            for call in index.kinds.get("call", ()):
                _, _, args, kwargs, *_ = terms[call]
                for number in (*args, *[n for _, n in kwargs]) if kwargs else args:
                    term = terms[number]
                    if term[0] in _NAMED:
                        found[term[_NAMED[term[0]]]].append((module, number))
        return dict(found)

    # names

    def name(self, module: int, name: str) -> Ref:
        """What a module-level name refers to, through imports and re-exports."""
        key = (module, name)
        found = self._names.get(key)
        if found is None:
            self._names[key] = Ref("ext", dotted=f"?.{name}")  # ends a ring of imports
            self._resolving += 1
            found = self._names[key] = self._name(module, name)
            self._resolving -= 1
        return found

    def _name(self, module: int, name: str) -> Ref:
        facts = self.modules[module]
        term = facts.globals.get(name)
        if term is not None:
            return self.term(module, term)
        for star, level in facts.stars:
            source = self._relative(module, star, level) if level else self.module(star, module)
            if source is not None and name in self.modules[source].globals:
                return self.name(source, name)
        if hasattr(builtins, name):
            return Ref("ext", dotted=f"builtins.{name}")
        return Ref("ext", dotted=f"?.{name}")

    def term(self, module: int, number: int) -> Ref:
        """What a term of a module's own body refers to."""
        term = self.modules[module].terms[number]
        if term[0] == "def":
            return Ref("fn", module, term[1])
        if term[0] == "classdef":
            return Ref("cls", module, term[1])
        if term[0] == "import":
            return self.imported(module, term[1], term[2], term[3])
        if term[0] == "if" and self.modules[module].terms[term[1]][0] == "raised":
            return self.term(module, term[3])  # try: import …: what is imported when it can be
        return Ref("val", module, number)

    def imported(self, importer: int, name: str, attribute: str, level: int) -> Ref:
        """What an import statement binds."""
        key = (importer, name, attribute, level)
        found = self._imported.get(key)
        if found is None:
            found = self._bound(*key)
            if not self._resolving:  # what is found inside a ring of imports may only end it
                self._imported[key] = found
        return found

    def _bound(self, importer: int, name: str, attribute: str, level: int) -> Ref:
        source = self._relative(importer, name, level) if level else self.module(name, importer)
        if not attribute:
            return Ref("mod", source) if source is not None else Ref("ext", dotted=name)
        if source is not None:
            if attribute in self.modules[source].globals or self.modules[source].stars:
                found = self.name(source, attribute)
                if not found.dotted.startswith("?."):
                    return found
            inner = self._submodule(source, attribute)
            return inner or Ref("ext", dotted=f"{name}.{attribute}")
        inner_number = (
            self._relative(importer, f"{name}.{attribute}" if name else attribute, level)
            if level
            else self.module(f"{name}.{attribute}", importer)
        )
        if inner_number is not None:
            return Ref("mod", inner_number)
        beside = self._only_beside(importer, name, attribute) if not level else None
        return beside or Ref("ext", dotted=f"{name}.{attribute}" if name else attribute)

    def _only_beside(self, importer: int, name: str, attribute: str) -> Ref | None:
        """The one class of this name in the importing file's folder, where a one-word module is nowhere to be found."""
        if "." in name or not attribute[:1].isupper() or name in sys.stdlib_module_names:
            return None
        found = self._classes_by_folder.get((self.modules[importer].path.rpartition("/")[0], attribute), ())
        return found[0] if len(found) == 1 and found[0].module != importer else None

    @cached_property
    def _classes_by_folder(self) -> dict[tuple[str, str], list[Ref]]:
        found: dict[tuple[str, str], list[Ref]] = {}
        for module, facts in enumerate(self.modules):
            folder = facts.path.rpartition("/")[0]
            for number, cls in enumerate(facts.classes):
                if cls.function == 0 and cls.name == cls.qualname:
                    found.setdefault((folder, cls.name), []).append(Ref("cls", module, number))
        return found

    def _submodule(self, package: int, name: str) -> Ref | None:
        path = self.modules[package].path
        if not path.endswith("__init__.py"):
            return None
        folder = path.removesuffix("__init__.py")
        for inner in (f"{folder}{name}.py", f"{folder}{name}/__init__.py"):
            if inner in self._by_path:
                return Ref("mod", self._by_path[inner])
        return None

    def attribute(self, ref: Ref, name: str, importer: int) -> Ref | None:
        """An attribute of a module or of something from outside; None where it is not a name's business."""
        if ref.kind == "mod":
            if name in self.modules[ref.module].globals or self.modules[ref.module].stars:
                found = self.name(ref.module, name)
                if not found.dotted.startswith("?."):
                    return found
            return self._submodule(ref.module, name) or Ref("ext", dotted=f"{self.dotted[ref.module]}.{name}")
        if ref.kind == "ext":
            dotted = f"{ref.dotted}.{name}"
            number = None if ref.dotted.startswith(("?.", "builtins.")) else self.module(dotted, importer)
            return Ref("mod", number) if number is not None else Ref("ext", dotted=dotted)
        return None

    # classes

    def cls(self, ref: Ref) -> Class:
        """The facts of a class."""
        return self.modules[ref.module].classes[ref.number]

    def function(self, ref: Ref) -> Function:
        """The facts of a function."""
        return self.modules[ref.module].functions[ref.number]

    def expression(self, module: int, number: int) -> Ref | None:
        """What a term that is a dotted name refers to, in any function: for bases, annotations, decorators, callees."""
        term = self.modules[module].terms[number] if number != NONE else ("none",)
        kind = term[0]
        if kind == "name":
            return self.name(module, term[1])
        if kind in ("def", "classdef", "import"):
            return self.term(module, number)
        if kind == "outer":
            return self.expression(module, term[2])
        if kind == "attr":
            inner = self.expression(module, term[1])
            return self.attribute(inner, term[2], module) if inner else None
        if kind == "sub":
            return self._generic(module, term)
        if kind == "bin" and term[1] == "|":
            left, right = self.expression(module, term[2]), self.expression(module, term[3])
            return left if right is None or right.dotted == "builtins.None" else right if left is None else left
        return None

    def _generic(self, module: int, term: tuple) -> Ref | None:
        """`Optional[X]` and `Annotated[X, …]` are X; `list[X]` is no X, its class is what stands before the bracket."""
        outer = self.expression(module, term[1])
        if outer is not None and outer.dotted.rpartition(".")[2] in ("Optional", "Annotated", "Final", "ClassVar"):
            inner = self.modules[module].terms[term[2]]
            return self.expression(module, inner[2][0] if inner[0] == "seq" else term[2])
        return outer

    @cached_property
    def bases(self) -> dict[Ref, tuple[Ref, ...]]:
        """Each class of the project with what its bases refer to."""
        found = {}
        for module, facts in enumerate(self.modules):
            for number, cls in enumerate(facts.classes):
                refs = [self.expression(module, b) for b in cls.bases]
                found[Ref("cls", module, number)] = tuple(r for r in refs if r is not None)
        return found

    def mro(self, cls: Ref) -> tuple[Ref, ...]:
        """The class and all its bases, nearest first; classes from outside are ext refs."""
        found = self._orders.get(cls)
        if found is None:
            found = self._orders[cls] = self._mro(cls)
        return found

    def _mro(self, cls: Ref) -> tuple[Ref, ...]:
        order: dict[Ref, None] = {}
        pending = [cls]
        while pending and len(order) < 64:
            ref = pending.pop(0)
            if ref not in order:
                order[ref] = None
                pending = [*self.bases.get(ref, ()), *pending] if ref.kind == "cls" else pending
        return tuple(order)

    @cached_property
    def subclasses(self) -> dict[Ref, tuple[Ref, ...]]:
        """Each class with the classes of the project that name it as a base."""
        found: dict[Ref, list[Ref]] = {}
        for cls, bases in self.bases.items():
            for base in bases:
                found.setdefault(base, []).append(cls)
        return {base: tuple(classes) for base, classes in found.items()}

    @cached_property
    def methods(self) -> dict[str, tuple[Ref, ...]]:
        """Each method name with the classes that define it."""
        found: dict[str, list[Ref]] = {}
        for module, facts in enumerate(self.modules):
            for number, cls in enumerate(facts.classes):
                for name, _ in cls.methods:
                    found.setdefault(name, []).append(Ref("cls", module, number))
        return {name: tuple(classes) for name, classes in found.items()}

    def called_like(self, receiver: str, method: str) -> Ref | None:
        """The one class with this method that is called like a receiver: `Archive` for `archive`."""
        key = (receiver, method)
        if key not in self._likenesses:
            words = parts(receiver)
            found = [c for c in self.methods.get(method, ()) if words and parts(self.cls(c).name) == words]
            self._likenesses[key] = found[0] if len(found) == 1 else None
        return self._likenesses[key]

    def method(self, cls: Ref, name: str) -> Ref | None:
        """The function that a class or its bases define under this name."""
        methods = self._methods.get(cls)
        if methods is None:
            methods = self._methods[cls] = self._all_methods(cls)
        return methods.get(name)

    def _all_methods(self, cls: Ref) -> dict[str, Ref]:
        found: dict[str, Ref] = {}
        for ref in self.mro(cls):
            for name, number in self.cls(ref).methods if ref.kind == "cls" else ():
                found.setdefault(name, Ref("fn", ref.module, number))
        return found

    def field(self, cls: Ref, name: str) -> tuple[int, int, int] | None:
        """A field of a class body: module, value term or -1, annotation term or -1."""
        for ref in self.mro(cls):
            if ref.kind == "cls":
                for field, value, annotation, _ in self.cls(ref).fields:
                    if field == name:
                        return ref.module, value, annotation
        return None

    @cached_property
    def calls(self) -> CallsByName:
        """Each last name of a callee with the calls of it."""
        return CallsByName(self.indexes)


#: where the terms that can name a function have their last name
_NAMED = {"name": 1, "attr": 2, "import": 2}
