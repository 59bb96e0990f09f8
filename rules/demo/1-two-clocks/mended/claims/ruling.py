"""Decides one claim from the radar before its deadline, for as long as the radar can still show it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from claims.book import Claim
from claims.radar import REACH, Radar, RadarDown

WANTED = timedelta(days=7)
EVIDENCE = min(WANTED, REACH)


@dataclass(frozen=True)
class Ruling:
    final: bool
    reason: str


def last_chance(claim: Claim) -> datetime:
    """From here on the radar no longer reaches back to the start of the evidence."""
    return claim.deadline - EVIDENCE + REACH


def rule_on(claim: Claim, radar: Radar) -> Ruling:
    since = claim.deadline - EVIDENCE
    try:
        frames = radar.frames(claim.cell, since, claim.deadline)
    except RadarDown:
        return Ruling(final=False, reason="radar_down")
    if radar.reaches_back_to() > since:
        return Ruling(final=True, reason="beyond_radar_reach")
    return Ruling(final=True, reason="granted" if any(frame["hail_mm"] >= 20 for frame in frames) else "denied")
