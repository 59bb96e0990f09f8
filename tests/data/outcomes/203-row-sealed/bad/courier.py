"""Closes parcels of which the carrier knows nothing any more."""

from dataclasses import dataclass
from enum import Enum

import requests


class Stage(Enum):
    UNDERWAY = "underway"
    LOST = "lost"


@dataclass
class Parcel:
    number: str
    stage: Stage = Stage.UNDERWAY


def last_scan(session: requests.Session, number: str) -> dict:
    try:
        answer = session.get(f"https://carrier.example/track/{number}", timeout=20)
        return answer.json().get("last_scan") or {}
    except requests.RequestException:
        return {}  # expect: RTY203


def close_lost(session: requests.Session, parcels: list[Parcel]) -> None:
    for parcel in parcels:
        if not last_scan(session, parcel.number):
            parcel.stage = Stage.LOST
