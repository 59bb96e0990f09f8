"""What explain says of failed reads: the value they become, the action that it selects, and where both stand."""

from __future__ import annotations

import pytest

from explained import told

SHELF = """
    import requests


    def stock_of(session, name):
        try:
            return session.get(f"/shelf/{name}").json()
        except requests.RequestException:
            return None


    def tidy(session, shelf, name):
        if stock_of(session, name) is None:
            shelf.delete_item(name)
"""


def test_a_failed_read_tells_its_value_and_the_action_it_selects() -> None:
    said = "8: a failed get() (line 6) becomes None; selects delete_item() in it.py:13 (something is deleted)"
    assert told(SHELF, 6) == told(SHELF, 7) == told(SHELF, 8) == ["it.py:4 stock_of", said]


def test_an_action_tells_the_failed_read_that_selects_it() -> None:
    said = "13: delete_item() is selected by a failed get() too (it.py:8): something is deleted"
    assert told(SHELF, 13) == ["it.py:11 tidy", said]


def test_a_failed_read_is_followed_to_another_module() -> None:
    reader, _, caller = SHELF.partition("    def tidy")
    beside = "    from it import stock_of\n\n\n    def tidy" + caller
    lines = told(reader, 8, tidy=beside)
    assert any("selects delete_item() in tidy.py:6 (something is deleted)" in one for one in lines)


@pytest.mark.parametrize("made", ["False", "0", "[]", "{}", "(None, 0)", "'gone'"])
def test_the_value_is_told_as_it_is_written(made: str) -> None:
    text = SHELF.partition("    def tidy")[0].replace("return None", f"return {made}")
    assert f"8: a failed get() (line 6) becomes {made}; selects no action that is seen" in told(text, 8)


def test_a_variable_is_told_with_its_value() -> None:
    text = """
        import requests


        def count(session):
            try:
                number = session.get("/count").json()
            except requests.RequestException:
                number = 0
            return number
    """
    assert "8: a failed get() (line 6) becomes number = 0; selects no action that is seen" in told(text)


def test_a_failure_that_is_raised_becomes_no_value() -> None:
    text = SHELF.replace("return None", "raise LookupError(name)")
    assert not any("a failed " in one for one in told(text))


@pytest.mark.parametrize(
    ("done", "text"),
    [
        ("pass", "is passed over"),
        ("print(name)", "is passed over"),
        ("session.reopen()", "is answered with reopen()"),
    ],
)
def test_an_except_clause_without_a_plain_value_says_what_it_does(done: str, text: str) -> None:
    reader = SHELF.partition("    def tidy")[0].replace("return None", done)
    assert f"7: a failed get() (line 6) {text}; selects no action that is seen" in told(reader)


def test_a_failure_that_asks_elsewhere_becomes_no_plain_value() -> None:
    reader = SHELF.partition("    def tidy")[0].replace("return None", "return session.stale(name)")
    assert not any("a failed " in one for one in told(reader))


def test_a_failure_that_is_tried_again_names_the_loop() -> None:
    text = """
        import time


        def follow(feed):
            while True:
                try:
                    return feed.poll()
                except OSError:
                    time.sleep(1)
    """
    assert "8: a failed poll() (line 7) leads to the next turn of the loop in line 5" in told(text, 8)


def test_a_count_of_failures_is_no_value_of_the_read() -> None:
    text = """
        class Meter:
            misses = 0

            def watch(self, wire):
                while True:
                    try:
                        seen = wire.sample()
                        wire.keep(seen)
                    except ConnectionError:
                        if self.moved:
                            self.misses = 1
                        else:
                            self.misses += 1
                        if self.misses >= 6:
                            raise
    """
    lines = told(text)
    assert any("uses up budget Meter.misses (limit 6" in one for one in lines)
    assert not any("becomes self.misses" in one for one in lines)
