"""What a value says in plain Python: texts, numbers and seconds, or None where it is no constant."""

from __future__ import annotations

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.value import Value

MOST_S = 1e11  #: three thousand years
Turn = dict[Value, Value]  #: what stands for parameters and loop variables, one choice of them


def text(value: Value | None) -> str | None:
    """A string, also one that is put together of constants."""
    if value is None:
        return None
    if value.kind == "str":
        return str(value.args[0])
    if value.kind == "fstr":
        parts = [text(part) if part.kind in ("str", "fstr") else _digits(part) for part in value.args[0]]
        if any(part is None or "%" in part for part in parts):
            return None
        return "".join(part for part in parts if part is not None)
    return None


def _digits(value: Value) -> str | None:
    found = number(value)
    return f"{found:g}" if found is not None and abs(found) < 1e6 and found == int(found) else None


def number(value: Value | None) -> float | None:
    """A plain number; a duration is none."""
    if value is None or value.kind != "lin" or value.args[0] not in ("num", "any"):
        return None
    return _usable(value.args[1].number)


def _usable(found: float | None) -> float | None:
    """A number that something can be counted or timed with, None for infinity and the like."""
    return found if found is not None and abs(found) < MOST_S else None


def seconds(value: Value | None) -> float | None:
    """A duration, or a number that counts seconds."""
    if value is None or value.kind != "lin" or value.args[0] == "dt":
        return None
    return _usable(value.args[1].number)


def duration(value: Value | None) -> float | None:
    """The seconds of a timedelta; a bare number is none."""
    return seconds(value) if value is not None and value.kind == "lin" and value.args[0] == "td" else None


def truth(value: Value | None) -> bool | None:
    """True or False as it is written."""
    return {"true": True, "false": False}.get(value.kind) if value is not None else None


def field(value: Value | None) -> str | None:
    """A field of a cron expression from a text, a number or a collection of these."""
    if value is None:
        return None
    if value.kind == "seq":
        parts = [field(part) for part in value.args[1]]
        return ",".join(part for part in parts if part is not None) if parts and None not in parts else None
    return text(value) if value.kind in ("str", "fstr") else _digits(value)


def outside(value: Value | None) -> tuple[str, Value] | None:
    """The dotted name of what from outside the project is called, and the call."""
    if value is None or value.kind != "result" or value.args[0].kind != "ext":
        return None
    return value.args[0].args[0], value


def argument(value: Value, name: str, position: int | None) -> Value | None:
    """An argument of a call that nothing more is known of."""
    for key, given in value.args[2]:
        if key == name:
            return given  # type: ignore[no-any-return]
    if position is not None and position < len(value.args[1]):
        return value.args[1][position]  # type: ignore[no-any-return]
    return None


def put(engine: Evaluator, value: Value, turn: Turn) -> Value:
    """A value with its parameters and loop variables replaced."""
    if not turn or value in turn:
        return turn.get(value, value)
    kind, args = value.kind, value.args
    if kind == "part":
        return engine.attributes.part(put(engine, args[0], turn), args[1])
    if kind == "item":
        return engine.attributes.element(put(engine, args[0], turn), put(engine, args[1], turn))
    if kind in ("fstr", "seq", "result", "map", "attr"):
        made = engine.values(kind, *(_put(engine, arg, turn) for arg in args))
        return engine.values("str", text(made)) if kind == "fstr" and text(made) is not None else made
    return value


def _put(engine: Evaluator, arg: object, turn: Turn) -> object:
    if isinstance(arg, Value):
        return put(engine, arg, turn)
    return tuple(_put(engine, each, turn) for each in arg) if isinstance(arg, tuple) else arg


def zone_name(value: Value | None) -> str | None:
    """The IANA name in a text or in a call such as ZoneInfo("…") or pendulum.timezone("…")."""
    if value is None:
        return None
    if value.kind == "ext":
        return "UTC" if value.args[0].rpartition(".")[2].lower() == "utc" else None
    called = outside(value)
    if called is not None and called[0].rpartition(".")[2].lower() in ("zoneinfo", "timezone", "gettz"):
        return text(argument(called[1], "key", 0) or argument(called[1], "name", 0))
    return text(value)
