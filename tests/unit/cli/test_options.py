"""No option is accepted and ignored: each changes the output or the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import Result

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]

MANIFEST = """\
[[schedules]]
id = "close"
workflow = "books"
cron = "0 15 * * *"

[[schedules]]
id = "pulse"
workflow = "books"
after_schedule_ids = ["pulse"]
dependency_deadline = "17:30"

[[schedules]]
id = "early"
workflow = "early"
cron = "30 2 * * *"
timezone = "America/New_York"

[[schedules]]
id = "late"
workflow = "late"
after_schedule_ids = ["early"]
"""
COMMENTED = MANIFEST.replace('["early"]\n', '["early"] # anchorlint: ignore[SCH413] it is short\n')
RUNS = "schedule_id,scheduled_for,started_at,finished_at,status\n" + "".join(
    f"close,2026-11-{day:02}T15:00:00Z,2026-11-{day:02}T15:00:00Z,2026-11-{day + 1:02}T16:00:00Z,completed\n"
    for day in range(1, 26)
)
ERROR, NOTE, PREVIEW = "SCH404", "SCH413", "SCH415"


@pytest.fixture
def check(project: Project, anchorlint: Anchorlint) -> Anchorlint:
    project({"schedules.toml": MANIFEST, "a.py": "x = 1\n"})

    def call(*arguments: str, given: str | bytes | None = None) -> Result:
        return anchorlint("check", "--as-of", "2026-11-30", "--no-cache", *arguments, given=given)

    return call


def codes(result: Result) -> list[str]:
    """The codes in a concise or JSON report."""
    if result.stdout.startswith("{"):
        return [finding["code"] for finding in json.loads(result.stdout)["findings"]]
    return [line.split()[1] for line in result.stdout.splitlines()]


def test_without_options(check: Anchorlint) -> None:
    result = check("--output-format", "concise")
    assert (codes(result), result.exit_code) == ([ERROR, NOTE], 1)
    assert result.stderr.startswith("1 error, 1 note in 2 files and 4 schedules")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--select", "ALL"], [ERROR, PREVIEW, NOTE]),
        (["--select", f"{NOTE},{PREVIEW}"], [PREVIEW, NOTE]),
        (["--select", NOTE, "--select", "dst-hazard"], [PREVIEW, NOTE]),
        (["--select", "SCH40"], [ERROR]),
        (["--extend-select", PREVIEW], [ERROR, PREVIEW, NOTE]),
        (["--ignore", "SCH40"], [NOTE]),
        (["--preview"], [ERROR, PREVIEW, NOTE]),
        (["--per-file-ignores", f"*.toml:{ERROR}"], [NOTE]),
        (["--per-file-ignores", f"*.py:{ERROR}"], [ERROR, NOTE]),
        (["--exclude", "schedules.toml"], []),
        (["--extend-exclude", "*.toml"], []),
        (["--config", f"ignore = ['{NOTE}']"], [ERROR]),
        (["a.py"], []),
        (["schedules.toml", "--exclude", "*.toml"], [ERROR, NOTE]),
        (["schedules.toml", "--exclude", "*.toml", "--force-exclude"], []),
    ],
    ids=lambda value: " ".join(value),
)
def test_what_is_found(check: Anchorlint, arguments: list[str], found: list[str]) -> None:
    result = check("--output-format", "concise", *arguments)
    assert codes(result) == found
    assert result.exit_code == (1 if {ERROR, PREVIEW} & set(found) else 0)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--fail-on", "never"], 0),
        (["--exit-zero"], 0),
        (["--fail-on", "error"], 1),
        (["--fail-on", "error", "--select", f"{PREVIEW},{NOTE}"], 0),
        (["--fail-on", "warning", "--select", NOTE], 0),
        (["--fail-on", "note", "--select", NOTE], 1),
        (["--exit-zero", "missing.py"], 2),
        (["--fail-on", "never", "missing.py"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_exit_codes(check: Anchorlint, arguments: list[str], code: int) -> None:
    assert check(*arguments).exit_code == code


def test_baseline(check: Anchorlint, anchorlint: Anchorlint) -> None:
    assert anchorlint("baseline", "-o", "known.json").exit_code == 0
    assert codes(check("--output-format", "concise", "--baseline", "known.json")) == []


def test_jobs(check: Anchorlint, monkeypatch: pytest.MonkeyPatch) -> None:
    from anchorlint.engine import workers

    started: list[int] = []
    pool = workers._pool

    def counted(jobs: int) -> object:
        started.append(jobs)
        return pool(jobs)

    monkeypatch.setattr(workers, "WORTH_BYTES", 1)
    monkeypatch.setattr(workers, "_pool", counted)
    assert check("--jobs", "2").stdout == check("--jobs", "1").stdout
    assert started == [2]
    assert check("--jobs", "0").exit_code == 2


def test_isolated(check: Anchorlint) -> None:
    Path("anchorlint.toml").write_text("ignore = ['SCH']\n")
    assert codes(check("--output-format", "concise")) == []
    assert codes(check("--output-format", "concise", "--isolated")) == [ERROR, NOTE]


def test_config_file(check: Anchorlint) -> None:
    Path("other.toml").write_text("[tool.anchorlint]\nignore = ['SCH404']\n")
    assert codes(check("--output-format", "concise", "--config", "other.toml")) == [NOTE]


def test_respect_gitignore(check: Anchorlint) -> None:
    Path(".gitignore").write_text("schedules.toml\n")
    assert codes(check("--output-format", "concise")) == []
    assert codes(check("--output-format", "concise", "--no-respect-gitignore")) == [ERROR, NOTE]
    Path("anchorlint.toml").write_text("respect-gitignore = false\n")
    assert codes(check("--output-format", "concise", "--respect-gitignore")) == []


def test_runs(check: Anchorlint) -> None:
    Path("history.csv").write_text(RUNS)
    assert "SCH402" in codes(check("--output-format", "concise", "--runs", "history.csv"))


def test_as_of(check: Anchorlint) -> None:
    arguments = ("--output-format", "concise", "--select", PREVIEW)
    assert "2027-03-14" in check(*arguments).stdout
    assert "2030-03-10" in check(*arguments, "--as-of", "2029-11-30T12:00:00+01:00").stdout


def test_min_confidence(check: Anchorlint, monkeypatch: pytest.MonkeyPatch) -> None:
    from anchorlint.checks import sch413_missing_deadline as module
    from anchorlint.domain.finding import Confidence, Finding
    from anchorlint.domain.span import Span

    def unsure(_: object) -> list[Finding]:
        place = Span.of("schedules.toml", 1, 1, 1, 2)
        return [Finding(code=NOTE, message=level.value, span=place, confidence=level) for level in Confidence]

    monkeypatch.setattr(module, "check", unsure)
    counts = {
        level: len(codes(check("--output-format", "concise", "--select", NOTE, "--min-confidence", level)))
        for level in ("low", "medium", "high")
    }
    assert counts == {"low": 3, "medium": 2, "high": 1}
    assert len(codes(check("--output-format", "concise", "--select", NOTE))) == 2


def test_stdin_is_python_unless_it_is_named(check: Anchorlint) -> None:
    result = check("--output-format", "concise", "-", given="def f(:\n")
    assert result.stdout.startswith("stdin.py:1:")
    named = check("--output-format", "concise", "--stdin-filename", "deep/schedules.toml", "-", given=MANIFEST)
    assert {line.split(":")[0] for line in named.stdout.splitlines()} == {"deep/schedules.toml"}
    assert codes(named) == [ERROR, NOTE]


def test_stdin_of_any_bytes(check: Anchorlint) -> None:
    result = check("--output-format", "concise", "-", given=b"x = '\xff\x00'\n")
    assert codes(result) == ["ANL003"]
    assert result.exit_code == 2


def test_output_file(check: Anchorlint) -> None:
    shown = check("--output-format", "json")
    result = check("--output-format", "json", "--output-file", "report.json")
    assert result.stdout == ""
    assert Path("report.json").read_text() == shown.stdout
    assert result.exit_code == 1
    assert check("-o", "no/such/folder.txt").exit_code == 2


FORMATS = {
    "full": "error[SCH404]: ",
    "concise": "schedules.toml:9:23: SCH404 ",
    "json": '{\n "version": 1,',
    "json-lines": '{"code":"SCH404",',
    "sarif": '{\n "$schema": ',
    "github": "::error file=schedules.toml,line=9,",
    "gitlab": '[\n {\n  "description": ',
    "junit": "<?xml version=",
}


@pytest.mark.parametrize(("form", "start"), FORMATS.items(), ids=FORMATS)
def test_output_format(check: Anchorlint, form: str, start: str) -> None:
    assert check("--output-format", form).stdout.startswith(start)


def test_statistics(check: Anchorlint) -> None:
    result = check("--statistics")
    assert result.stdout == "     1  SCH404  self-dependency\n     1  SCH413  missing-deadline\n"
    assert result.exit_code == 1
    assert check("--statistics", "--output-format", "json").exit_code == 2


def test_show_files(check: Anchorlint) -> None:
    result = check("--show-files")
    assert result.stdout == "a.py\nschedules.toml\n"
    assert result.exit_code == 0
    assert check("--show-files", "missing.py").exit_code == 2


def test_show_settings(check: Anchorlint) -> None:
    Path("anchorlint.toml").write_text("fail-on = 'note'\n")
    result = check("--show-settings", "--preview")
    assert "# anchorlint.toml\n" in result.stdout
    assert 'fail-on = "note"\n' in result.stdout
    assert "preview = true\n" in result.stdout


def test_quiet_and_verbose(check: Anchorlint) -> None:
    assert check("-q").stderr == ""
    assert check("--quiet").stdout == check().stdout
    assert "no recorded runs of close" in check("--verbose").stderr
    assert "no recorded runs of close" not in check().stderr


def test_color(check: Anchorlint, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in check("--color", "always").stdout
    assert "\x1b[" not in check().stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in check().stdout
    assert "\x1b[" not in check("--color", "never").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in check().stdout


def test_cache_options(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"a.py": "x = 1\n"})
    assert anchorlint("check", "-n").exit_code == 0
    assert not (folder / ".anchorlint_cache").exists()
    anchorlint("check", "--cache-dir", "kept")
    assert (folder / "kept").is_dir()
    anchorlint("clean", "--cache-dir", "kept")
    assert not (folder / "kept").exists()
    anchorlint("check")
    assert (folder / ".anchorlint_cache").is_dir()
    anchorlint("clean")
    assert not (folder / ".anchorlint_cache").exists()


def test_environment(project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project({"a.py": "x = 1\n"})
    monkeypatch.setenv("ANCHORLINT_OUTPUT_FORMAT", "json")
    monkeypatch.setenv("ANCHORLINT_CACHE_DIR", "kept")
    assert anchorlint("check").stdout.startswith("{")
    assert (folder / "kept").is_dir()
    monkeypatch.delenv("ANCHORLINT_CACHE_DIR")
    monkeypatch.setenv("ANCHORLINT_NO_CACHE", "1")
    anchorlint("check")
    assert not (folder / ".anchorlint_cache").exists()


def test_suppressed_findings_are_counted(project: Project, anchorlint: Anchorlint) -> None:
    project({"schedules.toml": COMMENTED})
    result = anchorlint("check", "--output-format", "json", "--isolated")
    assert json.loads(result.stdout)["summary"]["suppressed"] == 1
    assert codes(result) == [ERROR]


def test_every_option_is_tested(anchorlint: Anchorlint) -> None:
    text = "".join(Path(__file__).with_name(name).read_text() for name in ("test_options.py", "test_mending.py"))
    shown = [
        word.strip(",/") for line in anchorlint("check", "--help").stdout.splitlines() for word in line.split()[:4]
    ]
    options = {word for word in shown if word.startswith("--")} - {"--help"}
    assert len(options) > 25
    assert {option for option in options if f'"{option}"' not in text} <= {"--no-preview", "--no-force-exclude"}


def test_options_that_are_off_overrule_the_configuration(check: Anchorlint) -> None:
    Path("anchorlint.toml").write_text("preview = true\nforce-exclude = true\nexclude = ['*.toml']\n")
    on = check("--output-format", "concise", "schedules.toml")
    assert codes(on) == []
    off = check("--output-format", "concise", "schedules.toml", "--no-preview", "--no-force-exclude")
    assert codes(off) == [ERROR, NOTE]


def test_a_process_of_its_own_says_the_same(check: Anchorlint) -> None:
    command = [sys.executable, "-m", "anchorlint", "check", "--isolated", "--no-cache", "--as-of", "2026-11-30", "."]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == check("--isolated").stdout
    assert done.returncode == 1


def test_what_hit_a_bound_is_counted_and_named_cold_and_warm(
    project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anchorlint.checks import anc101_mixed_anchor_retry as module

    def spent(program: object) -> list[object]:
        program.engine.spent.add("a.py:1 deep")  # type: ignore[attr-defined]
        return []

    monkeypatch.setattr(module, "check", spent)
    project({"a.py": "x = 1\n"})
    for _ in range(2):
        assert "a.py:1 deep: looked into only in part" in anchorlint("check", "-v", "--select", "ANC101").stderr
        counted = anchorlint("check", "--statistics", "--select", "ANC101").stdout
        assert counted == "     1  looked into only in part (-v names them)\n"
