"""The reports that other programs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import jsonschema
import msgspec
import pytest

import anchorlint.report.json as documents
from anchorlint.domain.report import Report
from anchorlint.report import concise, github, gitlab, junit, sarif
from unit.report.sample import EVERYTHING, FAILED, PLAIN, RICH, report

SCHEMA = json.loads((Path(__file__).parents[2] / "data" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def sarif_run(shown: Report) -> dict[str, Any]:
    log = json.loads(sarif.render(shown))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    return run


@pytest.mark.parametrize("shown", [EVERYTHING, FAILED, report()], ids=["everything", "failed", "nothing"])
def test_sarif_is_valid(shown: Report) -> None:
    assert sarif_run(shown)["columnKind"] == "unicodeCodePoints"


def test_the_schema_would_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "_region", lambda span: {"startLyne": 1})
    with pytest.raises(jsonschema.ValidationError):
        sarif_run(EVERYTHING)


def test_sarif_results() -> None:
    run = sarif_run(EVERYTHING)
    rich = run["results"][0]
    assert rich["level"] == "error"
    assert rich["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "jobs/a%20b.py"},
        "region": {"startLine": 3, "startColumn": 8, "endLine": 3, "endColumn": 27},
    }
    assert [place["message"]["text"] for place in rich["relatedLocations"]] == [note.message for note in RICH.notes]
    assert len(rich["codeFlows"][0]["threadFlows"][0]["locations"]) == 4
    assert rich["partialFingerprints"] == {"anchorlint/v1": "f1"}
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        "ANC101", "ANL003", "SCH413", "SCH404", "SCH413",
    ]  # fmt: skip
    assert all(rule["help"]["markdown"].startswith(f"# {rule['id']} {rule['name']}\n") for rule in rules)


def test_sarif_says_what_is_suppressed_and_why() -> None:
    shown = [result.get("suppressions") for result in sarif_run(EVERYTHING)["results"]]
    assert shown == [None] * 3 + [[{"kind": "inSource", "justification": "known since May"}], [{"kind": "inSource"}]]


def test_sarif_says_what_failed() -> None:
    (invocation,) = sarif_run(FAILED)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 2
    texts = [told["message"]["text"] for told in invocation["toolExecutionNotifications"]]
    assert texts == ["no such file", "unknown key", "internal error"]
    assert sarif_run(report(PLAIN))["invocations"][0]["executionSuccessful"] is True
    assert sarif_run(EVERYTHING)["invocations"][0]["executionSuccessful"] is False  # a file was not parsed


def test_github_escapes() -> None:
    first = github.render(report(RICH)).splitlines()[0]
    assert first == (
        "::error file=jobs/a b.py,line=3,endLine=3,col=8,endColumn=27,title=ANC101 mixed-anchor-retry::"
        "this can never hold after entry.deadline + 7d, yet it is tried again: 100%25, a:b%0Ahelp: give it a reason of"
        " its own"
    )


def test_github_shows_the_worst_first_and_counts_the_rest() -> None:
    many = [msgspec.structs.replace(RICH, fingerprint=str(number)) for number in range(13)]
    lines = github.render(report(PLAIN, *many)).splitlines()
    assert [line.split(" ")[0] for line in lines[:11]] == ["::error"] * 10 + ["::notice"]
    assert lines[11] == "3 more, beyond what GitHub shows as annotations:"
    assert len(lines[12:]) == 3 and all(line.startswith("jobs/a b.py:3:8: ANC101 ") for line in lines[12:])


def test_github_tells_problems_too() -> None:
    lines = github.render(FAILED).splitlines()
    assert lines[1] == "::error file=x.toml,line=3,col=1,title=anchorlint::unknown key"
    assert lines[2] == "::error title=anchorlint::internal error"


def test_json() -> None:
    document = json.loads(documents.render(EVERYTHING))
    jsonschema.validate(document, msgspec.json.schema(documents.Document))
    assert set(document) == {"version", "findings", "errors", "summary"}
    rich, unparsed, plain = document["findings"]
    place = {"start": {"line": 2, "column": 13}, "end": {"line": 2, "column": 34}}
    assert rich["notes"][0] == {"message": "the item side", "path": "jobs/a b.py", "range": place}
    assert rich["horizon"] == {"text": "entry.deadline + 7d", "item": "entry.deadline", "slack_s": 604800}
    assert rich["fix"]["edits"][0]["text"] == "GONE" and rich["fix"]["safe"] is False
    assert (plain["help"], plain["horizon"], plain["fix"], plain["notes"]) == (None, None, None, [])
    assert document["errors"] == [{"message": unparsed["message"], "path": "b.py", "line": 7, "column": 1}]


def test_json_lines() -> None:
    lines = documents.render_lines(EVERYTHING).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(documents.render(EVERYTHING))["findings"]


def test_gitlab() -> None:
    issues = json.loads(gitlab.render(FAILED))
    assert issues[0] == {
        "description": f"ANC101: {RICH.message}",
        "check_name": "mixed-anchor-retry",
        "fingerprint": "f1",
        "severity": "major",
        "location": {"path": "jobs/a b.py", "lines": {"begin": 3}},
    }
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 5


def test_junit() -> None:
    suites = fromstring(junit.render(FAILED))
    (suite,) = suites
    assert {key: suite.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "6", "failures": "2", "errors": "3",
    }  # fmt: skip
    by_name = {case.get("name"): [child.tag for child in case] for case in suite}
    assert by_name["clean.py"] == []
    assert by_name["jobs/a b.py"] == ["failure"]
    assert by_name["x.toml"] == ["error"]


def test_junit_is_xml_whatever_the_message() -> None:
    strange = msgspec.structs.replace(PLAIN, message="<&\x00\x1b\ud800>")
    assert fromstring(junit.render(report(strange))) is not None


def test_concise() -> None:
    assert concise.render(report(PLAIN)) == "schedules.toml:2:1: SCH413 no deadline\n"
