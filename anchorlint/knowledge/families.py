"""Names of a library's classes: other paths to the same class, base classes, and how a value shows its type."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from anchorlint.knowledge.tables import Exceptions, Names, Type

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=32768)
def parts(name: str) -> Names:
    """The words of an identifier in lower case: `lastSeenAt`, `last_seen_at` and `LAST_SEEN_AT` are one."""
    return tuple(map(str.lower, _WORD.findall(name)))


def named(receiver: str, words: Names) -> bool:
    """Whether a variable's name holds one of the words (a word may be several, joined by `_`)."""
    if not words or not receiver:
        return False
    spelled = f"_{'_'.join(parts(receiver))}_"
    return any(f"_{word}_" in spelled for word in words)


class Families:
    """Resolves names of types and exceptions; everything is worked out once, when it is made."""

    def __init__(self, types: Iterable[Type], exceptions: Iterable[Exceptions]) -> None:
        self._usual: dict[str, str] = {}
        self._bases: dict[str, Names] = {}
        self._made: dict[str, str] = {}
        self._objects: dict[str, str] = {}
        self._received: list[tuple[Names, str]] = []
        self._asked: dict[Names, str | None] = {}
        for one in types:
            self._add_type(one)
        for library in exceptions:
            self._usual.update({also: name for also, name in library.also.items() if also not in self._usual})
            for name, bases in library.tree.items():
                self._bases.setdefault(name, bases)

    def _add_type(self, one: Type) -> None:
        for also in one.also:
            self._usual.setdefault(also, one.name)
        self._bases[one.name] = (*self._bases.get(one.name, ()), *one.is_a)
        for call in one.made_by:
            self._made.setdefault(call.replace('"', "'"), one.name)
        for name in one.objects:
            self._objects.setdefault(name, one.name)
        if one.receivers:
            self._received.append((one.receivers, one.name))

    def usual(self, name: str) -> str:
        """The name by which the models know it: `redis.client.Redis.get` is `redis.Redis.get`."""
        head, tail = name, ""
        while head:
            if head in self._usual:
                return self._usual[head] + tail
            if head in self._objects:
                return self._objects[head] + tail if tail else name
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        return name

    def made(self, call: str, *literals: str) -> str | None:
        """The type that a call returns, given its leading text arguments; None where no model knows."""
        asked = (call, *literals)
        if asked not in self._asked:
            self._asked[asked] = self._made_by(call, literals)
        return self._asked[asked]

    def _made_by(self, call: str, literals: Names) -> str | None:
        call = self.usual(call)
        for many in range(len(literals), -1, -1):
            given = f"({', '.join(repr(text) for text in literals[:many])})" if many else ""
            for name in self.candidates(call):
                if f"{name}{given}" in self._made:
                    return self._made[f"{name}{given}"]
        return self.usual(call) if self.usual(call) in self._bases else None

    def instance(self, name: str) -> str | None:
        """The type of an object that a module offers, such as `django.core.cache.cache`."""
        return self._objects.get(name)

    def received(self, receiver: str) -> Iterator[str]:
        """The types that an untyped variable of this name may have."""
        return (name for words, name in self._received if named(receiver, words))

    def bases(self, name: str) -> Iterator[str]:
        """The class itself and every class above it, nearest first; builtins are known without a model."""
        queue = [self.usual(name)]
        seen: set[str] = set()
        while queue:
            name = queue.pop(0)
            if name in seen:
                continue
            seen.add(name)
            yield name
            queue += [self.usual(base) for base in self._bases.get(name, ())] or _builtin_bases(name)

    def is_known(self, name: str) -> bool:
        """Whether the class stands in a model or is a builtin."""
        return self.usual(name) in self._bases or isinstance(getattr(builtins, name, None), type)

    def is_subclass(self, name: str, base: str) -> bool:
        """Whether a class is `base` or below it, as far as the models know."""
        return self.usual(base) in self.bases(name)

    def candidates(self, name: str, receiver: str = "") -> Iterator[str]:
        """The names under which a model of a call may stand, the most exact first."""
        name = self.usual(name)
        yield name
        owner, _, method = name.rpartition(".")
        if owner == "*":
            owners = (base for one in self.received(receiver) for base in self.bases(one))
        else:
            owners = (base for base in self.bases(owner) if base != owner)
        for one in owners:
            yield f"{one}.{method}"
        if owner and owner != "*":
            yield f"*.{method}"


def _builtin_bases(name: str) -> list[str]:
    found = getattr(builtins, name.removeprefix("builtins."), None)
    return [base.__name__ for base in found.__mro__[1:-1]] if isinstance(found, type) else []
