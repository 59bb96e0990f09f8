"""Names a finding by what stands there, so that it is known again after lines have moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec

from anchorlint.domain.finding import Finding
from anchorlint.engine.sources import Sources


def with_fingerprints(findings: Iterable[Finding], sources: Sources) -> Iterator[Finding]:
    """Each finding with the hash of its path, code, source line and ordinal; the message has no part in it.

    The ordinal tells equal lines of one file apart, so no two findings of a run have one fingerprint.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    lines: dict[str, list[str]] = {}
    for finding in findings:
        path, number = finding.span.path, finding.span.start.line
        if path not in lines:
            lines[path] = sources.lines(path)
        text = lines[path][number - 1] if number <= len(lines[path]) else ""
        key = (path, finding.code, " ".join(text.split()))
        said = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        yield msgspec.structs.replace(
            finding, fingerprint=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        )
