"""Whatever stands in a file of any format: no crash, and messages that stay one short line."""

from __future__ import annotations

import random

import pytest

from unit.manifests.formats import test_github, test_platforms
from unit.manifests.timetables import found, timetable

SAMPLES = {
    ".github/workflows/a.yml": test_github.cron(
        "0 6 * * *", test_github.TAKES.format("b.yml", "gh run download $id"), "a"
    ),
    ".github/workflows/b.yml": test_github.AFTER.format("a"),
    "crontab": "CRON_TZ=Asia/Tokyo\n0 2 * * * flock -n /tmp/x dump > y\n0 2 * * * sleep 1200; load\n@daily \n",
    "wash.timer": "[Timer]\nOnCalendar=*-*-* 02:30 Europe/Rome\nOnUnitActiveSec=1h\nRandomizedDelaySec=5m\n",
    "x.yaml": 'kind: CronJob\nmetadata: {name: wash}\nspec:\n  schedule: "30 2 * * 7"\n  timeZone: Europe/Rome\n',
    "template.yaml": test_platforms.SAM,
    "serverless.yml": "functions:\n  wash:\n    events:\n      - schedule: {rate: [cron(0 2 * * * *)], timezone: x}\n",
    "wrangler.jsonc": '{"name": "w", "triggers": {"crons": ["0 0 * * 0"]}, "env": {"e": {"triggers": {"crons": []}}}}',
    "vercel.json": '{"crons": [{"path": "/a", "schedule": "0 0 * * 7"}]}',
    "prefect.yaml": "deployments:\n  - name: d\n    schedules: [{cron: '1 2 * * *', timezone: x}, {interval: 5}]\n",
    "x.sql": test_platforms.SQL,
    ".gitlab-ci.yml": test_platforms.GITLAB.format(source="schedule", delay="2 weeks", what="download?job=x"),
}
CHARACTERS = "{}[]:\n \"'*&!#-,$()<%0\t|>\x00é9"


@pytest.mark.parametrize("path", SAMPLES)
def test_a_file_that_was_damaged(path: str) -> None:
    dice = random.Random(path)
    for _ in range(60):
        text = SAMPLES[path]
        for _ in range(dice.randint(1, 4)):
            text = _damaged(text, dice)
        for finding in found(timetable({**SAMPLES, path: text} if "github" in path else {path: text})):
            assert len(finding.message) <= 120
            assert "\n" not in finding.message


def _damaged(text: str, dice: random.Random) -> str:
    place = dice.randrange(len(text) + 1)
    match dice.randrange(4):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + dice.choice(CHARACTERS) + text[place:]
        case 2:
            return text[:place] + text[place + dice.randint(1, 12) :]
        case _:
            lines = text.split("\n")
            lines.insert(dice.randrange(len(lines)), dice.choice(lines))
            return "\n".join(lines)
