"""The tables of rules/models/: read, merged with a user's, found by name; an error in one is said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchorlint.documents.toml import read
from anchorlint.knowledge.invalid import InvalidModel, placed
from anchorlint.knowledge.models import models, own, read_file
from anchorlint.knowledge.words import words


def test_a_clock_is_found_by_its_dotted_name() -> None:
    clock = models().clock("time.time_ns")
    assert clock is not None
    assert (clock.clock, clock.per_second, clock.kind) == ("wall", 1e9, "num")


def test_a_clock_of_an_untyped_receiver_needs_a_telling_name() -> None:
    clock = models().clock("*.time", "self.loop")
    assert clock is not None and clock.clock == "loop"
    assert models().clock("*.time", "row") is None


def test_another_path_to_a_class_is_the_same_class() -> None:
    names = ("redis.Redis.get", "redis.client.StrictRedis.get", "redis.asyncio.client.Redis.get")
    found = [models().store_read(name) for name in names]
    assert all(one is not None and one[0].name == "Redis" and one[1].miss == ("none",) for one in found)


def test_a_users_table_comes_before_ours() -> None:
    mine = models(
        {
            "clock": [{"calls": ["time.time"], "clock": "mono"}],
            "store": [{"name": "Shelf", "reads": [{"calls": ["shelf.look"]}]}],
        }
    )
    assert mine.clock("time.time").clock == "mono"  # type: ignore[union-attr]
    assert mine.store_read("shelf.look")[0].name == "Shelf"  # type: ignore[index]
    assert models().clock("time.time").clock == "wall"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[[clock]]\ncalls = ["a.b"]\nclok = "wall"\n', 3, "no such key"),
        ('[[clock]]\ncalls = ["a.b"]\n\n[[clock]]\ncalls = "a.c"\n', 5, "expected array, got str"),
        ('[[retry.call]]\ncalls = ["a"]\nattempts = { at = "x" }\n', 3, "expected int | null, got str"),
        ("[[clock]]\n", 1, "missing required field"),
        ("[[clock]\n", 1, ""),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_place(tmp_path: Path, text: str, line: int, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidModel) as raised:
        read_file(file)
    assert str(raised.value).startswith(f"mine.toml:{line}:")
    assert said in str(raised.value)


def test_a_users_error_carries_the_way_to_it() -> None:
    with pytest.raises(InvalidModel) as raised:
        models({"store": [{"name": "a"}, {"name": "b", "life": {"default_s": "1d"}}]})
    assert raised.value.keys == ("store", 1, "life", "default_s")
    document = read('[[store]]\nname = "a"\n[[store]]\nname = "b"\nlife = { default_s = "1d" }\n', "x.toml")
    assert placed(document, raised.value.keys).start.line == 5


def test_an_exception_is_known_by_its_family() -> None:
    families = models().families
    assert families.is_subclass("redis.ConnectionError", "redis.exceptions.RedisError")
    assert families.is_subclass("ConnectionResetError", "OSError")
    assert not families.is_subclass("redis.exceptions.RedisError", "redis.ConnectionError")
    assert models().meaning("redis.exceptions.WatchError") == ("conflict",)


def test_every_table_says_where_it_was_read_or_stands_under_one_that_does() -> None:
    for tables in own():
        for name in ("stores", "gates", "handles", "brokers"):
            assert all(model.source for model in getattr(tables, name)), name


@pytest.mark.parametrize(
    ("vocabulary", "name", "positive"),
    [
        ("instant", "entry_deadline", True),
        ("instant", "lastSeenAt", True),
        ("instant", "flat", False),
        ("renewed", "ticket_opened_at", False),
        ("renewed", "NEXT_TRY", True),
        ("now", "now_ms", True),
        ("now", "known", False),
        ("attempt", "MAX_ATTEMPTS", True),
    ],
)
def test_words_end_at_word_boundaries(vocabulary: str, name: str, positive: bool) -> None:
    assert (name in words()[vocabulary]) is positive


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("timeout_ms", "ms"),
        ("retentionDays", "d"),
        ("calls_per_minutes", None),
        ("wait_s", "s"),
        ("DAYS", None),
        ("last_update_m", None),
    ],
)
def test_a_name_declares_its_unit_at_its_end(name: str, unit: str | None) -> None:
    assert words().unit(name) == unit


def test_a_user_adds_and_takes_out_words() -> None:
    mine = words({"instant": {"stamp": 3, "due": 0}})
    assert "stamp" in mine["instant"] and "due" not in mine["instant"]
    assert "due" in words()["instant"]


@pytest.mark.parametrize(
    "user", [{"instants": {}}, {"instant": {"x": "3"}}, {"unit": {"tick": "ticks"}}, {"instant": {"_": 1}}]
)
def test_a_wrong_vocabulary_is_an_error(user: dict[str, dict[str, object]]) -> None:
    with pytest.raises(InvalidModel) as raised:
        words(user)
    assert raised.value.keys
