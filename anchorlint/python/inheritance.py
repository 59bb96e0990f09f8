"""What classes get from one another: the methods that override one, and what methods store on self."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.facts import Event
from anchorlint.python.link import Linked, Ref


def overrides(linked: Linked, cls: Ref, name: str) -> Iterator[Ref]:
    """The methods of this name in the classes below a class, each class once."""
    pending, seen = list(linked.subclasses.get(cls, ())), {cls}
    while pending:
        sub = pending.pop()
        if sub in seen:
            continue
        seen.add(sub)
        own = dict(linked.cls(sub).methods).get(name)
        if own is not None:
            yield Ref("fn", sub.module, own)
        pending += linked.subclasses.get(sub, ())


def stored_on_self(linked: Linked, cls: Ref) -> dict[str, list[tuple[Ref, Event]]]:
    """Each attribute that the methods of a class and its bases store on self, with those stores, its own first."""
    found: dict[str, list[tuple[Ref, Event]]] = {}
    for base in linked.mro(cls):
        for _, number in linked.cls(base).methods if base.kind == "cls" else ():
            facts, own = linked.modules[base.module], ("param", number, 0)
            for event in facts.functions[number].events:
                target = facts.terms[event.a] if event.kind == "set" else ("",)
                if target[0] == "attr" and facts.terms[target[1]] == own:
                    found.setdefault(target[2], []).append((Ref("fn", base.module, number), event))
    return found
