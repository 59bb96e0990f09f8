"""Lasting: which reads can be of what is kept for a time only, or is told to be gone for good by its status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from anchorlint.knowledge.tables import Store
from anchorlint.python.lives import Lives

HTTP_READS = frozenset({"get", "head", "request", "stream"})
GONE = 410  #: the status that says by itself that something is gone for good


class Lasting:
    """Answers it for the stores and names of one program; a miss of any other read can never matter."""

    def __init__(self, lives: Lives) -> None:
        self.lives = lives
        self.linked = lives.engine.linked
        self.models = lives.engine.models
        self._kept: dict[str, bool] = {}

    def is_lasting(self, name: str) -> bool:
        """Whether what is read by this name may be kept for a time only, or be told to be gone by its status."""
        by_address = name in HTTP_READS and self.by_address
        return by_address or any(self.is_kept(store) for store in self._stores.get(name, ()))

    @cached_property
    def _stores(self) -> dict[str, list[Store]]:
        """The stores by the last names of their reads."""
        found: dict[str, list[Store]] = {}
        for store in self.models.stores:
            for name in {call.rpartition(".")[2] for read in store.reads for call in read.calls}:
                found.setdefault(name, []).append(store)
        return found

    def is_kept(self, store: Store) -> bool:
        """Whether a store keeps things for a time by itself or by some write, or says that they are gone for good."""
        found = self._kept.get(store.name)
        if found is None:
            life = None if store.endless_without_ttl else store.life
            itself = life is not None and bool(life.settings or life.text or life.default_s is not None)
            gone = self.knows_gone and says_gone((*store.gone, *(m for r in store.reads for m in (*r.miss, *r.raises))))
            found = self._kept[store.name] = itself or gone or self.lives.is_written(store)
        return found

    @cached_property
    def by_address(self) -> bool:
        """Whether the answers at some address may be kept for a time, or be told to be gone by their status."""
        return self.knows_gone or self._is_addressed or self.lives.is_made

    @cached_property
    def _is_addressed(self) -> bool:
        """Whether a text of the program is a part of an address whose answers are kept for a time."""
        wanted = [part for store in self.models.stores for part in store.addresses]
        return any(part in text for text in self._texts() for part in wanted)

    @cached_property
    def knows_gone(self) -> bool:
        """Whether the program knows the status that says gone for good."""
        wanted = (GONE, float(GONE), str(GONE))
        for index in self.linked.indexes:
            terms = index.facts.terms
            if any([terms[number][2] in wanted for number in index.kinds.get("const", ())]):
                return True
        return False

    def _texts(self) -> Iterator[str]:
        for index in self.linked.indexes:
            terms = index.facts.terms
            yield "\n".join([terms[n][2] for n in index.kinds.get("const", ()) if terms[n][1] == "str"])


def says_gone(words: Iterable[str]) -> bool:
    """Whether one of these codes, statuses and answers of a miss is the status that says gone for good."""
    return any(word.rpartition(":")[2] == str(GONE) for word in words)
