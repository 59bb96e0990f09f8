"""SQL text with its parameters as formulas and values: columns become fields of their table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from anchorlint.python.value import Value

if TYPE_CHECKING:
    from anchorlint.documents.sql import Operand, Statement, Test
    from anchorlint.python.evaluate import Evaluator

Place = tuple[Any, ...]
_NAMES = re.compile(r"[#:](\w+)")


class Parameters:
    """What a statement's placeholders stand for: by position, by name, and the holes of a formatted text."""

    __slots__ = ("by_name", "by_position", "sources")

    def __init__(self, by_position: tuple[Value, ...], by_name: dict[str, Value], sources: tuple[Value, ...]) -> None:
        self.by_position = by_position
        self.by_name = by_name
        self.sources = sources


class Text:
    """The text of a statement and the values that were formatted into it."""

    __slots__ = ("holes", "text")

    def __init__(self, text: str, holes: tuple[Value, ...]) -> None:
        self.text = text
        self.holes = holes


def sql_of(value: Value) -> Text | None:
    """The statement that a value is: a text, a formatted text, or one of them inside of `text(…)`."""
    from anchorlint.documents.sql import HOLE, is_statement

    for _ in range(4):
        if value.kind in ("result",) and value.args[0].kind == "attr" and value.args[0].args[1] == "bindparams":
            value = value.args[0].args[0]
        elif value.kind == "result" and value.args[0].kind == "ext" and value.args[1]:
            value = value.args[1][0]
        elif value.kind in ("case", "phi"):
            value = value.args[0][0][1] if value.kind == "case" else value.args[0][0]
        else:
            break
    if value.kind == "str":
        return Text(value.args[0], ()) if is_statement(value.args[0]) else None
    if value.kind != "fstr" or not value.args[0] or value.args[0][0].kind != "str":
        return None
    parts, holes = [], []
    for part in value.args[0]:
        if part.kind == "str":
            parts.append(part.args[0])
        else:
            parts.append(f"{HOLE}{len(holes)}")
            holes.append(part)
    text = "".join(parts)
    return Text(text, tuple(holes)) if is_statement(text) else None


def parameters(args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...]) -> Parameters:
    """What `execute(sql, …)` gives its placeholders."""
    given = dict(kwargs)
    rest = args[1:]
    if not rest:
        named = next((given[k] for k in ("parameters", "params", "values", "args") if k in given), None)
        rest = (named,) if named is not None else ()
    if len(rest) == 1:
        return _of_one(rest[0])
    return Parameters(rest, {}, rest)


def _of_one(value: Value) -> Parameters:
    if value.kind == "seq":
        return Parameters(value.args[1], {}, ())
    if value.kind == "map":
        named = {k.args[0]: v for k, v in value.args[0] if k is not None and k.kind == "str"}
        return Parameters((), named, ())
    if value.kind == "result" and value.args[0].kind == "ext" and value.args[0].args[0] == "|":
        parts = [_of_one(part) for part in value.args[1]]
        named = {name: one for part in parts for name, one in part.by_name.items()}
        return Parameters((), named, tuple(s for part in parts for s in part.sources))
    return Parameters((value,), {}, (value,))


class SqlText:
    """Turns statements into formulas and values; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def statements(self, text: Text) -> tuple[Statement, ...]:
        """What a text does, outermost statement first."""
        from anchorlint.documents import sql

        return sql.read(text.text)

    def selected(self, text: Text, given: Parameters, place: Place) -> Value:
        """What holds of the rows that a text picks."""
        for statement in self.statements(text)[:1]:
            return self.where(statement, text, given, place)
        return self.engine.values.true

    def where(self, statement: Statement, text: Text, given: Parameters, place: Place) -> Value:
        """The formula of a statement's condition."""
        if statement.where is None:
            return self.engine.values.true
        return self._test(statement.where, self.table(statement), text, given, place)

    def table(self, statement: Statement) -> Value:
        """A statement's table as a record."""
        return self.engine.values("global", -1, statement.table)

    def sets(self, statement: Statement, text: Text, given: Parameters, place: Place) -> tuple[tuple[str, Value], ...]:
        """The columns that a statement writes, with what they get."""
        record = self.table(statement)
        return tuple((name, self._operand(value, record, text, given, place)) for name, value in statement.sets)

    def condition(self, text: str, given: dict[str, Value], record: Value, place: Place) -> Value:
        """A condition expression with `ExpressionAttributeNames` and `ExpressionAttributeValues`."""
        from anchorlint.documents import sql

        names, values = given.get("ExpressionAttributeNames"), given.get("ExpressionAttributeValues")
        test = sql.condition(renamed(text, names))
        if test is None:
            return self.engine.values.true
        return self._test(test, record, Text(text, ()), Parameters((), placeholders(values), ()), place)

    def _test(self, test: Test, record: Value, text: Text, given: Parameters, place: Place) -> Value:
        engine = self.engine
        if test.op in ("and", "or", "not"):
            parts = [self._test(part, record, text, given, place) for part in test.parts]
            if test.op == "not":
                return engine.formulas.neg(parts[0])
            return engine.formulas.conj(parts) if test.op == "and" else engine.formulas.disj(parts)
        operands = [self._operand(o, record, text, given, place) for o in test.operands]
        if test.op == "isnull":
            return engine.arithmetic.is_none(operands[0])
        if test.op == "other" or len(operands) < 2:
            return engine.values("truthy", operands[0])
        return engine.arithmetic.compare(test.op, operands[0], operands[1], place)

    def _operand(self, operand: Operand, record: Value, text: Text, given: Parameters, place: Place) -> Value:
        engine, kind = self.engine, operand.kind
        if kind == "column":
            return engine.values("attr", record, operand.name)
        if kind == "param":
            return self._parameter(operand.name, text, given)
        if kind == "number":
            return engine.values.number(operand.number)
        if kind == "text":
            return engine.values("str", operand.name)
        if kind == "null":
            return engine.values.none
        if kind == "now":
            return engine.calls.library.now("db", 1.0, "any", place)
        parts = [self._operand(part, record, text, given, place) for part in operand.parts]
        if kind in ("+", "-") and len(parts) == 2:
            return engine.arithmetic.add(parts[0], parts[1], 1.0 if kind == "+" else -1.0)
        return engine.arithmetic.opaque(f"sql {operand.name}", *parts)

    def _parameter(self, name: str, text: Text, given: Parameters) -> Value:
        from anchorlint.documents.sql import HOLE

        if name.startswith(HOLE):
            return text.holes[int(name.removeprefix(HOLE))]
        if name in given.by_name:
            return given.by_name[name]
        if name.isdigit() and int(name) < len(given.by_position):
            return given.by_position[int(name)]
        key = self.engine.values("str", name)
        if given.sources:
            return self.engine.attributes.element(given.sources[0], key)
        return self.engine.values("global", -1, f":{name}")


def renamed(text: str, names: Value | None) -> str:
    """A DynamoDB expression with its `#names` written out."""
    table = {}
    for key, value in names.args[0] if names is not None and names.kind == "map" else ():
        if key is not None and key.kind == "str" and value.kind == "str":
            table[key.args[0].lstrip("#")] = value.args[0]
    return re.sub(r"#(\w+)", lambda m: table.get(m[1], m[1]), text)


def placeholders(values: Value | None) -> dict[str, Value]:
    """What the `:values` of a DynamoDB expression stand for, wrapped in a type or not."""
    found = {}
    for key, value in values.args[0] if values is not None and values.kind == "map" else ():
        if key is not None and key.kind == "str":
            found[key.args[0].lstrip(":")] = unwrapped(value)
    return found


def unwrapped(value: Value) -> Value:
    """The value in `{"N": value}`, as the low-level client of DynamoDB takes it."""
    if value.kind == "map" and len(value.args[0]) == 1:
        key, inner = value.args[0][0]
        if key is not None and key.kind == "str" and key.args[0] in ("S", "N", "BOOL", "B"):
            return inner.args[0][0] if inner.kind == "fstr" and len(inner.args[0]) == 1 else inner
    return value
