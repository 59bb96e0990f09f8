from datetime import datetime, timedelta, timezone

KEPT = timedelta(days=30)


class Recordings:
    def __init__(self, api):
        self.api = api

    def fetch(self, call):
        age = datetime.now(timezone.utc) - call.ended_at
        if age.total_seconds() > KEPT.total_seconds():
            return "no longer kept"
        return self.api.download(call.id)


class Ledger:
    def fetch(self, number):
        return number
