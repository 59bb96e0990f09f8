"""The nightly pass over the claims that wait for a ruling."""

import logging
import os
from datetime import UTC, datetime, timedelta

import httpx

from claims.book import Book
from claims.radar import Radar
from claims.ruling import last_chance, rule_on

MAX_ATTEMPTS = 14
LEAD = timedelta(days=3)
log = logging.getLogger("claims.sweep")


def nightly() -> None:
    book = Book(os.environ["CLAIMS_DB"])
    radar = Radar(httpx.Client(base_url=os.environ["RADAR_URL"]))
    for claim in book.waiting():
        now = datetime.now(UTC)
        if now < claim.deadline:
            continue
        ruling = rule_on(claim, radar)
        if ruling.final:
            book.close(claim, ruling.reason)
            continue
        if now >= last_chance(claim) - LEAD:
            log.error("claim %d leaves the radar's reach on %s: %s", claim.number, last_chance(claim), ruling.reason)
        claim.attempts += 1
        if claim.attempts >= MAX_ATTEMPTS:
            book.close(claim, ruling.reason)
        else:
            book.keep_waiting(claim)
