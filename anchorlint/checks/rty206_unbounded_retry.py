"""RTY206: a failure that stays for ever is tried again for ever."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref
from anchorlint.python.outcome_loops import Endless
from anchorlint.python.outcome_retries import EndlessRetries
from anchorlint.python.outcomes import Outcomes
from anchorlint.python.program import Program
from anchorlint.python.sites import Sites

CODE = "RTY206"
_MESSAGES = {
    "loop": "this loop tries again after every failure, also one that stays: no count, no time and no class ends it",
    "decorator": "every failure is tried again, also one that stays: neither a count nor a time ends it",
    "call": "this asks for another try after every failure, also one that stays, and takes the cap away",
    "object": "every failure is tried again, also one that stays: neither a count nor a time ends it",
    "recursion": "the function calls itself again after a refusal with the same arguments and no count",
    "put back": "what fails is put back into its queue every time, also when the failure stays",
    "called later": "what fails has itself called again later every time, also when the failure stays",
    "nack": "what fails is given back to the broker every time, and no queue here has a place for dead messages",
}  # fmt: skip


def check(program: Program) -> Iterator[Finding]:
    """Report each retry that neither a budget nor a kind of failure ends, at the place that repeats."""
    retries = EndlessRetries(Outcomes(Failures(program.engine)), Sites(program.engine))
    seen = set()
    for module in filter(program.is_asked, range(len(program.linked.modules))):
        for number in sorted(retries.functions(module)):
            for endless in retries.of(Ref("fn", module, number)):
                if (endless.module, endless.place) not in seen:
                    seen.add((endless.module, endless.place))
                    yield _finding(program, endless)


def _finding(program: Program, endless: Endless) -> Finding:
    notes = ()
    if endless.caught is not None:
        notes = (Note("failures that stay are caught here", program.span(endless.module, endless.caught)),)
    return Finding(
        code=CODE,
        message=_MESSAGES[endless.kind],
        span=program.span(endless.module, endless.place),
        notes=notes,
        help="limit the tries in number or time, and let refusals (401, 404, invalid, full) out at once",
        confidence=Confidence.MEDIUM,
    )
