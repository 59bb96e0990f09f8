"""Any bytes in: a report comes out, in every format, with each finding at a place that its file has."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.settings import Said
from anchorlint.knowledge.cards import cards
from anchorlint.report import concise, full, github, gitlab, json, junit, sarif
from harness import AS_OF, misplaced, name_of, unmarked, within

SUFFIXES = {"python": ".py", "toml": ".toml", "yaml": ".yaml", "json": ".json", "csv": ".csv"}
PROJECTS = [
    project
    for card in cards().values()
    for title in ("Bad", "Good")
    if title in card.sections
    for project in card.sections[title].projects
    if all(fence.language in SUFFIXES for fence in project.fences)
]
SPLINTERS = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [b"# anchorlint: ignore[", b"anchorlint: file-ignore[ANC101]\n", b"\xef\xbb\xbf", "é😀\u2028".encode(), b"\r",
         b"\x00", b"'''", b"{{", b"(" * 300, b"- " * 300, b"\t", b"\\\n", b"&a [*a]", b": |\n"]
    ),
)  # fmt: skip
CUTS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 30), SPLINTERS), max_size=5)
FORMATS = (full, concise, json, sarif, github, gitlab, junit)


def mangled(data: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    """`data` with some stretches replaced by splinters."""
    for at, length, splinter in cuts:
        at %= len(data) + 1
        data = data[:at] + splinter + data[at + length :]
    return data


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PROJECTS), st.lists(CUTS, min_size=6, max_size=6))
def test_a_report_comes_out(project: object, cuts: list[list[tuple[int, int, bytes]]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for fence, own in zip(project.fences, cuts, strict=False):  # type: ignore[attr-defined]
            file = folder / name_of(fence)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(mangled(unmarked("", fence.text)[0].encode(), own))
        with within(folder):
            request = Request(said=Said(select=("ALL",)), as_of=AS_OF, jobs=1)
            cold, warm = run(request), run(request)
            texts = [form.render(cold) for form in FORMATS]
            assert texts == [form.render(warm) for form in FORMATS]
        assert not misplaced(cold)
        assert not [problem for problem in cold.problems if "internal error" in problem.message]
