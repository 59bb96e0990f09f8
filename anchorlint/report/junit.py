"""JUnit XML: a test case for each file, a failure for each finding, an error for each problem."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from anchorlint.domain.report import Report
from anchorlint.report.concise import line

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The report as one test suite."""
    suite = Element("testsuite", name="anchorlint")
    cases: dict[str, Element] = {}
    for path in dict.fromkeys([*report.files, *(finding.span.path for finding in report.findings)]):
        cases[path] = SubElement(suite, "testcase", name=_text(path), classname="anchorlint")
    for finding in report.findings:
        failure = SubElement(cases[finding.span.path], "failure", type=finding.code, message=_text(finding.message))
        failure.text = _text(line(finding))
    for problem in report.problems:
        case = SubElement(suite, "testcase", name=_text(problem.path or "anchorlint"), classname="anchorlint.problems")
        SubElement(case, "error", message=_text(problem.message))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(report.findings)))
    suite.set("errors", str(len(report.problems)))
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, encoding='unicode')}\n"


def _text(text: str) -> str:
    return NOT_XML.sub("\ufffd", text)
