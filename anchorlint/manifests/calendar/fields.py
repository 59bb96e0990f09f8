"""One field of a cron expression: from its text to the values and special days that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anchorlint.manifests.calendar.dialects import Dialect
from anchorlint.manifests.calendar.pattern import Field, Invalid, whole

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_BOUNDS = {
    "second": (0, 59),
    "minute": (0, 59),
    "hour": (0, 23),
    "day": (1, 31),
    "month": (1, 12),
    "week": (1, 53),
    "year": (1970, 2199),
}
_NTH = re.compile(r"(\w+)#(\d+)$", re.ASCII)
_POSITION = re.compile(r"(1st|2nd|3rd|4th|5th|last) +([a-z]{3})$", re.IGNORECASE)
_HASH = re.compile(r"H(?:\((\d+)-(\d+)\))?(?:/(\d+))?$", re.ASCII)
_DAY_MARKS = (
    ("L", re.compile(r"L$"), "from_last"),
    ("$", re.compile(r"\$$"), "from_last"),
    ("last", re.compile(r"LAST$"), "from_last"),
    ("L-n", re.compile(r"L-(\d+)$", re.ASCII), "from_last"),
    ("LW", re.compile(r"(?:LW|WL)$"), "near"),
    ("W", re.compile(r"(?:(\d+)W|W(\d+))$", re.ASCII), "near"),
)


def bounds(name: str, dialect: Dialect) -> tuple[int, int]:
    """The lowest and highest number of a field, both inclusive."""
    return (dialect.low_weekday, dialect.high_weekday) if name == "weekday" else _BOUNDS[name]


def read_field(name: str, text: str, offset: int, dialect: Dialect) -> Field:
    """The field named `name` with its text at `offset`; raises Invalid where the dialect refuses it."""
    values: set[int] = set()
    special: list[tuple[str, int, int]] = []
    place = offset
    for item in text.split(","):
        if not item:
            raise Invalid(f"the {name} field has an empty item", place)
        found = _special(name, item, place, dialect)
        if found is None:
            values |= _Item(name, item, place, dialect).values()
        elif isinstance(found, tuple):
            special.append(found)
        else:
            values |= found
        place += len(item) + 1
    loose = any(mark in text.upper() for mark in ("H", "~") if mark in dialect.marks) and not _named(name, text)
    return Field(name, text, offset, tuple(sorted(values)), tuple(special), _has_star(text, dialect), loose)


def _named(name: str, text: str) -> bool:
    """Whether an H in the text can only be the letter of a weekday's or month's name."""
    return name in ("weekday", "month") and bool(re.search(r"[A-Za-z]{3}", text))


def _has_star(text: str, dialect: Dialect) -> bool:
    if dialect.days == "vixie":
        return text.startswith("*")
    return any(item in ("*", "?", "*/1", "?/1") for item in text.split(","))


def _special(name: str, item: str, place: int, dialect: Dialect) -> tuple[str, int, int] | set[int] | None:
    upper = item.upper()
    if "H" in dialect.marks and upper.startswith("H"):
        return _hashed(name, upper, place, dialect)
    if "~" in dialect.marks and "~" in item:
        return _random(name, item, place, dialect)
    position = _POSITION.match(item) if "2nd fri" in dialect.marks and name == "day" else None
    if position:
        weekday = _weekday(position[2], place + position.start(2), dialect)
        return ("nth", weekday, -1 if position[1].lower() == "last" else int(position[1][0]))
    if name == "day":
        for mark, shape, kind in _DAY_MARKS:
            match = shape.match(upper) if mark in dialect.marks else None
            if match:
                return _special_day(mark, kind, match, place, dialect)
    return _special_weekday(upper, place, dialect) if name == "weekday" else None


def _special_day(mark: str, kind: str, match: re.Match[str], place: int, dialect: Dialect) -> tuple[str, int, int]:
    digits = next((group for group in match.groups() if group), "0") if match.groups() else "0"
    number = whole(digits)
    if mark == "W" and not 1 <= number <= 31 or number > 31:
        raise Invalid(f"no day of a month is {number}", place)
    return (kind, number, 0)


def _special_weekday(item: str, place: int, dialect: Dialect) -> tuple[str, int, int] | set[int] | None:
    match = _NTH.match(item) if "#" in dialect.marks else None
    if match:
        number = whole(match[2])
        if not 1 <= number <= 5:
            raise Invalid(f"{item} asks for weekday number {number} of a month, only 1 to 5 exist", place)
        return ("nth", _weekday(match[1], place, dialect), number)
    if "nL" in dialect.marks and item == "L":
        return {_weekday(str(dialect.high_weekday), place, dialect)}
    if "nL" in dialect.marks and re.match(r"([0-9]|[A-Z]{3})L$", item):
        return ("nth", _weekday(item[:-1], place, dialect), -1)
    if "Ln" in dialect.marks and re.match(r"L([0-9]|[A-Z]{3})$", item):
        return ("nth", _weekday(item[1:], place, dialect), -1)
    return None


def _weekday(text: str, place: int, dialect: Dialect) -> int:
    """A weekday's number with Monday = 0."""
    return _monday_based(_Item("weekday", text, place, dialect).number(text, place), dialect)


def _monday_based(number: int, dialect: Dialect) -> int:
    return (number - dialect.monday) % 7


def _hashed(name: str, item: str, place: int, dialect: Dialect) -> set[int]:
    """An example of what Jenkins may choose: the earliest, with the right period."""
    match = _HASH.match(item)
    if not match:
        raise Invalid(f"{item} is not H, H(low-high) or H/step", place)
    low, high = bounds(name, dialect)
    if name == "day" and not match[1]:
        high = 28
    first, last = (whole(match[1]), whole(match[2])) if match[1] else (low, high)
    if not low <= first <= last <= high:
        raise Invalid(f"{name} range {first}-{last} is outside {low}-{high}", place)
    step = whole(match[3]) if match[3] else last - first + 1
    if not step:
        raise Invalid("a step of 0 never advances", place)
    values = set(range(first, last + 1, step))
    return {_monday_based(value, dialect) for value in values} if name == "weekday" else values


def _random(name: str, item: str, place: int, dialect: Dialect) -> set[int]:
    low, high = bounds(name, dialect)
    left, _, right = item.partition("~")
    reader = _Item(name, item, place, dialect)
    first = reader.number(left, place) if left else low
    last = reader.number(right, place + len(left) + 1) if right else high
    if first > last:
        raise Invalid(f"{name} range {item} runs backwards", place)
    return {_monday_based(first, dialect)} if name == "weekday" else {first}


class _Item:
    """One item of a list: star, number or range, with a step."""

    def __init__(self, name: str, text: str, place: int, dialect: Dialect) -> None:
        self.name, self.text, self.place, self.dialect = name, text, place, dialect
        self.low, self.high = bounds(name, dialect)

    def values(self) -> set[int]:
        """What the item names; weekdays count from Monday = 0."""
        base, slash, step_text = self.text.partition("/")
        step = self._step(step_text, base) if slash else 1
        numbers = self._range(base, bool(slash), step)
        if slash and not self.dialect.long_step:
            self._check_length(base, step)
        if self.name == "weekday":
            return {_monday_based(number, self.dialect) for number in numbers}
        return set(numbers)

    def _step(self, text: str, base: str) -> int:
        place = self.place + len(base) + 1
        if not (text.isascii() and text.isdigit()):
            raise Invalid(f'"{text}" is no step in the {self.name} field', place)
        step = whole(text)
        if step == 0:
            raise Invalid("a step of 0 never advances", place)
        return step

    def _check_length(self, base: str, step: int) -> None:
        """APScheduler refuses a step that is longer than its range; 0 as its end counts as no end."""
        first, last = (self._range(base, True, 1)[at] for at in (0, -1))
        if step > (last or self.high) - first:
            place = self.place + len(base) + 1
            raise Invalid(f"{self.dialect.title} refuses a step of {step} in {first}-{last} ({self.name})", place)

    def _range(self, base: str, stepped: bool, step: int) -> Sequence[int]:
        if base == "*" or (base == "?" and self._question()):
            return range(self.low, self._end() + 1, step)
        left, dash, right = base.partition("-")
        first = self.number(left, self.place)
        if dash:
            return self._between(first, self.number(right, self.place + len(left) + 1), step)
        if stepped and not self.dialect.bare_step:
            raise Invalid(f"{self.dialect.title} takes a step only after * or a range, not after {left}", self.place)
        return range(first, self.high + 1, step) if stepped else (first,)

    def _end(self) -> int:
        """The last value counted once: 7 is Sunday a second time and would upset the steps."""
        return 6 if self.name == "weekday" and self.high - self.low == 7 else self.high

    def _question(self) -> bool:
        if self.dialect.question == "needed" and self.name not in ("day", "weekday"):
            return False
        return self.dialect.question != "no"

    def _between(self, first: int, last: int, step: int) -> Sequence[int]:
        wrap = self.dialect.wrap
        if first == last and wrap == "croniter":
            return range(self.low, self.high + 1, step)
        if first <= last:
            return range(first, last + 1, step)
        if wrap == "croniter":
            return self._croniter_wrap(first, last, step)
        if wrap == "on":
            return [*range(first, self._end() + 1), *range(self.low, last + 1)][::step]
        if self.name == "weekday" and last == 0 and self.high == 7 and not self.text[0].isdigit():
            raise Invalid(f"{self.text} runs backwards, since SUN is 0 here: write {first}-7", self.place)
        raise Invalid(f"{self.name} range {self.text} runs backwards", self.place)

    def _croniter_wrap(self, first: int, last: int, step: int) -> Sequence[int]:
        """croniter leaves one value more between the two ends than the step asks for, unless the step lands on one."""
        before = range(first, self.high + 1, step)
        left_over = self.high - before[-1]
        skipped = step - left_over if before[-1] - self.low + step > self.high - self.low + 1 else 0
        return [*before, *range(self.low + skipped, last + 1, step)]

    def number(self, text: str, place: int) -> int:
        """The number or name as the dialect counts; raises Invalid if it is neither or out of range."""
        if text.isascii() and text.isdigit():
            number = whole(text)
            if self.name == "weekday" and number == 7 and self.dialect.wrap == "croniter":
                return 0
            if self.low <= number <= self.high:
                return number
            raise Invalid(self._outside(text), place)
        named = self._by_name(text.lower())
        if named is None:
            raise Invalid(self._unknown(text), place)
        return named

    def _by_name(self, word: str) -> int | None:
        if not self.dialect.names:
            return None
        if self.dialect.long_names:
            word = word[:3]
        if self.name == "month" and word in MONTHS:
            return MONTHS.index(word) + 1
        if self.name == "weekday" and word in WEEKDAYS:
            number = (WEEKDAYS.index(word) + self.dialect.monday) % 7
            return number if number >= self.low else number + 7
        return None

    def _outside(self, text: str) -> str:
        if self.name == "weekday":
            sunday = (self.dialect.monday + 6) % 7 or (7 if self.low else 0)
            return f"weekday {text} is outside {self.low}-{self.high}, where {sunday} is Sunday ({self.dialect.title})"
        return f"{self.name} {text} is outside {self.low}-{self.high}"

    def _unknown(self, text: str) -> str:
        if not text:
            return f'the {self.name} field "{self.text}" is incomplete'
        return f'{self.dialect.title} does not understand "{text}" in the {self.name} field'
