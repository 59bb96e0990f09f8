"""The algebra of anchors: a horizon is the instant at which a brute-force evaluation flips."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from anchorlint.domain.gate import instants, normal_form, said
from anchorlint.domain.linear import Atom, Linear, Role, constant, single

NOW = Atom(Role.NOW, ("wall", 1), "now")
ITEM = Atom(Role.ITEM, "item", "entry.deadline")
UNITS = {"s": 1.0, "ms": 1000.0, "us": 1e6, "d": 1 / 86400}
OPS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}

seconds = st.integers(-10_000_000, 10_000_000)
scales = st.sampled_from(sorted(UNITS.values()))


def named(name: str, value: float) -> Linear:
    """The form of a named constant."""
    return single(Atom(Role.NAMED, name, name, value))


@given(seconds, seconds, scales, st.sampled_from(sorted(OPS)), st.booleans(), st.integers(0, 4_000_000_000))
def test_a_gate_flips_at_its_horizon_and_nowhere_else(
    reach: int, margin: int, scale: float, op: str, swapped: bool, item_s: int
) -> None:
    """`now - reach OP item - margin`, in any unit and on either side, holds before the horizon or after it."""
    left = single(NOW, scale) - named("REACH", reach * scale)
    right = single(ITEM, scale) - named("MARGIN", margin * scale)
    difference = right - left if swapped else left - right
    gate = normal_form(difference, op, NOW, ITEM)

    def holds(now_s: float) -> bool:
        value = (now_s - reach) - (item_s - margin)
        return OPS[op](-value if swapped else value, 0)

    assert gate.slack_s is not None
    horizon_s = item_s * gate.factor * scale / scale + gate.slack_s
    assert abs(horizon_s - (item_s + reach - margin)) < 1e-3
    horizon_s = round(horizon_s)
    assert holds(horizon_s - 1) is gate.closing
    assert holds(horizon_s + 1) is not gate.closing


@given(seconds, st.sampled_from(sorted(OPS)), scales)
def test_a_gate_opens_or_closes_and_its_contrary_does_the_other(slack: int, op: str, scale: float) -> None:
    """The contrary of a comparison is a gate of the other polarity at the same instant."""
    contrary = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
    difference = single(NOW, scale) - single(ITEM, scale) - constant(slack * scale)
    gate, other = (normal_form(difference, o, NOW, ITEM) for o in (op, contrary))

    assert gate.closing is not other.closing
    assert gate.instant == other.instant


@given(scales, seconds)
def test_the_unit_of_the_clock_is_not_the_unit_of_the_horizon(scale: float, slack: int) -> None:
    """A comparison in milliseconds has the horizon in seconds of the same comparison in seconds."""
    gate = normal_form(single(NOW, scale) - single(ITEM, scale) - constant(slack * scale), "<", NOW, ITEM)

    assert gate.slack_s is not None
    assert abs(gate.slack_s - slack) < 1e-3
    assert abs(gate.factor - 1) < 1e-9


forms = st.lists(
    st.tuples(st.sampled_from([NOW, ITEM, Atom(Role.NAMED, "K", "K", 7.0)]), st.integers(-5, 5)), max_size=4
).map(lambda terms: sum((single(a, float(c)) for a, c in terms), constant(0.0)))


@given(forms, forms, forms, st.integers(-6, 6))
def test_linear_forms_are_a_module_over_numbers(a: Linear, b: Linear, c: Linear, k: int) -> None:
    """Sums commute and associate, and scaling distributes over them."""
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert (a + b) * float(k) == a * float(k) + b * float(k)
    assert (a - a).terms == {}
    assert hash(a + b) == hash(b + a)


@given(st.integers(-3, 3), st.integers(-3, 3))
def test_only_an_instant_of_the_other_sign_can_stand_against_now(now: int, item: int) -> None:
    """NOW counts one instant, so what is compared with it must count minus one."""
    difference = single(NOW, float(now)) + single(ITEM, float(item)) if now or item else constant(0.0)
    clocks, against = instants(difference)

    assert against == ([ITEM] if now and item and (now > 0) != (item > 0) else [])
    assert clocks == ([NOW] if now else [])


@given(st.integers(-40_000_000, 40_000_000))
def test_a_horizon_in_words_leads_back_to_its_number(slack: int) -> None:
    """`entry.deadline + 7d` names the slack to within its smaller unit."""
    text = said("entry.deadline", constant(float(slack)))
    sizes = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    told, unit = Fraction(0), 1
    _, _, rest = text.partition("entry.deadline")
    number = ""
    for letter in rest.replace(" ", ""):
        if letter in "+-":
            continue
        if letter in sizes:
            told, unit, number = told + Fraction(number) * sizes[letter], sizes[letter], ""
        else:
            number += letter
    assert abs(told - abs(slack)) <= Fraction(unit, 2) + (unit if abs(slack) >= 3600 else 0)
    assert ("-" in rest) is (slack < 0)
