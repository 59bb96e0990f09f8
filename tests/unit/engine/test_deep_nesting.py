"""Code nested deeper than anybody writes ends in a finding: no crash of the process, no hang."""

from __future__ import annotations

import pytest

from anchorlint.python.parse import Unparsed, parse

DEPTH = 50_000
DEEP = {
    "brackets": "x = " + "(" * DEPTH + ")" * DEPTH,
    "signs": "x = " + "-" * DEPTH + "1",
    "not": "x = " + "not " * DEPTH + "1",
    "elif": "if a:\n  pass\n" + "elif a:\n  pass\n" * DEPTH,
    "attributes": "x = a" + ".b" * DEPTH,
    "calls": "x = a" + "()" * DEPTH,
    "items": "x = a" + "[0]" * DEPTH,
    "sums": "x = " + "1+" * DEPTH + "1",
    "choices": "x = " + "1 if a else " * DEPTH + "2",
    "lambdas": "x = " + "lambda: " * DEPTH + "1",
}


@pytest.mark.parametrize(
    "before", ["", "try: pass\nexcept A, B: pass\n", "def f(:\n"], ids=["plain", "newer", "faulty"]
)
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_it_is_told(text: str, before: str) -> None:
    with pytest.raises(Unparsed):
        parse("a.py", f"{before}{text}\n")
