"""RTY204: "never seen" and "seen, unchanged" take one path of a decision about progress."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.link import Ref
from anchorlint.python.outcome_baselines import Baselines, Missing
from anchorlint.python.program import Program

CODE = "RTY204"


def check(program: Program) -> Iterator[Finding]:
    """Report each comparison with a remembered value that nothing may have been stored in yet."""
    baselines = Baselines(program.engine)
    seen = set()
    for module in filter(program.is_asked, range(len(program.linked.modules))):
        for number in sorted(baselines.functions(module)):
            for missing in baselines.of(Ref("fn", module, number)):
                if (missing.module, missing.place) not in seen:
                    seen.add((missing.module, missing.place))
                    yield _finding(program, missing)


def _finding(program: Program, missing: Missing) -> Finding:
    spent = missing.spent
    place = (spent.line, spent.column, spent.end_line, spent.end_column)
    return Finding(
        code=CODE,
        message=f"before anything was seen, {missing.kept} equals the new observation, and that counts as no progress",
        span=program.span(missing.module, missing.place),
        notes=(Note("no progress is charged here", program.span(missing.view.module, place)),),
        help="give 'not seen yet' a branch of its own, with a start-up limit of its own where one is needed",
        confidence=Confidence.MEDIUM,
    )
