"""Gates are tried in the midst of other questions, which go on with what fuel they had."""

from __future__ import annotations

from anchorlint.python.facts import read
from anchorlint.python.program import Program

TEXT = """
import time

def sell(lot, market):
    while True:
        if time.time() <= lot.priced_at + 900 and market.sell(lot):
            return True
        time.sleep(60)
"""


def test_a_try_leaves_the_question_around_it_as_it_was() -> None:
    program = Program([read("shop.py", TEXT)])
    function = next(ref for ref in program.functions() if program.linked.function(ref).name == "sell")
    engine, event = program.elapsed.engine, next(program.view(function).events("ret"))
    engine.ask("how lots are sold", 1234)
    assert program.elapsed.hangs(function, event.chain)
    assert (engine.fuel, engine.asking) == (1234, "how lots are sold")
