"""What libraries do with time: reads rules/models/*.toml and a user's own tables, and finds what is said of a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from anchorlint.documents.node import Malformed
from anchorlint.documents.toml import read, values
from anchorlint.knowledge import rules_directory, tables
from anchorlint.knowledge.families import Families, named
from anchorlint.knowledge.invalid import InvalidModel, invalid, placed
from anchorlint.knowledge.tables import Names, Retries, Tables

MEANINGS = ("outage", "gone", "expired", "refused", "conflict", "throttled", "mixed")
Index = dict[str, list[Any]]


class Models:
    """All models, the user's before our own, each table as a tuple, with look-ups by dotted name.

    A name is given as the program means it after imports: `time.time`, `redis.Redis.get` where the receiver's type is
    known, or `*.get` with the receiver's source name where it is not. Of several models for a name the first counts.
    """

    def __init__(self, parts: Iterable[Tables]) -> None:
        parts = tuple(parts)
        for field in msgspec.structs.fields(Tables):
            if field.name != "retries":
                setattr(self, field.name, _joined(parts, field.name))
        self.retries = Retries(
            **{f.name: _joined((part.retries for part in parts), f.name) for f in msgspec.structs.fields(Retries)}
        )
        self.families = Families(self.types, self.exceptions)
        self._meanings = _meanings(
            (name, word) for one in self.exceptions for word in MEANINGS for name in getattr(one, word)
        )
        self._codes = _meanings(
            (code, word) for one in self.exceptions for word, codes in one.codes.items() for code in codes
        )
        self._indexes: dict[str, Index] = {}
        self._last: dict[str, set[str]] = {}
        self._answers: dict[tuple[str, str, str], tuple[Any, ...]] = {}

    clocks: tuple[tables.Clock, ...]
    predicates: tuple[tables.Predicate, ...]
    identities: tuple[tables.Identity, ...]
    durations: tuple[tables.Duration, ...]
    shifts: tuple[tables.Shift, ...]
    cyclic: tuple[tables.Cyclic, ...]
    gates: tuple[tables.Gate, ...]
    types: tuple[tables.Type, ...]
    stores: tuple[tables.Store, ...]
    handles: tuple[tables.Handle, ...]
    retries: Retries
    brokers: tuple[tables.Broker, ...]
    sinks: tuple[tables.Sink, ...]
    effects: tuple[tables.Effect, ...]
    units: tuple[tables.Units, ...]
    persists: tuple[tables.Persist, ...]
    exceptions: tuple[tables.Exceptions, ...]

    def _index(self, table: str) -> Index:
        """The models of one table by their names; made when it is first asked for."""
        index = self._indexes.get(table)
        if index is None:
            index = self._indexes[table] = {}
            for call, entry in self._entries(table):
                for name in call.calls:
                    index.setdefault(self.families.usual(name), []).append(entry)
            self._last[table] = {name.rpartition(".")[2] for name in index}
        return index

    def _entries(self, table: str) -> Iterator[tuple[Any, Any]]:
        if table.startswith("store."):
            kind = table.removeprefix("store.")
            yield from ((call, (store, call)) for store in self.stores for call in getattr(store, kind))
        else:
            of = self if hasattr(self, table) else self.retries
            yield from ((model, model) for model in getattr(of, table))

    def _found(self, table: str, name: str, receiver: str) -> Any:
        last = self._last.get(table)
        if last is not None and name[name.rfind(".") + 1 :] not in last:
            return None
        found = self.all_of(table, name, receiver)
        return found[0] if found else None

    def all_of(self, table: str, name: str, receiver: str = "") -> tuple[Any, ...]:
        """Every model of one table (`clocks`, `store.reads`, `decorators` …) for a name, the most exact first."""
        index = self._index(table)
        if name.rpartition(".")[2] not in self._last[table]:
            return ()  # most names of a program are in no model, and the last word says so at once
        asked = table, name, receiver
        found = self._answers.get(asked)
        if found is None:
            found = self._answers[asked] = tuple(self._search(index, name, receiver))
        return found

    def _search(self, index: Index, name: str, receiver: str) -> Iterator[Any]:
        for candidate in self.families.candidates(name, receiver):
            yield from (model for model in index.get(candidate, ()) if _fits(model, receiver))

    def clock(self, name: str, receiver: str = "") -> tables.Clock | None:
        """The clock that a call reads."""
        return self._found("clocks", name, receiver)

    def predicate(self, name: str, receiver: str = "") -> tables.Predicate | None:
        """The comparison with now that a call or attribute makes."""
        return self._found("predicates", name, receiver)

    def identity(self, name: str, receiver: str = "") -> tables.Identity | None:
        """The argument whose instant or duration a call or attribute hands on."""
        return self._found("identities", name, receiver)

    def duration(self, name: str, receiver: str = "") -> tables.Duration | None:
        """The sizes of the arguments of a call that makes a duration."""
        return self._found("durations", name, receiver)

    def shift(self, name: str, receiver: str = "") -> tables.Shift | None:
        """The sizes of the arguments of a method that moves an instant."""
        return self._found("shifts", name, receiver)

    def is_cyclic(self, name: str, receiver: str = "") -> bool:
        """Whether an attribute or call cuts an instant down to a part that comes round again."""
        return self._found("cyclic", name, receiver) is not None

    def gate(self, name: str, receiver: str = "") -> tables.Gate | None:
        """The age check that a call makes."""
        return self._found("gates", name, receiver)

    def handle(self, name: str, receiver: str = "") -> tables.Handle | None:
        """What a call makes that dies later."""
        return self._found("handles", name, receiver)

    def store_read(self, name: str, receiver: str = "") -> tuple[tables.Store, tables.Read] | None:
        """The store that a call reads, and how."""
        return self._found("store.reads", name, receiver)

    def store_write(self, name: str, receiver: str = "") -> tuple[tables.Store, tables.Write] | None:
        """The store that a call writes, and how."""
        return self._found("store.writes", name, receiver)

    def store_expire(self, name: str, receiver: str = "") -> tuple[tables.Store, tables.Write] | None:
        """The store in which a call sets the life of a key, and how."""
        return self._found("store.expires", name, receiver)

    def store_delete(self, name: str, receiver: str = "") -> tuple[tables.Store, tables.Delete] | None:
        """The store from which a call deletes, and how."""
        return self._found("store.deletes", name, receiver)

    def store_at(self, address: str) -> tables.Store | None:
        """The store that an HTTP address belongs to; an f-string is given by its fixed parts."""
        return next((one for one in self.stores if any(part in address for part in one.addresses)), None)

    def retry_decorator(self, name: str, receiver: str = "") -> tables.Retry | None:
        """The decorator that calls its function again."""
        return self._found("decorators", name, receiver)

    def retry_call(self, name: str, receiver: str = "") -> tables.Retry | None:
        """The call that puts work back."""
        return self._found("calls", name, receiver)

    def retry_raise(self, name: str) -> tables.Retry | None:
        """The exception class that asks the framework to come again."""
        return self._found("raises", name, "")

    def retry_loop(self, name: str, receiver: str = "") -> tables.Retry | None:
        """The object that is looped over, or called with a function, to try again."""
        return self._found("loops", name, receiver)

    def poll(self, name: str, receiver: str = "") -> tables.Retry | None:
        """The construct that calls a test until it says yes; a base class with its polled methods too."""
        return self._found("polls", name, receiver)

    def policy(self, name: str, receiver: str = "") -> tables.Retry | None:
        """The object that says how somebody else retries."""
        return self._found("policies", name, receiver)

    def ack(self, name: str, receiver: str = "") -> tables.Ack | None:
        """The call that ends or returns a message."""
        return self._found("acks", name, receiver)

    def wait(self, name: str) -> tables.Wait | None:
        """The shape of a wait object."""
        return self._found("waits", name, "")

    def stop(self, name: str) -> tables.Stop | None:
        """The budget of a stop object."""
        return self._found("stops", name, "")

    def when(self, name: str) -> tables.When | None:
        """The failures or results that a condition object retries."""
        return self._found("whens", name, "")

    def sink(self, name: str, receiver: str = "") -> tables.Sink | None:
        """The end or alert that a call is."""
        return self._found("sinks", name, receiver)

    def effect(self, name: str, receiver: str = "") -> tables.Effect | None:
        """What a call does outside the process."""
        return self._found("effects", name, receiver)

    def unit(self, name: str, receiver: str = "") -> tables.Units | None:
        """The units of a call's arguments and result."""
        return self._found("units", name, receiver)

    def persist(self, name: str, receiver: str = "") -> tables.Persist | None:
        """The arguments of a call that leave the process."""
        return self._found("persists", name, receiver)

    def broker(self, name: str) -> tables.Broker | None:
        """The broker of this name or URL scheme (`redis`, `sqs`, `amqp` …)."""
        return next((one for one in self.brokers if name == one.name or name in one.schemes), None)

    def meaning(self, exception: str) -> Names:
        """What a class says: `outage`, `gone`, `expired`, `refused`, `conflict`, `throttled`, `mixed`; () if unknown.

        The nearest class above that has a meaning speaks for those that have none; a class that only its client knows
        (`client.exceptions.NoSuchKey`) is known by its last word.
        """
        for name in self.families.bases(exception):
            if said := self._meanings.get(name):
                return said
        return self.code_meaning(exception.rpartition(".")[2])

    def code_meaning(self, code: str) -> Names:
        """What an error code or HTTP status says, in the same words."""
        return self._codes.get(code, ())


def models(user: Mapping[str, Any] | None = None) -> Models:
    """The models of rules/models/, with the user's tables (as under `[tool.anchorlint]`) before them.

    Raises InvalidModel for a user's table that does not fit, with the keys that lead to it.
    """
    return Models((_converted(user), *own())) if user else _own_models()


@cache
def _own_models() -> Models:
    return Models(own())


@cache
def own() -> tuple[Tables, ...]:
    """The tables of each file of rules/models/, in the order of their names."""
    return tuple(read_file(path) for path in sorted((rules_directory() / "models").glob("*.toml")))


def read_file(path: Path) -> Tables:
    """The tables of one file; raises InvalidModel that names file and line."""
    text = path.read_text(encoding="utf-8")
    try:
        return _converted(values(text))
    except InvalidModel as error:
        place = placed(read(text, path.name), error.keys)
        raise InvalidModel(error.message, error.keys, f"{path.name}:{place.start.line}") from None
    except Malformed as error:
        raise InvalidModel(error.message, (), f"{path.name}:{error.line}") from None


def _converted(tables_of: Mapping[str, Any]) -> Tables:
    try:
        return msgspec.convert(tables_of, Tables)
    except msgspec.ValidationError as error:
        raise invalid(error) from None


def _meanings(said: Iterable[tuple[str, str]]) -> dict[str, Names]:
    found: dict[str, Names] = {}
    for name, word in said:
        found[name] = (*found.get(name, ()), word)
    return found


def _joined(parts: Iterable[Any], table: str) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(getattr(part, table) for part in parts))


def _fits(model: Any, receiver: str) -> bool:
    """Whether the receiver's name is one that the model asks for; most ask for none."""
    words = getattr(model[1] if isinstance(model, tuple) else model, "receiver", ())
    return not words or named(receiver, words)
