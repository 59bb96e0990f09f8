"""The nightly pass over the claims that wait for a ruling."""

import os
from datetime import UTC, datetime

import httpx

from claims.book import Book
from claims.radar import Radar
from claims.ruling import rule_on

MAX_ATTEMPTS = 14


def nightly() -> None:
    book = Book(os.environ["CLAIMS_DB"])
    radar = Radar(httpx.Client(base_url=os.environ["RADAR_URL"]))
    for claim in book.waiting():
        if datetime.now(UTC) < claim.deadline:
            continue
        ruling = rule_on(claim, radar)
        if ruling is not None:
            book.close(claim, ruling)
            continue
        claim.attempts += 1
        if claim.attempts >= MAX_ATTEMPTS:
            book.close(claim, "retry_exhausted")  # expect: RTY201
        else:
            book.keep_waiting(claim)
