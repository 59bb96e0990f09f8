"""Cloudflare, Vercel, AWS, Prefect and pg_cron."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchorlint.domain.schedule import Busy, Dialect, Schedule
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.manifests import recognise
from unit.manifests.timetables import AS_OF, found, marks, timetable


def schedules(path: str, text: str) -> list[Schedule]:
    return list(timetable({path: text}).schedules)


def expressions(path: str, text: str) -> list[tuple[str, str]]:
    return [(each.id, each.firing.expression) for each in schedules(path, text) if each.firing]


def test_wrangler_in_each_of_its_forms() -> None:
    toml = (
        'name = "wash"\n[triggers]\ncrons = ["1 2 * * *", "1 3 * * 0"]\n[env.east.triggers]\ncrons = ["1 4 * * MON"]\n'
    )
    assert expressions("wrangler.toml", toml) == [
        ('wash "1 2 * * *"', "1 2 * * *"),
        ('wash "1 3 * * 0"', "1 3 * * 0"),
        ("wash-east", "1 4 * * MON"),
    ]
    assert marks(timetable({"wrangler.toml": toml})) == [(3, "SCH416")]
    jsonc = '{ // cold\n "name": "wash", "triggers": {"crons": ["59 23 LW * *",]},\n}'
    assert expressions("worker/wrangler.jsonc", jsonc) == [("wash", "59 23 LW * *")]
    assert not schedules("wrangler.toml", 'name = "x"\n# crons\n')


def test_vercel() -> None:
    text = '{"crons": [{"path": "/wash?cold=1", "schedule": "0 5 * * *"}, {"path": "/wash", "schedule": "0 5 1 * 1"}]}'
    first, second = schedules("vercel.json", text)
    assert first.workflow == second.workflow and (first.id, second.id) == ("/wash?cold=1", "/wash")
    assert marks(timetable({"vercel.json": text})) == [(1, "SCH416")]


SAM = """Resources:
  Wash:
    Type: AWS::Serverless::Function
    Properties:
      ReservedConcurrentExecutions: 1
      Events:
        Night: {Type: Schedule, Properties: {Schedule: cron(0 2 * * ? *), Enabled: false}}
        Api: {Type: Api, Properties: {Path: /}}
        Day:
          Type: ScheduleV2
          Properties:
            ScheduleExpression: !Sub cron(30 2 ? * SUN *)
            ScheduleExpressionTimezone: Europe/Rome
        Own: {Type: Schedule, Properties: {Schedule: !Ref At}}
  Rule:
    Type: AWS::Events::Rule
    Properties:
      ScheduleExpression: rate(5 minutes)
      Targets: [{Id: w, Arn: !GetAtt Wash.Arn}]
  Later:
    Type: AWS::Scheduler::Schedule
    Properties:
      ScheduleExpression: at(2027-01-01T00:00:00)
      FlexibleTimeWindow: {Mode: FLEXIBLE, MaximumWindowInMinutes: 15}
      Target: {Arn: {"Fn::GetAtt": [Wash, Arn]}}
"""


def test_sam_and_cloudformation() -> None:
    table = timetable({"template.yaml": SAM})
    assert [(s.id, s.enabled, s.busy, s.zone) for s in table.schedules] == [
        ("Wash.Night", False, Busy.QUEUE, "UTC"),
        ("Wash.Day", True, Busy.QUEUE, "Europe/Rome"),
        ("Rule", True, Busy.ALLOW, "UTC"),
        ("Later", True, Busy.ALLOW, "UTC"),
    ]
    assert len({schedule.workflow for schedule in table.schedules}) == 1
    assert [schedule.firing.jitter_s for schedule in table.schedules if schedule.firing] == [0, 0, 0, 900]
    assert [skipped.line for skipped in table.skipped] == [14]
    assert "02:30 does not exist on 2027-03-28" in found(table, "SCH415")[0].message


@pytest.mark.parametrize("expression", ["cron(0 2 * * * *)", "cron(0 2 * * ?)", "rate(1 minutes)", "0 2 * * *"])
def test_what_eventbridge_refuses(expression: str) -> None:
    text = f"functions:\n  wash:\n    events:\n      - schedule: {expression}\n"
    assert marks(timetable({"serverless.yml": text})) == [(4, "SCH416")]


def test_serverless() -> None:
    text = (
        "functions:\n  wash:\n    reservedConcurrency: 1\n    events:\n      - http: GET /\n"
        "      - schedule: rate(1 hour)\n      - schedule:\n          timezone: Asia/Tokyo\n"
        "          rate: [cron(0 12 ? * MON *), '${self:custom.at}']\n"
        "          enabled: false\n"
    )
    table = timetable({"serverless.yml": text})
    assert [(s.id, s.enabled, s.zone, s.busy) for s in table.schedules] == [
        ("wash.1", True, "UTC", Busy.QUEUE),
        ("wash.2", False, "Asia/Tokyo", Busy.QUEUE),
    ]
    assert len(table.skipped) == 1


def test_prefect() -> None:
    text = (
        "deployments:\n  - name: wash\n    entrypoint: ./flows/wash.py:main\n    schedules:\n"
        '      - {cron: "30 2 1-7 * 1", timezone: Asia/Tokyo, day_or: false}\n      - {interval: 3600, active: false}\n'
        "    concurrency_limit: {limit: 1, collision_strategy: CANCEL_NEW}\n"
        '  - name: dry\n    schedule: {cron: "{{ at }}"}\n'
    )
    table = timetable({"prefect.yaml": text})
    first, second = table.schedules
    assert first.firing and first.firing.dialect is Dialect.CRONITER_AND and second.firing
    assert (second.firing.every_s, second.enabled) == (3600, False)
    assert (first.busy, first.zone, first.entrypoint) == (Busy.SKIP, "Asia/Tokyo", "flows.wash:main")
    assert len(table.skipped) == 1 and not marks(table)


SQL = """-- select cron.schedule('no', '* * * * *', 'x');
select cron.schedule('wash', '0 3 * * *', $$ delete from t where x = ';,(' $$);
SELECT cron . schedule ('*/90 * * * *', 'select ''1''');
DO $do$ BEGIN
  PERFORM cron.schedule_in_database('dry', '61 3 * * *', 'vacuum', 'db');
END $do$;
select cron.schedule(job_name := 'fold', schedule := '10 seconds', command := 'select 1');
select cron.schedule('iron', '0 0 $ * *'::text, format('x %s', y));
select cron.schedule(j.name, j.at, j.command) from jobs j;
select cron.schedule('gone', '0 1 * * *', 'x'); select cron.unschedule('gone');
select cron.schedule('wash', '0 4 * * *', 'x');
"""


def test_pg_cron() -> None:
    assert expressions("db/cron.sql", SQL) == [
        ("wash", "0 4 * * *"),
        ("the job in line 3", "*/90 * * * *"),
        ("dry", "61 3 * * *"),
        ("fold", "10 seconds"),
        ("iron", "0 0 $ * *"),
    ]
    table = timetable({"db/cron.sql": SQL})
    assert marks(table) == [(3, "SCH416"), (5, "SCH416")]
    (skipped,) = table.skipped
    assert skipped.line == 9
    assert found(table)[1].span.start.column == 44


@pytest.mark.parametrize(
    "text", ["select cron.schedule('x'", "cron.schedule(", "select cron.schedule('a', $$", "cron.schedule()"]
)
def test_sql_that_is_cut(text: str) -> None:
    assert not schedules("x.sql", text)


@pytest.mark.parametrize(
    ("path", "format_"),
    [
        (".github/workflows/x.yml", "github"),
        ("deploy/etc/cron.d/wash", "crontab"),
        ("crontab.txt", "crontab"),
        ("wash.crontab", "crontab"),
        ("crontab.md", None),
        ("my_crontab.go", None),
        ("a/wash.timer", "systemd"),
        ("wrangler.dev.toml", "hosted"),
        ("serverless.prod.yml", "serverless"),
        ("prefect.yaml", "prefect"),
        ("x.json", None),
    ],
)
def test_paths(path: str, format_: str | None) -> None:
    assert recognise(path) == format_


def test_a_yaml_file_of_another_encoding_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.yaml").write_bytes(b"a: \xe9\n")
    (tmp_path / "crontab").write_bytes(b"1 2 * * * \xe9\n")
    report = run(Request(paths=(".",), as_of=AS_OF, use_cache=False))
    assert [(finding.code, finding.span.path) for finding in report.findings] == [("ANL003", "crontab")]
    assert any("notes.yaml" in remark for remark in report.remarks)


def test_a_workflow_alone_still_knows_the_names_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "a.yml").write_text("name: wash\non: push\n")
    (folder / "b.yml").write_text("on:\n  workflow_run:\n    workflows: [wash, wish]\n")
    monkeypatch.chdir(tmp_path)
    request = Request(paths=(".github/workflows/b.yml",), as_of=AS_OF, use_cache=False)
    assert [finding.message for finding in run(request).findings] == [
        ".github/workflows/b.yml runs after wish, and nothing here is called that"
    ]


def test_later_migrations_replace_and_drop_jobs() -> None:
    call = "select cron.schedule('{}', '{}', 'x');\n"
    files = {
        "db/01.sql": call.format("wash", "*/90 * * * *") + call.format("dry", "*/90 * * * *"),
        "db/02.sql": call.format("wash", "0 3 * * *") + "select cron.unschedule('dry');",
        "db/02_down.sql": "select cron.unschedule('wash');",
        "other/01.sql": call.format("wash", "0 4 * * *"),
    }
    schedules = timetable(files).schedules
    assert [(each.span.path, each.id) for each in schedules] == [("db/02.sql", "wash"), ("other/01.sql", "wash")]


GITLAB = """fold:
  rules:
    - if: $CI_PIPELINE_SOURCE == "{source}"
      when: delayed
      start_in: {delay}
  script:
    - curl -o x.zip "$CI_API_V4_URL/projects/7/jobs/artifacts/main/{what}"
"""


@pytest.mark.parametrize(
    ("source", "what", "reported"),
    [
        ("schedule", "download?job=wash", True),
        ("push", "download?job=wash", False),
        ("schedule", "browse", False),
    ],
)
def test_gitlab_waits_by_the_clock(source: str, what: str, reported: bool) -> None:
    table = timetable({".gitlab-ci.yml": GITLAB.format(source=source, delay="30 minutes", what=what)})
    assert marks(table) == ([(5, "SCH414")] if reported else [])
    refused = timetable({".gitlab-ci.yml": GITLAB.format(source="push", delay="2 weeks", what=what)})
    assert marks(refused) == [(5, "SCH418")]


def test_gitlab_sleeps() -> None:
    text = "fold:\n  only: [schedules]\n  script:\n    - sleep {}\n    - wget host/jobs/artifacts/main/raw/x?job=$JOB\n"
    assert marks(timetable({".gitlab-ci.yml": text.format("20m")})) == [(4, "SCH414")]
    assert not marks(timetable({".gitlab-ci.yml": text.format("20")}))
