"""Writes of records, whatever carries them: attributes, rows, SQL text, items, objects, entries of a mapping."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.documents.sql import may_write
from anchorlint.python.carried import Fields, carried, document_fields, update_fields
from anchorlint.python.facts import Event
from anchorlint.python.link import last_name
from anchorlint.python.placing import Placing
from anchorlint.python.queries import RUNS
from anchorlint.python.sqltext import parameters, sql_of, unwrapped
from anchorlint.python.value import Value, said
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

DELETES = frozenset({"delete", "adelete", "unlink", "remove", "rmtree", "delete_object", "delete_objects", "pop",
                      "discard", "delete_item", "delete_one", "delete_many", "delete_key", "popleft",
                      "find_one_and_delete"})  # fmt: skip
_CREATES = frozenset({"create", "acreate", "get_or_create", "update_or_create", "insert_one", "put_item"})
UPDATES = frozenset({"update", "aupdate", "update_item", "update_one", "update_many", "find_one_and_update",
                      "find_one_and_replace", "replace_one"})  # fmt: skip
_CARRIES = frozenset({"put_object", "put", "set", "hset", "hmset", "setex", "write_text", "write_bytes", "write",
                      "dump", "save", "insert", "upsert", "add", "store", "put_nowait", "replace"})  # fmt: skip
VERBS = DELETES | _CREATES | UPDATES | _CARRIES | RUNS
_CONDITIONS = ("IfMatch", "if_match", "if_generation_match", "if_metageneration_match", "ExpectedVersion", "match")
MOST_TOUCHES = 120  #: of one function


KINDS = frozenset({"insert", "update", "delete", "make"})


class Touch(NamedTuple):
    """One write. `kind` is insert, update, delete, or make for a record that is only built.

    `record` is what the source calls the kind of row, `base` the row.
    `where` is what the write asks of the rows that it changes, `picked` what an earlier query asked of them. `fenced`
    says that the write names the version that it replaces. `key` is the entry of a mapping.
    """

    kind: str
    record: str
    base: Value
    fields: Fields
    where: Value
    picked: Value
    fenced: bool
    key: Value | None
    event: Event
    view: View


class Writes:
    """Finds writes; one for a program."""

    def __init__(self, program: Program) -> None:
        self.engine = program.engine
        self._placing = program.part(Placing)
        self.queries = self._placing.queries
        self._touches: dict[View, tuple[Touch, ...]] = {}

    def of(self, view: View) -> tuple[Touch, ...]:
        """The writes of a function, in source order."""
        found = self._touches.get(view)
        if found is None:
            self._touches[view] = ()
            self._placing.take(view)
            events = view.events("set", "del", "call")
            found = self._touches[view] = tuple([t for e in events for t in self._made_by(view, e)])[:MOST_TOUCHES]
        return found

    def at(
        self, view: View, event: Event, kinds: frozenset[str] = KINDS, names: frozenset[str] = frozenset()
    ) -> Iterator[Touch]:
        """The writes of these kinds of one event of a function, those in SQL text only if it may set one of `names`."""
        self._placing.take(view)
        return (touch for touch in self._made_by(view, event, kinds, names) if touch.kind in kinds)

    def reach(self, touch: Touch) -> Value:
        """What holds when a write happens: its path, its own condition and what its rows were picked by."""
        path = touch.view.condition(touch.event.chain)
        return self.engine.formulas.conj([path, touch.where, touch.picked])

    def _made_by(
        self, view: View, event: Event, kinds: frozenset[str] = KINDS, names: frozenset[str] = frozenset()
    ) -> Iterator[Touch]:
        if event.kind == "call":
            name = last_name(view.terms, view.terms[event.a][1])
            if name in VERBS:
                if name not in RUNS or self._may_run(view, view.terms[event.a], kinds, names):
                    yield from self._called(view, event, name)
            elif name[:1].isupper():
                yield from self._made(view, event, name)
        else:
            touch = self._stored(view, event)
            if touch is not None:
                yield touch

    def _touch(
        self, view: View, event: Event, kind: str, base: Value, fields: Fields, where: Value | None = None,
        record: str = "", fenced: bool = False, key: Value | None = None, given: tuple[Value, ...] = (),
    ) -> Touch:  # fmt: skip
        queries, formulas = self.queries, self.engine.formulas
        picked = [queries.selection(v) for v in (base, *given, key) if v is not None]
        picked += self._looped(view, event.chain)
        return Touch(
            kind, record or queries.record(base).args[-1], base, fields,
            where if where is not None else self.engine.values.true, formulas.conj(picked), fenced, key, event, view,
        )  # fmt: skip

    def _looped(self, view: View, chain: int) -> list[Value]:
        """What the elements of the loops around are chosen by: `for key in [k for k, at in … if at < limit]`."""
        found, chains = [], view.facts.chains
        while chain > 0:
            if chains[chain][1] == "loop" and view.facts.loops[chains[chain][2]].subject >= 0:
                subject = view.value(view.facts.loops[chains[chain][2]].subject)
                if subject.kind == "comp":
                    found.append(self.queries.selection(subject))
            chain = chains[chain][0]
        return found

    def _stored(self, view: View, event: Event) -> Touch | None:
        term = view.terms[event.a]
        if term[0] not in ("attr", "sub"):
            return None
        base = view.value(term[1])
        if term[0] == "attr":
            if event.kind == "del":
                return None
            if view.terms[event.b][0] == "comp":
                return self._thinned(view, event, view.value(event.b))
            return self._touch(view, event, "update", base, ((term[2], view.value(event.b)),), record=self._class(base))
        key = view.value(term[2])
        if event.kind == "del":
            return self._touch(view, event, "delete", base, (), key=key)
        if key.kind == "str":
            return self._touch(view, event, "update", base, ((key.args[0], view.value(event.b)),))
        value = view.value(event.b)
        return self._touch(view, event, "insert", base, (("", value), *carried(value)), key=key)

    def _thinned(self, view: View, event: Event, value: Value) -> Touch | None:
        """`self.seen = {k: at for k, at in self.seen.items() if …}` deletes what the condition leaves out."""
        target = view.value(event.a)
        if value.kind != "comp" or not value.args[3] or not any(self._holds(i, target) for i in value.args[2]):
            return None
        gone = self.engine.formulas.neg(self.engine.formulas.conj(value.args[3]))
        return self._touch(view, event, "delete", target, (), gone, record=said(target))

    def _holds(self, iterable: Value, target: Value) -> bool:
        while iterable.kind == "result" and iterable.args[0].kind == "attr":
            iterable = iterable.args[0].args[0]
        return iterable is target

    def _class(self, base: Value) -> str:
        ref = self.engine.attributes.type_of(base)
        return self.engine.linked.cls(ref).name if ref is not None and ref.kind == "cls" else ""

    def _made(self, view: View, event: Event, name: str) -> Iterator[Touch]:
        """A record that is built: what its constructor is given, before somebody keeps it."""
        value = view.value(event.a)
        fields = carried(value, 0)
        if fields:
            yield self._touch(view, event, "make", value, fields, record=name)

    def _called(self, view: View, event: Event, name: str) -> Iterator[Touch]:
        term = view.terms[event.a]
        callee = view.value(term[1])
        if callee.kind in ("fn", "cls", "partial"):
            return
        args = tuple([view.value(n) for n in term[2] if view.terms[n][0] != "star"])
        kwargs = tuple([(k, view.value(n)) for k, n in term[3] if k])
        base = self.queries.split(callee)[0] or callee
        if name in RUNS and args:
            yield from self._run(view, event, args, kwargs)
        elif name in UPDATES:
            yield from self._updated(view, event, name, base, args, kwargs)
        elif name in DELETES:
            yield from self._deleted(view, event, name, base, args, kwargs)
        elif name in _CREATES:
            yield self._created(view, event, base, args, kwargs)
        elif name in _CARRIES:
            fields = tuple(entry for value in (*args, *(v for _, v in kwargs)) for entry in carried(value))
            if fields:
                fenced = any(k in _CONDITIONS for k, _ in kwargs)
                yield self._touch(view, event, "insert", base, fields, fenced=fenced, key=args[0] if args else None)

    def _may_run(self, view: View, term: tuple, kinds: frozenset[str], names: frozenset[str]) -> bool:
        """Whether the first argument is a statement that writes so, before anything else is evaluated or read."""
        first = next((n for n in term[2] if view.terms[n][0] != "star"), -1)
        if first < 0 or view.value(term[1]).kind in ("fn", "cls", "partial"):
            return False
        value = view.value(first)
        text = sql_of(value)
        return _kind_of(value) in kinds if text is None else may_write(text.text, kinds, names)

    def _run(self, view: View, event: Event, args: tuple[Value, ...], kwargs: Fields) -> Iterator[Touch]:
        text = sql_of(args[0])
        if text is None:
            touch = self._expression(view, event, args[0])
            if touch is not None:
                yield touch
            return
        sql, given = self.queries.sql, parameters(args, kwargs)
        at = (view.module, event.line, event.column, event.end_line, event.end_column)
        for statement in sql.statements(text):
            if statement.kind == "select":
                continue
            fields = sql.sets(statement, text, given, at)
            where = sql.where(statement, text, given, at)
            used = (*given.by_position, *given.by_name.values())
            table = sql.table(statement)
            yield self._touch(view, event, statement.kind, table, fields, where, statement.table, given=used)

    def _expression(self, view: View, event: Event, value: Value) -> Touch | None:
        """`execute(update(T).where(…).values(…))` of SQLAlchemy: the chain stands on `update`, `insert` or `delete`."""
        fields: list[tuple[str, Value]] = []
        chain = value
        while chain.kind == "result" and chain.args[0].kind == "attr":
            name = chain.args[0].args[1]
            if name in ("values", "set_"):
                fields += chain.args[2] or [e for a in chain.args[1] for e in carried(a)]
            chain = chain.args[0].args[0]
        kind = _kind_of(value)
        if not kind:
            return None
        record = self.queries.named(chain.args[1][0])
        where = self.queries.selection(value)
        return self._touch(view, event, kind, record, tuple(fields), where, record.args[-1])

    def _updated(
        self, view: View, event: Event, name: str, base: Value, args: tuple[Value, ...], kwargs: Fields
    ) -> Iterator[Touch]:
        given = dict(kwargs)
        if name in ("update", "aupdate") and not args and kwargs:
            yield self._touch(view, event, "update", base, kwargs)
        elif name == "update" and args and args[-1].kind == "map" and (len(args) == 1 or args[0].kind != "map"):
            yield self._touch(view, event, "update", base if len(args) == 1 else args[0], carried(args[-1]))
        elif name == "update_item" and "UpdateExpression" in given:
            where = self._conditioned(view, event, base, given)
            yield self._touch(view, event, "update", base, update_fields(self.queries, given), where)
        elif len(args) > 1 and args[0].kind == "map":
            record = self.queries.named(base)
            where = self.queries.predicate(args[0], record, self._at(view, event))
            yield self._touch(view, event, "update", base, document_fields(self.queries, args[1], record), where)

    def _deleted(
        self, view: View, event: Event, name: str, base: Value, args: tuple[Value, ...], kwargs: Fields
    ) -> Iterator[Touch]:
        if name == "delete_item":
            yield self._touch(view, event, "delete", base, (), self._conditioned(view, event, base, dict(kwargs)))
        elif name in ("delete_one", "delete_many", "find_one_and_delete") and args and args[0].kind == "map":
            record = self.queries.named(base)
            where = self.queries.predicate(args[0], record, self._at(view, event))
            yield self._touch(view, event, "delete", base, (), where)
        else:
            key = args[0] if args else None
            yield self._touch(view, event, "delete", base, (), key=key, given=tuple(v for _, v in kwargs))

    def _created(self, view: View, event: Event, base: Value, args: tuple[Value, ...], kwargs: Fields) -> Touch:
        given = dict(kwargs)
        if "Item" in given:
            fields = tuple((k, unwrapped(v)) for k, v in carried(given["Item"]))
            return self._touch(view, event, "insert", base, fields, self._conditioned(view, event, base, given))
        fields = tuple(e for a in args for e in carried(a)) + kwargs
        fields += carried(given["defaults"]) if "defaults" in given else ()
        return self._touch(view, event, "insert", base, fields)

    def _at(self, view: View, event: Event) -> tuple[int, ...]:
        return (view.module, event.line, event.column, event.end_line, event.end_column)

    def _conditioned(self, view: View, event: Event, base: Value, given: dict[str, Value]) -> Value:
        condition = given.get("ConditionExpression")
        if condition is None:
            return self.engine.values.true
        return self.queries.condition(condition, given, self.queries.named(base), self._at(view, event))


def _kind_of(value: Value) -> str:
    """What a statement of SQLAlchemy does, "" for none that writes: the name of the call that its chain stands on."""
    while value.kind == "result" and value.args[0].kind == "attr":
        value = value.args[0].args[0]
    if value.kind != "result" or value.args[0].kind not in ("ext", "attr") or not value.args[1]:
        return ""
    kind = str(value.args[0].args[-1]).rpartition(".")[2]
    return kind if kind in ("update", "insert", "delete") else ""
