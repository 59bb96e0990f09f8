"""Query predicates as formulas: SQL text, ORM filters and condition expressions become the literals of comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from anchorlint.domain.linear import Role
from anchorlint.python.gates import may_read_clock
from anchorlint.python.sqltext import SqlText, parameters, sql_of
from anchorlint.python.value import FORMULAS, PATHS, Value, said

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

FILTERS = frozenset({"filter", "exclude", "where", "having", "filter_by", "get", "get_or_none", "find", "find_one",
                     "find_one_and_update", "find_one_and_replace", "find_one_and_delete", "update_one", "update_many",
                     "delete_one", "delete_many", "replace_one", "aget", "afirst"})  # fmt: skip
RUNS = frozenset({"execute", "executemany", "fetch", "fetchrow", "fetchval", "fetch_all", "fetch_one", "fetch_val",
                  "scalars", "scalar", "scalar_one_or_none", "exec", "stream", "stream_scalars", "iterate", "raw",
                  "exec_driver_sql", "get_records", "get_first", "query", "run", "executescript"})  # fmt: skip
FETCHES = frozenset({"fetchone", "fetchall", "fetchmany"})
_LOOKUPS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "exact": "==", "iexact": "==", "eq": "==", "ne": "!="}
_METHODS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "eq": "==", "ne": "!=", "__lt__": "<", "__gt__": ">"}
_MONGO = {f"${name}": op for name, op in _LOOKUPS.items()}
_JOINS = {"and_": "&", "or_": "|", "not_": "~", "&": "&", "|": "|", "~": "~"}
_SAME_ROWS = {"list", "next", "iter", "sorted", "tuple", "set", "reversed", "dict", "enumerate"}
MOST_STEPS = 24  #: calls of one chain
Place = tuple[Any, ...]
NOWHERE: Place = (-1, 1, 1, 1, 1)


class Queries:
    """What queries ask of rows; one for a program.

    `places` holds where the calls of predicates stand; `placing` is told the name of a call before it is looked up.
    """

    def __init__(self, engine: Evaluator, placing: Callable[[str], None]) -> None:
        self.engine = engine
        self.placing = placing
        self.places: dict[Value, Place] = {}
        self.fetched: dict[Value, Value] = {}  #: what a cursor ran before it was asked for its rows
        self.sql = SqlText(engine)
        self._selections: dict[Value, Value] = {}

    # which rows

    def selection(self, value: Value) -> Value:
        """What a query says of the row or rows that a value comes from; true where it says nothing."""
        found = self._selections.get(value)
        if found is None:
            self._selections[value] = self.engine.values.true
            found = self._selections[value] = self.engine.formulas.conj(list(self._asked(value)))
        return found

    def _asked(self, value: Value) -> Iterator[Value]:
        for _ in range(MOST_STEPS):
            kind = value.kind
            if kind in ("attr", "item", "part", "iter"):
                value = value.args[0]
            elif kind in ("case", "phi"):
                arms = value.args[0]
                each = [self.selection(arm[1] if kind == "case" else arm) for arm in arms]
                asked = [e for e in each if e is not self.engine.values.true]
                yield self.engine.formulas.disj(asked) if asked else self.engine.values.true
                return
            elif kind == "comp":
                yield from value.args[3] if len(value.args) > 3 else ()
                value = value.args[1]
            elif value in self.fetched:
                value = self.fetched[value]
            elif kind == "result":
                step, following = self._called(value)
                yield from step
                if following is None:
                    return
                value = following
            else:
                return

    def _called(self, value: Value) -> tuple[list[Value], Value | None]:
        """What one call of a chain asks, and what it stands on."""
        callee, args, kwargs = value.args
        base, name = self.split(callee)
        if base is None:
            return [], args[0] if name in _SAME_ROWS and args else None
        if name in RUNS and args:
            text = sql_of(args[0])
            if text is not None:
                return [self.sql.selected(text, parameters(args, kwargs), self.place(value))], None
            if name != "query":
                return [], args[0]
        if name in FILTERS or (name == "query" and kwargs):
            # a filter that is given no reading of a clock makes no gate, so nobody asks where it stands
            timed = name == "query" or any(may_read_clock(v) for v in (*args, *(v for _, v in kwargs)))
            return [self.filtered(name, base, args, kwargs, self.place(value) if timed else NOWHERE)], base
        return [], base

    def split(self, callee: Value) -> tuple[Value | None, str]:
        """What a method is called on and its name; no receiver for a plain function."""
        if callee.kind == "attr":
            return callee.args[0], str(callee.args[1])
        if callee.kind != "ext":
            return None, ""
        head, _, name = callee.args[0].rpartition(".")
        of_a_class = any(word[:1].isupper() for word in head.split("."))
        return (self.engine.values("ext", head) if of_a_class else None), name

    def place(self, value: Value) -> Place:
        """Where the call that made this value stands, else where the clock is read that it was given."""
        return self._placed(value) or self._reading(value)

    def _placed(self, value: Value) -> Place | None:
        if value.kind == "result":
            self.placing(self.split(value.args[0])[1])
        return self.places.get(value)

    def _reading(self, value: Value) -> Place:
        for arg in (*value.args[1], *(v for _, v in value.args[2])) if value.kind == "result" else ():
            now = arg.args[1].of_role(Role.NOW) if arg.kind == "lin" else ()
            for atom, _ in now:
                if isinstance(atom.key, tuple) and len(atom.key) == 6 and atom.key[1] != "param":
                    return atom.key[1:]
        return NOWHERE

    # predicates

    def filtered(
        self, name: str, base: Value, args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...], place: Place
    ) -> Value:
        """The formula of `filter(…)`, `exclude(…)`, `where(…)`, `query(KeyConditionExpression=…)` and their like."""
        record = self.record(base)
        parts: list[Value] = []
        for key, value in kwargs:
            if key in ("FilterExpression", "KeyConditionExpression", "ConditionExpression"):
                parts.append(self.condition(value, dict(kwargs), record, place))
            elif key[:1].islower():
                parts.append(self._lookup(record, key, value, place))
        for arg in args[:1] if args and args[0].kind == "map" else args:
            parts.append(self.predicate(arg, record, place))
        formula = self.engine.formulas.conj(parts)
        return self.engine.formulas.neg(formula) if name == "exclude" else formula

    def predicate(self, value: Value, record: Value, place: Place) -> Value:
        """The formula of one argument of a filter."""
        engine = self.engine
        if value.kind in FORMULAS:
            return value
        if value.kind == "map":
            return self._document(value, record, place)
        if value.kind in ("case", "phi"):
            return self.predicate(value.args[0][0][1] if value.kind == "case" else value.args[0][0], record, place)
        if value.kind == "result":
            placed = self._placed(value) if may_read_clock(value) else None  # no other makes a gate that is shown
            return self._constructed(value, record, placed or place)
        return engine.values.true

    def _constructed(self, value: Value, record: Value, place: Place) -> Value:
        callee, args, kwargs = value.args
        formulas = self.engine.formulas
        if callee.kind == "ext":
            name = callee.args[0].rpartition(".")[2]
            if name in _JOINS:
                parts, join = [self.predicate(a, record, place) for a in args], _JOINS[name]
                if join == "~" and parts:
                    return formulas.neg(parts[0])
                return formulas.disj(parts) if join == "|" else formulas.conj(parts)
            if name == "Q":
                each = [self._lookup(record, key, given, place) for key, given in kwargs]
                return formulas.conj([*each, *(self.predicate(a, record, place) for a in args)])
        if callee.kind == "attr":
            return self._column_method(callee.args[0], callee.args[1], args, place)
        return self.engine.values.true

    def _column_method(self, column: Value, name: str, args: tuple[Value, ...], place: Place) -> Value:
        engine = self.engine
        named = self._named_column(column)
        if name in _METHODS and len(args) == 1:
            return engine.arithmetic.compare(_METHODS[name], named, args[0], place)
        if name == "between" and len(args) == 2:
            low = engine.arithmetic.compare(">=", named, args[0], place)
            return engine.formulas.conj([low, engine.arithmetic.compare("<=", named, args[1], place)])
        if name in ("is_", "is_not", "isnot") and len(args) == 1:
            same = engine.arithmetic.compare("==", named, args[0], place)
            return same if name == "is_" else engine.formulas.neg(same)
        if name in ("in_", "is_in") and args and args[0].kind == "seq":
            return engine.arithmetic.compare("in", named, args[0], place)
        return engine.values.true

    def _named_column(self, column: Value) -> Value:
        """`Attr("until")` and `Key("until")` are columns of that name."""
        if column.kind == "result" and column.args[1] and column.args[1][0].kind == "str":
            return self.column(self.engine.values("global", -1, "item"), column.args[1][0].args[0])
        return column

    def column(self, record: Value, path: str) -> Value:
        """The value of a field of each row; a path goes through relations."""
        value = record
        for name in path.split("__"):
            value = self.engine.values("attr", value, name)
        return value

    def _lookup(self, record: Value, key: str, value: Value, place: Place) -> Value:
        """`created_at__lt=value` and its like."""
        engine, (path, _, last) = self.engine, key.rpartition("__")
        if last in _LOOKUPS and path:
            return engine.arithmetic.compare(_LOOKUPS[last], self.column(record, path), value, place)
        if last == "isnull" and path:
            absent = engine.arithmetic.is_none(self.column(record, path))
            return absent if value.kind == "true" else engine.formulas.neg(absent)
        if last == "in" and path:
            listed = engine.arithmetic.compare("in", self.column(record, path), value, place)
            return engine.formulas.conj([listed, self.selection(value)])
        if last == "range" and path and value.kind == "seq" and len(value.args[1]) == 2:
            column, (low, high) = self.column(record, path), value.args[1]
            upper = engine.arithmetic.compare("<=", column, high, place)
            return engine.formulas.conj([engine.arithmetic.compare(">=", column, low, place), upper])
        column = self.column(record, key)
        if value.kind in ("true", "false"):
            flag = engine.values("truthy", column)
            return flag if value.kind == "true" else engine.formulas.neg(flag)
        return engine.formulas.conj([engine.arithmetic.compare("==", column, value, place), self.selection(value)])

    def _document(self, value: Value, record: Value, place: Place) -> Value:
        """A MongoDB filter: `{"state": "busy", "until": {"$lt": now}}`."""
        parts = []
        for key, wanted in value.args[0]:
            if key is None or key.kind != "str":
                continue
            name = key.args[0]
            if name in ("$and", "$or") and wanted.kind == "seq":
                each = [self.predicate(one, record, place) for one in wanted.args[1]]
                parts.append(self.engine.formulas.conj(each) if name == "$and" else self.engine.formulas.disj(each))
            else:
                parts += self._entry(self.column(record, name), wanted, place)
        return self.engine.formulas.conj(parts)

    def _entry(self, column: Value, wanted: Value, place: Place) -> list[Value]:
        compare = self.engine.arithmetic.compare
        if wanted.kind != "map":
            return [compare("==", column, wanted, place)]
        parts = []
        for operator, operand in wanted.args[0]:
            name = operator.args[0] if operator is not None and operator.kind == "str" else ""
            if name in _MONGO:
                parts.append(compare(_MONGO[name], column, operand, place))
            elif name == "$in":
                parts.append(compare("in", column, operand, place))
        return parts

    def condition(self, value: Value, given: dict[str, Value], record: Value, place: Place) -> Value:
        """A condition expression of DynamoDB, as text with its names and values or as `Attr("x").lt(…)`."""
        if value.kind == "str":
            return self.sql.condition(value.args[0], given, record, place)
        return self.predicate(value, record, place)

    # names of records

    def record(self, base: Value) -> Value:
        """What the rows of a chain are of: a class, a table, or what the chain stands on."""
        for _ in range(MOST_STEPS):
            if base.kind == "attr":
                if base.args[1] in ("objects", "query", "_default_manager", "c"):
                    return self.named(base.args[0])
                if base.args[0].kind not in ("attr", "result", "iter"):
                    return self.named(base)
                base = base.args[0]
            elif base.kind == "result":
                on, name = self.split(base.args[0])
                if base.args[1] and (on is None or name in ("query", "select") or self._is_class(base.args[1][0])):
                    return self.named(base.args[1][0])
                if on is None:
                    return self.named(base)
                base = base.args[1][0] if name in RUNS and base.args[1] else on
            elif base.kind == "iter":
                base = base.args[0]
            elif base.kind == "comp" and base.args[2]:
                base = base.args[2][0]
            else:
                return self.named(base)
        return self.named(base)

    def _is_class(self, value: Value) -> bool:
        if value.kind == "ext":
            return bool(value.args[0].rpartition(".")[2][:1].isupper())
        return value.kind == "cls"

    def named(self, value: Value) -> Value:
        """A record under its name: the class of the project, or what the source calls it."""
        engine = self.engine
        while value.kind == "attr" and value.args[0].kind in ("cls", "global"):
            value = value.args[0]
        if value.kind == "cls":
            return engine.values("global", -1, engine.linked.modules[value.args[0]].classes[value.args[1]].name)
        if value.kind == "ext":
            return engine.values("global", -1, value.args[0].removesuffix(".objects").rpartition(".")[2])
        if value.kind == "global" or value.kind not in PATHS:
            return value if value.kind == "global" else engine.values("global", -1, "")
        return engine.values("global", -1, said(value))
