"""The fields that a write carries: mappings inside of calls, update documents, update expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.python.queries import Queries
from anchorlint.python.sqltext import placeholders, renamed
from anchorlint.python.value import Value

Fields = tuple[tuple[str, Value], ...]
DEEP = 5
_CHANGED = frozenset({"replace", "_replace", "evolve"})


def carried(value: Value, deep: int = DEEP) -> Fields:
    """The named fields of what a call carries: a mapping or an object, also inside of `json.dumps(…).encode()`."""
    if value.kind == "map":
        return tuple((k.args[0], v) for k, v in value.args[0] if k is not None and k.kind == "str")
    if value.kind == "obj":
        return tuple((name, v) for name, v in value.args[1] if not name.startswith("args["))
    if not deep or value.kind != "result":
        return ()
    callee, args, kwargs = value.args
    if kwargs and str(callee.args[-1]).rpartition(".")[2] in _CHANGED:
        return tuple(kwargs)
    inner = [callee.args[0]] if callee.kind == "attr" else []
    for part in (*args, *(v for _, v in kwargs), *inner):
        found = carried(part, deep - 1)
        if found:
            return found
    return ()


def document_fields(queries: Queries, value: Value, record: Value) -> Fields:
    """What a MongoDB update sets: the entries of `$set`, and those of `$inc` as sums."""
    found: list[tuple[str, Value]] = []
    for operator, inner in carried(value):
        if operator == "$inc":
            add = queries.engine.arithmetic.add
            found += [(name, add(queries.column(record, name), v, 1.0)) for name, v in carried(inner)]
        elif operator.startswith("$"):
            found += carried(inner)
        else:
            found.append((operator, inner))
    return tuple(found)


def update_fields(queries: Queries, given: dict[str, Value]) -> Fields:
    """The fields of `SET a = :a, n = n + :one ADD c :n`; what is added is the field and more."""
    expression = given["UpdateExpression"]
    if expression.kind != "str":
        return ()
    values = placeholders(given.get("ExpressionAttributeValues"))
    text = renamed(expression.args[0], given.get("ExpressionAttributeNames"))
    return tuple(_assigned(queries, text, values))


def _assigned(queries: Queries, text: str, values: dict[str, Value]) -> Iterator[tuple[str, Value]]:
    engine = queries.engine
    record = engine.values("global", -1, "item")
    for clause, body in re.findall(r"\b(SET|ADD|REMOVE)\b(.*?)(?=\b(?:SET|ADD|REMOVE|DELETE)\b|$)", text, re.S):
        for part in body.split(","):
            words = part.replace("=", " = ").split()
            if not words:
                continue
            name = words[0]
            value = values.get(words[-1].lstrip(":"), engine.values.none)
            if clause == "REMOVE":
                value = engine.values.none
            elif clause == "ADD" or "+" in words:
                value = engine.arithmetic.add(engine.values("attr", record, name), value, 1.0)
            yield name, value
