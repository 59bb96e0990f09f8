"""The README says what is so: its commands, its example, its tables and its snippets."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import tomli
import yaml

from anchorlint.cli import incidents
from anchorlint.cli.check import check
from anchorlint.cli.runs import import_
from anchorlint.engine.settings import Settings
from anchorlint.knowledge.cards import cards
from anchorlint.manifests.dialects.native_entry import KEYS
from anchorlint.manifests.recognise import candidates, formats

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
TEST_COMMAND = 'pip install -e ".[test]" && pytest'
DEMO_COMMAND = "pip install . && anchorlint demo"


# One schedule of each format in the README that can never fire: minute 61, or hour 25.
WRONG_SCHEDULES = {
    "schedules.toml": 'schedules = [{ id = "x", cron = "61 * * * *" }]\n',
    ".github/workflows/x.yml": 'on: {schedule: [{cron: "61 * * * *"}]}\njobs: {a: {steps: [{run: "true"}]}}\n',
    "cron.d/x": "61 * * * * root /bin/true\n",
    "crontab": "61 * * * * /bin/true\n",
    "x.timer": "[Timer]\nOnCalendar=*-*-* 25:00\n",
    "x.yaml": 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: x}\nspec: {schedule: "61 * * * *"}\n',
    "argo.yaml": 'kind: CronWorkflow\napiVersion: argoproj.io/v1alpha1\nspec: {schedule: "61 * * * *"}\n',
    "serverless.yml": "functions: {a: {handler: h.h, events: [{schedule: cron(61 0 * * ? *)}]}}\n",
    "sam.yaml": "Resources: {a: {Type: 'AWS::Events::Rule', Properties: {ScheduleExpression: cron(61 0 * * ? *)}}}\n",
    "prefect.yaml": 'deployments: [{name: a, entrypoint: "f.py:f", schedules: [{cron: "61 * * * *"}]}]\n',
    "jobs.sql": "SELECT cron.schedule('x', '61 * * * *', 'VACUUM');\n",
    "vercel.json": '{"crons": [{"path": "/x", "schedule": "61 * * * *"}]}\n',
    "wrangler.toml": '[triggers]\ncrons = ["61 * * * *"]\n',
    "beat.py": "from celery import Celery\nfrom celery.schedules import crontab\napp = Celery()\n"
    'app.conf.beat_schedule = {"x": {"task": "t", "schedule": crontab(minute=61)}}\n',
    "dag.py": 'from airflow import DAG\nwith DAG("x", schedule="61 * * * *") as dag:\n    pass\n',
    "jobs.py": "from apscheduler.schedulers.background import BackgroundScheduler\n"
    'BackgroundScheduler().add_job(print, "cron", minute=61, id="x")\n',
    "defs.py": "from dagster import ScheduleDefinition\n"
    'x = ScheduleDefinition(job_name="x", cron_schedule="61 * * * *")\n',
}


def settle(name: str, wanted: str, bless: bool) -> None:
    """Compare the part of the README between `<!-- name -->` and `<!-- /name -->`, or rewrite it."""
    text = README.read_text(encoding="utf-8")
    head, opening, rest = text.partition(f"<!-- {name} -->\n")
    found, closing, tail = rest.partition(f"<!-- /{name} -->\n")
    assert opening and closing, f"no block {name}"
    if bless:
        README.write_text(f"{head}{opening}{wanted}{closing}{tail}", encoding="utf-8")
    else:
        assert found == wanted, f"the block {name} is stale: pytest --bless tests/test_readme.py rewrites it"


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def test_the_rule_table_is_that_of_the_cards(bless: bool) -> None:
    rows = [
        f"| [{card.code}](rules/{card.code}-{card.name}.md) | {card.name} | {card.severity} | {card.status} |"
        f" {card.summary.rstrip('.')} |"
        for card in cards().values()
    ]
    head = ["| code | name | severity | status | what is reported |", "| --- | --- | --- | --- | --- |"]
    settle("rules", "".join(f"{line}\n" for line in (*head, *rows)), bless)


def test_the_two_commands_are_there_and_ci_runs_the_very_one() -> None:
    assert f"```sh\n{DEMO_COMMAND}\n```" in TEXT
    assert f"```sh\n{TEST_COMMAND}\n```" in TEXT
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith(f"\n{TEST_COMMAND}")


def test_the_example_is_a_real_run(bless: bool) -> None:
    arguments = ["check", "--select", "ANC101"]
    command = [sys.executable, "-m", "anchorlint", *arguments]
    with incidents.analysed(incidents.rules_directory() / "demo" / "1-two-clocks" / "bad"):
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 1, done.stderr
    settle("example", f"```console\n$ anchorlint {' '.join(arguments)}\n{done.stdout.rstrip()}\n```\n", bless)


def test_the_place_that_is_explained_is_a_gate() -> None:
    (place,) = re.findall(r"`anchorlint explain (\S+)`", TEXT)
    with incidents.analysed(incidents.rules_directory() / "demo" / "1-two-clocks" / "bad"):
        done = subprocess.run([sys.executable, "-m", "anchorlint", "explain", place], capture_output=True, text=True)
    assert "claim.deadline + 7d" in done.stdout, done.stdout + done.stderr


def test_every_option_that_is_named_exists() -> None:
    parameters = [*check.params, *import_.params]
    known = {name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)}
    named = set(re.findall(r"(?<=[\s`])--[a-z][a-z-]+", TEXT)) - {"--help", "--json"}
    assert named
    assert named <= known


def test_the_manifest_keys_are_those_that_are_read() -> None:
    section = TEXT.partition("\n## Schedules and recorded runs\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(KEYS)


def test_every_format_that_is_named_is_read(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in WRONG_SCHEDULES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "anchorlint", "check", "--select", "SCH416", "--output-format", "json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert {finding["path"] for finding in json.loads(done.stdout)["findings"]} == set(WRONG_SCHEDULES)


def test_every_format_that_is_read_is_named() -> None:
    # GitLab keeps its crons in the settings of a project, so no file of it can be wrong in this way.
    known = {row.name for name, text in WRONG_SCHEDULES.items() for row in candidates(name, text)}
    assert known | {"gitlab"} == {row.name for row in formats()}
    assert "| GitLab CI | `.gitlab-ci.yml`" in TEXT


def test_the_settings_are_those_that_are_read() -> None:
    written = tomli.loads(next(text for text in fences("toml") if "[tool.anchorlint]" in text))
    assert set(written["tool"]["anchorlint"]) == {name.replace("_", "-") for name in Settings.__struct_fields__}


@pytest.mark.parametrize("text", fences("toml"))
def test_toml_snippets_are_toml(text: str) -> None:
    assert tomli.loads(text)


@pytest.mark.parametrize("text", fences("yaml"))
def test_yaml_snippets_are_yaml(text: str) -> None:
    assert yaml.safe_load(text)


def test_the_manifest_of_the_readme_is_without_fault(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    text = next(text for text in fences("toml") if "[[schedules]]" in text)
    (tmp_path / "schedules.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "anchorlint", "check", "--select", "ALL", "--as-of", "2026-11-30"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_of_the_readme_exists() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    snippet = next(text for text in fences("yaml") if "hooks:" in text)
    assert {h["id"] for repo in yaml.safe_load(snippet)["repos"] for h in repo["hooks"]} <= {h["id"] for h in hooks}
