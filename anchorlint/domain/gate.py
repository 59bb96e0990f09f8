"""A gate: NOW compared with an instant that stays. It opens or it closes, and closing has a horizon."""

from __future__ import annotations

import msgspec

from anchorlint.domain.duration import spoken
from anchorlint.domain.linear import Atom, Linear, Role

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Gate(msgspec.Struct, frozen=True):
    """`now OP item + slack`: with `closing` it holds before that instant and never after, otherwise the reverse.

    `instant` is the whole right side divided by the clock's coefficient, in seconds; `slack` is `instant` without the
    item. `factor` is the item's coefficient there: 0.001 for an item in milliseconds.
    """

    closing: bool
    clock: str
    item: Atom
    factor: float
    slack: Linear
    instant: Linear

    @property
    def slack_s(self) -> float | None:
        """Seconds from the item to the horizon, None if a part of it has no known number."""
        return self.slack.number

    @property
    def text(self) -> str:
        """The horizon as people say it: `entry.deadline + 7d`."""
        return said(self.item.text, self.slack)


def said(item: str, slack: Linear) -> str:
    """The instant `item + slack`, in numbers where they are known and in names where they are not."""
    number = slack.number
    if number is not None:
        seconds = round(number, 6)
        return item if seconds == 0 else f"{item} {'+' if seconds > 0 else '-'} {spoken(abs(seconds))}"
    known, parts = slack.constant, []
    for atom, coefficient in slack.terms.items():
        if atom.value is not None:
            known += coefficient * atom.value
            continue
        sign = "-" if coefficient < 0 else "+"
        scale = "" if abs(abs(coefficient) - 1) < 1e-9 else f"{_scale(abs(coefficient))}"
        parts.append(f" {sign} {atom.text}{scale}")
    if round(known, 6):
        parts.append(f" {'+' if known > 0 else '-'} {spoken(abs(known))}")
    return item + "".join(parts)


def _scale(factor: float) -> str:
    names = {86400.0: " days", 3600.0: " hours", 60.0: " minutes", 604800.0: " weeks", 0.001: " ms"}
    return names.get(round(factor, 9), f" * {factor:g}")


def normal_form(difference: Linear, op: str, now: Atom, item: Atom) -> Gate:
    """The gate of `difference op 0`, where `now` and `item` are the atoms that `difference` is solved for."""
    speed = difference.terms[now]
    if speed < 0:
        op = _FLIPPED[op]
    instant = difference.without(now) * (-1.0 / speed)
    return Gate(
        closing=op in ("<", "<="),
        clock=str(now.key[0]) if isinstance(now.key, tuple) else str(now.key),
        item=item,
        factor=instant.terms[item],
        slack=instant.without(item),
        instant=instant,
    )


def instants(difference: Linear) -> tuple[list[Atom], list[Atom]]:
    """The clock readings of a difference, and the atoms that can be the instant which stands against them."""
    now = [atom for atom, _ in difference.of_role(Role.NOW)]
    if len(now) != 1:
        return now, []
    speed = difference.terms[now[0]]
    against = [a for a, c in difference.terms.items() if a.role is Role.ITEM and c * speed < 0]
    return now, against
