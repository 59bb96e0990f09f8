"""Radar frames of the last days; older ones are dropped by the weather service."""

from datetime import UTC, datetime, timedelta

import httpx

REACH = timedelta(days=14)


class RadarDown(Exception):
    """The service did not answer."""


class Radar:
    def __init__(self, service: httpx.Client) -> None:
        self._service = service

    def reaches_back_to(self) -> datetime:
        return datetime.now(UTC) - REACH

    def frames(self, cell: str, since: datetime, until: datetime) -> list[dict]:
        query = {"cell": cell, "since": since.isoformat(), "until": until.isoformat()}
        try:
            answer = self._service.get("/frames", params=query)
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise RadarDown(str(error)) from error
        return answer.json()["frames"]
