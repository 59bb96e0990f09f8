"""Holds back the findings that a comment ignores, and reports the comments that ignore nothing or make no sense."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from anchorlint.domain.finding import Edit, Finding, Fix
from anchorlint.domain.span import Span
from anchorlint.engine.comments import Comment
from anchorlint.engine.select import UnknownRule, rule_code
from anchorlint.knowledge.cards import Card

FORM = re.compile(r"(?P<word>file-ignore|ignore)\[(?P<rules>[^\]]*)\]\s*(?P<reason>.*)")
RULE = re.compile(r"[^,]+")
EXAMPLE = "write `ignore[CODE] reason` or `file-ignore[CODE] reason`"


class Ignore(msgspec.Struct, frozen=True):
    """One rule that one comment ignores, between two lines or in the whole file (`first` is 0)."""

    code: str
    span: Span
    first: int
    last: int
    reason: str
    comment: Comment

    def holds(self, finding: Finding) -> bool:
        """Whether the finding is one that the comment means."""
        if finding.code != self.code or finding.span.path != self.span.path:
            return False
        return not self.first or (finding.span.start.line <= self.last and self.first <= finding.span.end.line)


class Sifted(msgspec.Struct, frozen=True):
    """The findings that stay, those held back with the reason given, and the findings about the comments."""

    kept: tuple[Finding, ...]
    suppressed: tuple[tuple[Finding, str], ...]
    about: tuple[Finding, ...]


def sift(
    findings: Iterable[Finding],
    spoken: Mapping[str, Iterable[Comment]],
    judged: Mapping[str, frozenset[str]],
    cards: Mapping[str, Card],
) -> Sifted:
    """Apply the comments of each file; `judged` are the codes whose absence in a file means that they are not there."""
    ignores: dict[str, list[Ignore]] = {}
    about: list[Finding] = []
    for path, comments in spoken.items():
        for comment in comments:
            for found in _understood(path, comment, cards):
                if isinstance(found, Ignore):
                    ignores.setdefault(path, []).append(found)
                else:
                    about.append(found)
    kept, suppressed, used = [], [], set()
    for finding in findings:
        holding = [ignore for ignore in ignores.get(finding.span.path, ()) if ignore.holds(finding)]
        used.update(holding)
        if holding:
            suppressed.append((finding, holding[0].reason))
        else:
            kept.append(finding)
    for path, found_ignores in ignores.items():
        idle = [i for i in found_ignores if i not in used and i.code in judged.get(path, ())]
        about += [_unused(ignore, idle, cards) for ignore in idle]
    return Sifted(tuple(kept), tuple(suppressed), tuple(about))


def _understood(path: str, comment: Comment, cards: Mapping[str, Card]) -> Iterator[Ignore | Finding]:
    form = FORM.match(comment.said)
    if form is None:
        place = _place(path, comment, 0, len(comment.said))
        yield _malformed("this comment is not understood and ignores nothing", place)
        return
    if not form["rules"].strip():
        place = _place(path, comment, 0, form.end("rules") + 1)
        yield _malformed("this comment names no rule and ignores nothing", place)
    for found in RULE.finditer(form["rules"]):
        name = found[0].strip()
        start = _column(comment, found, form) - comment.column
        place = _place(path, comment, start, start + len(name))
        try:
            code = rule_code(name, cards)
        except UnknownRule as error:
            hint = f"did you mean {error.suggestion}?" if error.suggestion else EXAMPLE
            yield _malformed(f"this comment names {name[:60]}, which is no rule", place, hint)
            continue
        if cards[code].on == "engine":
            yield _malformed(f"{code} cannot be ignored by a comment", place, "mend what it reports")
            continue
        first = comment.first if form["word"] == "ignore" else 0
        yield Ignore(code, place, first, comment.last, form["reason"], comment)


def _place(path: str, comment: Comment, start: int, end: int) -> Span:
    return Span.of(path, comment.line, comment.column + start, comment.line, comment.column + max(end, start + 1))


def _malformed(message: str, place: Span, hint: str = EXAMPLE) -> Finding:
    return Finding(code="ANL002", message=message, span=place, help=hint)


def _unused(ignore: Ignore, idle: Iterable[Ignore], cards: Mapping[str, Card]) -> Finding:
    where = "here" if ignore.first else "in this file"
    message = f"{ignore.code} {cards[ignore.code].name} is ignored but is not reported {where}"
    fix = Fix("remove what ignores nothing", True, (_removal([i for i in idle if i.comment == ignore.comment]),))
    return Finding(code="ANL001", message=message, span=ignore.span, help="remove it from the comment", fix=fix)


def _removal(idle: list[Ignore]) -> Edit:
    """The edit that takes the idle rules out of their comment, or the comment away if no other is left in it."""
    comment, path = idle[0].comment, idle[0].span.path
    end = comment.column + len(comment.said)
    form = FORM.match(comment.said)
    assert form is not None  # it was understood before
    columns = {ignore.span.start.column for ignore in idle}
    left = [p[0].strip() for p in RULE.finditer(form["rules"]) if _column(comment, p, form) not in columns]
    if left:
        said = f"{form['word']}[{', '.join(left)}]{' ' if form['reason'] else ''}{form['reason']}"
        return Edit(Span.of(path, comment.line, comment.column, comment.line, end), said)
    if comment.alone:
        return Edit(Span.of(path, comment.line, 1, comment.line + 1, 1), "")
    return Edit(Span.of(path, comment.line, comment.start, comment.line, end), "")


def _column(comment: Comment, part: re.Match[str], form: re.Match[str]) -> int:
    return comment.column + form.start("rules") + part.start() + len(part[0]) - len(part[0].lstrip())
