"""Decides one claim from the week of radar before its deadline."""

from datetime import timedelta

from claims.book import Claim
from claims.radar import Radar, RadarDown

EVIDENCE = timedelta(days=7)


def rule_on(claim: Claim, radar: Radar) -> str | None:
    """The ruling, or None while there is nothing to decide it from."""
    since = claim.deadline - EVIDENCE
    if radar.reaches_back_to() > since:  # expect: ANC101
        return None
    try:
        frames = radar.frames(claim.cell, since, claim.deadline)
    except RadarDown:
        return None
    return "granted" if any(frame["hail_mm"] >= 20 for frame in frames) else "denied"
