"""The other commands, and what starting up costs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result

from anchorlint import __version__
from anchorlint.engine.settings import Settings
from anchorlint.knowledge.cards import cards
from anchorlint.manifests.dialects.native import TOP_KEYS
from anchorlint.manifests.dialects.native_entry import KEYS

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]

HEAVY = {"libcst", "networkx", "pygls", "lsprotocol", "yaml", "rich", "pathspec", "sqlite3", "asyncio"}


def imported(*arguments: str) -> set[str]:
    """The top-level names of the modules that a run of the command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "anchorlint", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode < 2, done.stderr
    names = (line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("arguments", [("version",), ("--version",), ("--help",), ("check", "--help")], ids=" ".join)
def test_starting_up_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert "click" in imported(*arguments)
    assert not imported(*arguments) & (HEAVY | {"tomli"} if "--help" not in arguments else HEAVY)


def test_checking_python_imports_no_more_than_it_needs(project: Project) -> None:
    project({"a.py": "x = 1\n"})
    imported("check")
    warm = imported("check", "--output-format", "concise")
    assert "sqlite3" in warm
    assert not warm & {"libcst", "networkx", "pygls", "lsprotocol", "yaml", "rich", "pathspec"}


def test_version(anchorlint: Anchorlint) -> None:
    assert anchorlint("version").stdout == f"anchorlint {__version__}\n"
    assert anchorlint("--version").stdout == f"anchorlint {__version__}\n"


def test_rule_shows_the_card_by_code_and_by_name(anchorlint: Anchorlint) -> None:
    card = cards()["SCH404"]
    assert anchorlint("rule", "SCH404").stdout == card.text
    assert anchorlint("rule", "self-dependency").stdout == card.text
    shown = json.loads(anchorlint("rule", "SCH404", "--output-format", "json").stdout)
    assert (shown["code"], shown["name"], shown["severity"], shown["text"]) == (
        card.code,
        card.name,
        "error",
        card.text,
    )


def test_rule_lists_all(anchorlint: Anchorlint) -> None:
    lines = anchorlint("rule", "--all").stdout.splitlines()
    assert [line.split()[:3] for line in lines] == [[c.code, c.name, c.severity] for c in cards().values()]
    assert any(line.endswith(" (preview)") for line in lines)
    shown = json.loads(anchorlint("rule", "--all", "--output-format", "json").stdout)
    assert [card["code"] for card in shown] == list(cards())


@pytest.mark.parametrize("arguments", [(), ("SCH404", "--all"), ("self-dependancy",)])
def test_rule_refuses(arguments: tuple[str, ...], anchorlint: Anchorlint) -> None:
    result = anchorlint("rule", *arguments)
    assert result.exit_code == 2
    assert "self-dependency" in result.stderr or "name one rule" in result.stderr


def test_the_schema_of_the_configuration_accepts_and_refuses(anchorlint: Anchorlint) -> None:
    schema = json.loads(anchorlint("schema", "config").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"select": ["ALL"], "fail-on": "note", "per-file-ignores": {"a": ["b"]}}, schema)
    assert set(schema["$defs"]["Settings"]["properties"]) == {f.replace("_", "-") for f in Settings.__struct_fields__}
    for wrong in ({"selct": []}, {"fail-on": "warn"}, {"runs-window": 0}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def manifests() -> list[object]:
    """The native manifests of the cards, as plain values, with whether they are without fault."""
    found = []
    for card in cards().values():
        for title in ("Good", "Not reported"):
            for project in card.sections[title].projects if title in card.sections else ():
                for fence in project.fences:
                    name = fence.title or "schedules.toml"
                    if card.code.startswith("SCH") and name.endswith("schedules.toml") and fence.language == "toml":
                        plain = json.loads(json.dumps(tomllib.loads(fence.text), default=str))
                        found.append(pytest.param(plain, id=f"{card.code}-{title}-{len(found)}"))
    return found


@pytest.mark.parametrize("manifest", manifests())
def test_the_schema_of_manifests_accepts_what_is_good(manifest: object, anchorlint: Anchorlint) -> None:
    jsonschema.validate(manifest, json.loads(anchorlint("schema", "manifest").stdout))


@pytest.mark.parametrize(
    "entry",
    [{}, {"id": ""}, {"id": 1}, {"id": "a", "corn": "* * * * *"}, {"id": "a", "on_busy": "wait"},
     {"id": "a", "after_schedule_ids": []}, {"id": "a", "after_delay_minutes": -1}],
    ids=str,
)  # fmt: skip
def test_the_schema_of_manifests_refuses(entry: object, anchorlint: Anchorlint) -> None:
    schema = json.loads(anchorlint("schema", "manifest").stdout)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schedules": [entry]}, schema)


def test_the_schema_of_manifests_has_the_keys_that_are_read(anchorlint: Anchorlint) -> None:
    schema = json.loads(anchorlint("schema", "manifest").stdout)
    assert set(schema["$defs"]["Entry"]["properties"]) == set(KEYS)
    assert set(schema["$defs"]["Manifest"]["properties"]) == set(TOP_KEYS)


def test_the_schema_of_the_output_fits(project: Project, anchorlint: Anchorlint) -> None:
    project({"a.py": "def f(:\n"})
    schema = json.loads(anchorlint("schema", "output").stdout)
    jsonschema.validate(json.loads(anchorlint("check", "--output-format", "json").stdout), schema)


def test_explain(project: Project, anchorlint: Anchorlint) -> None:
    project({"a.py": "import time\n\n\ndef late(row):\n    return time.time() > row.deadline\n"})
    assert "row.deadline" in anchorlint("explain", "a.py").stdout
    assert "row.deadline" in anchorlint("explain", "a.py:5").stdout
    assert "row.deadline" not in anchorlint("explain", "a.py:1").stdout


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("no.py", "no.py: no such file"),
        ("a.py:99", "a.py has no line 99"),
        ("bad.py", "bad.py:1:7: invalid syntax"),
        ("schedules.toml", "a schedule manifest"),
        ("notes.txt", "no Python"),
    ],
)
def test_explain_refuses(place: str, words: str, project: Project, anchorlint: Anchorlint) -> None:
    project({"a.py": "x = 1\n", "bad.py": "def f(: pass\n", "schedules.toml": "", "notes.txt": ""})
    result = anchorlint("explain", place)
    assert result.exit_code == 2
    assert words in result.stderr


def test_clean_removes_its_own_files_only(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"a.py": "", "kept/mine.txt": "text"})
    assert "no cache" in anchorlint("clean").stderr
    anchorlint("check", "--cache-dir", "kept")
    assert anchorlint("clean", "--cache-dir", "kept").exit_code == 0
    assert [file.name for file in (folder / "kept").iterdir()] == ["mine.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_a_reader_that_goes_away_changes_nothing(project: Project) -> None:
    project({f"{number}.py": "def f(:\n" * 50 for number in range(400)})
    command = f"{sys.executable} -m anchorlint check --no-cache -q | head -1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_an_interrupt_ends_a_run_with_a_word(project: Project) -> None:
    project({"a.py": "x = 1\n"})
    run = subprocess.Popen(
        [sys.executable, "-m", "anchorlint", "check", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # a shell's background job ignores interrupts, and so would its children
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    time.sleep(3)  # by now it waits for a text that never comes
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=120)
    assert (run.returncode, told.decode()) == (130, "interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
@pytest.mark.parametrize("patience_s", [0.0, 60.0])
def test_progress_is_shown_on_a_terminal_after_a_while(project: Project, patience_s: float) -> None:
    import pty

    project({f"{number}.py": "x = [1, 2, 3]\n" * 500 for number in range(40)})
    code = f"import anchorlint.cli.progress as p; p.PATIENCE_S = {patience_s}; from anchorlint.main import main; main()"
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    done = subprocess.Popen(
        [sys.executable, "-c", code, "check", "--no-cache"], stdout=subprocess.PIPE, stderr=theirs, env=environment
    )
    os.close(theirs)
    told = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        told += part
    os.close(ours)
    assert done.wait(timeout=60) == 0
    assert (b"reading" in told) == (patience_s == 0)
    assert b"no findings in 40 files" in told


def test_progress_is_never_shown_when_piped(project: Project) -> None:
    project({"a.py": "x = 1\n"})
    code = "import anchorlint.cli.progress as p; p.PATIENCE_S = 0; from anchorlint.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "check"], capture_output=True, text=True)
    assert done.stderr == "no findings in 1 file\n"
