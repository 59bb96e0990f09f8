"""Crontabs: entries, zones, users, locks, sleeps, and what is no crontab."""

from __future__ import annotations

import pytest

from anchorlint.domain.schedule import Busy, Schedule
from unit.manifests.timetables import found, marks, timetable


def schedules(text: str, path: str = "crontab") -> list[Schedule]:
    return list(timetable({path: text}).schedules)


def test_settings_comments_and_entries() -> None:
    text = '# jobs\nMAILTO="a=b"\nPATH = /bin\n\n\t5 4 * * sun  /opt/wash.sh --cold\n@daily rinse\n'
    first, second = schedules(text)
    assert first.firing is not None
    assert (first.id, first.firing.expression, first.firing.span.start.column) == ("wash.sh", "5 4 * * sun", 2)
    assert (second.id, second.firing and second.firing.expression) == ("rinse", "@daily")


def test_a_zone_holds_until_the_next_one() -> None:
    text = "1 2 * * * a\nCRON_TZ='Asia/Tokyo'\n1 2 * * * b\nTZ=Europe/Rome\n1 2 * * * c\nCRON_TZ=\n1 2 * * * d\n"
    assert [schedule.zone for schedule in schedules(text)] == ["UTC", "Asia/Tokyo", "Asia/Tokyo", "UTC"]
    table = timetable({"crontab": "CRON_TZ=Asia/Tokio\n1 2 * * * a\n1 3 * * * b\n"})
    assert marks(table, "SCH416") == [(1, "SCH416")]


@pytest.mark.parametrize(
    ("path", "line", "name"),
    [
        ("etc/cron.d/wash", "1 2 * * * www-data /opt/wash.sh", "wash.sh"),
        ("etc/crontab", "1 2 * * * root /opt/wash.sh", "wash.sh"),
        ("docker/crontab", "1 2 * * * root /opt/wash.sh", "wash.sh"),
        ("docker/crontab", "1 2 * * * www-data\t/opt/wash.sh", "wash.sh"),
        ("docker/app.crontab", "1 2 * * * /opt/wash.sh cold", "wash.sh cold"),
    ],
)
def test_the_user_column(path: str, line: str, name: str) -> None:
    assert [schedule.id for schedule in schedules(line + "\n", path)] == [name]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("cd /srv && . ./env; python3 -m wash.cold >> /var/log/w 2>&1", "wash.cold"),
        ("PYTHONPATH=. nice -n 10 /usr/bin/php /srv/artisan wash", "artisan wash"),
        ("[ -x /opt/w ] && sudo -u app /opt/w on -q | logger", "w on"),
        ("bash -lc 'wash cold'", "wash cold"),
        ("timeout 30m sh /opt/wash.sh", "wash.sh"),
        ("mysqldump -u app -psecret shop > /b", "mysqldump"),
        ("curl https://key:secret@host/x", "curl"),
    ],
)
def test_the_name_of_a_command(command: str, name: str) -> None:
    assert schedules(f"1 2 * * * {command}\n")[0].id == name


@pytest.mark.parametrize(
    ("command", "busy"),
    [
        ("wash", Busy.ALLOW),
        ("flock -n /tmp/w wash", Busy.SKIP),
        ("/usr/bin/flock -xn /tmp/w -c 'wash'", Busy.SKIP),
        ("flock -w 600 /tmp/w wash", Busy.QUEUE),
        ("flock /tmp/w wash", Busy.QUEUE),
        ("run-one wash", Busy.SKIP),
    ],
)
def test_what_becomes_of_a_second_run(command: str, busy: Busy) -> None:
    (schedule,) = schedules(f"1 2 * * * {command}\n")
    assert (schedule.busy, schedule.id.split()[-1]) == (busy, "wash")


def test_which_lines_keep_each_other_out() -> None:
    text = "1 2 * * * flock -n /tmp/w a\n1 3 * * * flock /tmp/w b\n"
    text += "1 4 * * * c > x\n1 5 * * * c >> y 2>&1\n1 6 * * * c -v\n"
    keys = [schedule.workflow for schedule in schedules(text)]
    assert keys[0] == keys[1] != keys[2] == keys[3] != keys[4]


@pytest.mark.parametrize(
    ("lines", "reported"),
    [
        ("0 2 * * * dump\n0 2 * * * sleep 1200; load\n", True),
        ("0 2 * * * dump\n0  2 * * * sleep 20m && load\n", True),
        ("0 2 * * * dump\n0 2 * * * sleep 30; load\n", False),
        ("0 2 * * * dump\n0 3 * * * sleep 1200; load\n", False),
        ("0 2 * * * sleep 600; dump\n0 2 * * * sleep 1200; load\n", False),
        ("@reboot dump\n@reboot sleep 60; load\n", False),
        ("0 2 * * * dump\n0 2 * * * sleep $((RANDOM / 9)); load\n", False),
    ],
)
def test_a_sleep_that_waits_for_another_line(lines: str, reported: bool) -> None:
    assert bool(found(timetable({"crontab": lines}), "SCH414")) is reported


def test_lines_that_cron_refuses() -> None:
    table = timetable({"crontab": "1 2 * * * a\n1 2 * * *\nwash every day\n*/90 * * * * b\n61 * * * * c\n"})
    assert marks(table) == [(2, "SCH418"), (3, "SCH418"), (4, "SCH416"), (5, "SCH416")]


def test_what_is_no_crontab_and_what_is_a_template() -> None:
    assert not schedules("* one two three four five\n* six seven eight nine ten\n", "cron.d/README")
    script = "#!/bin/sh\nset -e\nexec crond -f\n"
    assert not schedules(script)
    table = timetable({"cron.d/wash": "{{ minute }} 2 * * * root wash\n1 2 * * * root wash {{ speed }}\n"})
    assert [schedule.id for schedule in table.schedules] == ["wash"]
    assert [skipped.line for skipped in table.skipped] == [1]


@pytest.mark.parametrize(
    ("step", "reported"), [(45, True), (40, True), (35, True), (31, False), (30, False), (7, False)]
)
def test_steps_that_leave_an_odd_gap(step: int, reported: bool) -> None:
    assert bool(found(timetable({"crontab": f"*/{step} * * * * wash\n"}), "SCH416")) is reported
