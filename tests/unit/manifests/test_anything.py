"""Any manifest and any runs: no rule fails, every message is one, every place lies in the text."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.manifests.dialects.native_entry import KEYS
from house.test_messages import complaints
from unit.manifests.timetables import csv, daily, found, timetable

IDS = st.sampled_from(["a", "b", "c", "d", "", "ä\nb", "x" * 150])
CRONS = st.sampled_from(
    ["0 5 * * *", "*/5 * * * *", "30 2 * * 0", "0 0 31 2 *", "x", "* * * * *", "@daily", "0 0 1 1 *"]
)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/Santiago", "Nowhere", "Pacific/Apia", "Antarctica/Troll"])
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text("abc ä\n\t0:'", max_size=9),
    st.lists(IDS, max_size=2),
    st.dictionaries(st.text("ab", max_size=3), st.integers(), max_size=2),
)
LIKELY = {
    "id": IDS,
    "workflow": st.sampled_from(["w", "v"]),
    "cron": CRONS,
    "every": st.sampled_from(["5m", "1h", "3d", "0s", "5", "9999999w"]),
    "timezone": ZONES,
    "enabled": st.booleans(),
    "after_schedule_id": IDS,
    "after_schedule_ids": st.lists(IDS, max_size=3),
    "after_terminal_status": st.sampled_from(["completed", "any_terminal", "success"]),
    "after_delay_minutes": st.sampled_from([0, 5, -5, 10**9, 1e308]),
    "dependency_deadline": st.sampled_from(["17:30", "00:00", "24:00", "23:59 Asia/Tokyo", "5pm", "12:00 Nowhere"]),
    "on_busy": st.sampled_from(["skip", "queue", "fail", "x"]),
    "entrypoint": st.sampled_from(["a.b:c", "a.b"]),
}
ENTRIES = st.fixed_dictionaries({}, optional={key: st.one_of(*[LIKELY[key]] * 5, ODD) for key in KEYS} | {"other": ODD})
LENGTHS = st.lists(st.sampled_from([1, 4, 20, 61, 600, 3000]), min_size=0, max_size=24)


@settings(deadline=None, max_examples=150)
@given(st.lists(ENTRIES | ODD, max_size=6), st.dictionaries(IDS, LENGTHS, max_size=4), st.booleans())
def test_no_rule_fails(entries: list[object], lengths: dict[str, list[float]], indented: bool) -> None:
    text = json.dumps({"version": 1, "schedules": entries}, indent=2 if indented else None, ensure_ascii=False)
    runs = csv([run for id_, minutes in lengths.items() if id_ for run in daily(id_, minutes)])
    lines = text.split("\n")
    for finding in found(timetable({"schedules.json": text}, runs)):
        for span, message in ((finding.span, finding.message), *((note.span, note.message) for note in finding.notes)):
            assert not complaints(message), message
            assert span.start < span.end or span.path != "schedules.json"
            assert span.end.column <= len(lines[span.end.line - 1]) + 1
        assert finding.help is None or "\n" not in finding.help
