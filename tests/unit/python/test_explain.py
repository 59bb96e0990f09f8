"""What explain says of small programs: time values, gates, retries and budgets, as text."""

from __future__ import annotations

import pytest

from explained import told

# time values, gates and retries

CUSTOMS = """
    from datetime import datetime, timedelta, timezone

    KEEP = timedelta(days=30)


    def declare(parcel, office):
        now = datetime.now(timezone.utc)
        if now < parcel.shipped_at + KEEP:
            return office.papers(parcel.id)
        return None


    def nightly(parcels, office):
        for parcel in parcels:
            if declare(parcel, office) is None and parcel.tries < 9:
                parcel.tries += 1
"""


def test_a_gate_and_its_horizon_are_told_where_they_stand() -> None:
    assert "8: gate closes: holds until parcel.shipped_at + 30d, and never again" in told(CUSTOMS)
    assert told(CUSTOMS, 8) == [
        "it.py:6 declare",
        "8: gate closes: holds until parcel.shipped_at + 30d, and never again",
    ]


def test_a_retry_names_the_instant_after_which_it_is_in_vain() -> None:
    assert "16: tried again (bump, at most 9 tries) once now is past parcel.shipped_at + 30d (it.py:8)" in told(
        CUSTOMS, 16
    )


def test_a_duration_and_a_sliding_clock_are_told() -> None:
    lines = told(CUSTOMS)
    assert "3: KEEP = 30d  (a duration)" in lines
    assert "7: now = now  (slides with the wall clock)" in lines


def test_what_is_told_of_a_function_stands_in_source_order() -> None:
    numbers = [int(one.partition(":")[0]) for one in told(METER) if one[:1].isdigit()]
    assert len(numbers) > 3
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("line", [None, 2])
def test_a_place_without_anything_is_said_to_have_nothing(line: int | None) -> None:
    where = "it.py" if line is None else "it.py:2"
    nothing = f"no time value, gate, retry, budget or failed read is seen in {where}"
    assert told("def plain(a):\n    return a\n", line) == [nothing]


# budgets: counters

METER = """
    import time

    MOST = 6


    class Meter:
        def __init__(self, wire):
            self.wire = wire
            self.misses = 0

        def watch(self):
            while True:
                try:
                    self.wire.sample()
                    self.misses = 0
                except ConnectionError:
                    self.misses += 1
                    if self.misses >= MOST:
                        raise
                    time.sleep(5)
"""


def test_a_counter_tells_its_limit_and_what_gives_it_back() -> None:
    assert told(METER, 17) == [
        "it.py:11 Meter.watch",
        "17: a failure uses up budget Meter.misses (limit 6, tested in it.py:18); given back in it.py:15",
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (9, "9: budget Meter.misses begins"),
        (15, "15: budget Meter.misses is given back"),
        (18, "18: budget Meter.misses is held against its limit of 6"),
    ],
)
def test_each_place_of_a_budget_says_what_it_does(line: int, text: str) -> None:
    assert text in told(METER, line)


def test_the_line_of_a_budget_is_silent_elsewhere() -> None:
    assert not any("budget Meter" in one for one in told(METER, 14))


def test_a_counter_that_nothing_restores_says_so() -> None:
    lasting = METER.replace("                    self.misses = 0\n", "")
    assert any("(limit 6, tested in it.py:17); nothing gives it back" in one for one in told(lasting, 16))


def test_a_count_down_is_limited_by_what_it_begins_with() -> None:
    text = """
        def drain(queue):
            left = 7
            while True:
                try:
                    queue.take()
                except OSError:
                    left -= 1
                    if left == 0:
                        raise
    """
    assert "7: a failure uses up budget left (limit 7, tested in it.py:8); nothing gives it back" in told(text, 7)


SHARED = """
    class Patience:
        def __init__(self, most):
            self.most = most
            self.used = 0

        def charge(self):
            self.used += 1

        @property
        def over(self):
            return self.used >= self.most
"""

USER = """
    from patience import Patience


    def pump(feed, patience: Patience):
        while True:
            try:
                feed.poll()
            except OSError:
                patience.charge()
                if patience.over:
                    raise
"""


def test_a_budget_is_followed_over_modules() -> None:
    assert "10: budget Patience.used is held against its limit of self.most" in told(USER, 10, patience=SHARED)
    spent = told(SHARED, 7, user=USER.replace("patience import", "it import"))
    assert (
        "7: a failure uses up budget Patience.used (limit self.most, tested in it.py:11); nothing gives it back"
        in spent
    )


# budgets: turns, decorators, time


@pytest.mark.parametrize(("supply", "tries"), [("range(5)", 5), ("(1, 5, 30)", 3)])
def test_a_loop_hands_out_as_many_tries_as_it_has_turns(supply: str, tries: int) -> None:
    text = f"""
        import time


        def fetch(feed):
            for pause in {supply}:
                try:
                    return feed.poll()
                except OSError:
                    time.sleep(pause)
            raise RuntimeError("no feed")
    """
    said = (
        f"5: the loop hands out {tries} tries; a failure caught in line 8 uses one up, and only entering the loop anew"
    )
    assert f"{said} gives them back" in told(text, 5)


def test_a_loop_over_items_is_no_budget() -> None:
    text = """
        def send(letters):
            for letter in letters:
                try:
                    letter.send()
                except OSError:
                    print(letter)
    """
    assert not any("hands out" in one for one in told(text))


def test_a_decorator_hands_out_its_tries() -> None:
    text = """
        from tenacity import retry, stop_after_attempt


        @retry(stop=stop_after_attempt(4))
        def load(client):
            return client.read()
    """
    assert "5: the decorator hands out 4 tries; a failure uses one up, and each call begins anew" in told(text)


def test_a_decorator_without_a_limit_says_so() -> None:
    text = """
        import backoff


        @backoff.on_exception(backoff.expo, OSError)
        def load(client):
            return client.read()
    """
    assert "5: the decorator sets no limit to the number of tries" in told(text)


DEADLINE = """
    import time


    def follow(feed):
        begun = time.monotonic()
        while True:
            try:
                return feed.poll()
            except OSError:
                if time.monotonic() - begun > 90:
                    raise
                time.sleep(1)
"""


def test_a_deadline_tells_its_length_and_its_beginning() -> None:
    said = "10: the tries end once now is past the clock in line 5 + 1m30s; waiting uses the time up, and nothing"
    assert f"{said} gives it back" in told(DEADLINE, 10)


def test_a_deadline_that_is_set_anew_says_where() -> None:
    again = DEADLINE.replace(
        "                return feed.poll()\n",
        "                feed.poll()\n                begun = time.monotonic()\n",
    )
    assert "waiting uses the time up, and line 9 gives it back" in " ".join(told(again, 11))
