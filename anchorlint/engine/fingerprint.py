"""Names a finding by what stands there, so that it is known again after lines have moved."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b

import msgspec

from anchorlint.domain.finding import Finding
from anchorlint.engine.discover import project_root
from anchorlint.engine.sources import Sources


def with_fingerprints(findings: Iterable[Finding], sources: Sources) -> Iterator[Finding]:
    """Each finding with the hash of its path, code, source line and ordinal; the message has no part in it.

    The path counts from the root of the repository, so it does not matter where the command is run. The ordinal tells
    equal lines of one file apart, so no two findings of a run have one fingerprint.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    lines: dict[str, list[str]] = {}
    rooted = lru_cache(maxsize=None)(_rooted)
    for finding in findings:
        path, number = finding.span.path, finding.span.start.line
        if path not in lines:
            lines[path] = sources.lines(path)
        text = lines[path][number - 1] if number <= len(lines[path]) else ""
        key = (rooted(path), finding.code, " ".join(text.split()))
        said = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        yield msgspec.structs.replace(
            finding, fingerprint=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        )


def _rooted(path: str) -> str:
    root = project_root(path, lambda _: False)
    return os.path.relpath(path, root).replace(os.sep, "/") if root else path
