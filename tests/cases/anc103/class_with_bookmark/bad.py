from datetime import UTC, datetime, timedelta


class Tap:
    def __init__(self, client, state):
        self.client = client
        self.state = state

    def start(self):
        bookmark = datetime.fromisoformat(self.state["bookmark"])
        oldest = datetime.now(UTC) - timedelta(days=90)
        if bookmark < oldest:
            bookmark = oldest  # expect: ANC103
        return bookmark

    def run(self, out):
        for row in self.client.rows(self.start()):
            out.write(row)
        self.state["bookmark"] = datetime.now(UTC).isoformat()
