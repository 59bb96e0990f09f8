from datetime import UTC, datetime, timedelta

HEARTBEAT = timedelta(seconds=60)


class Registry:
    def __init__(self, db):
        self.db = db

    def heartbeat(self, run_id):
        self.db.execute("UPDATE runs SET beat_at = %s WHERE id = %s", (datetime.now(UTC), run_id))

    def finished(self, run_id, ok):
        self.db.execute("UPDATE runs SET state = %s WHERE id = %s", ("succeeded" if ok else "failed", run_id))

    def succeed(self, run_id):
        self.db.execute("UPDATE runs SET state = 'succeeded' WHERE id = %s", (run_id,))

    def reap(self):
        self.db.execute(  # expect: ANC104
            "UPDATE runs SET state = 'lost' WHERE state = 'running' AND beat_at < %s",
            (datetime.now(UTC) - 5 * HEARTBEAT,),
        )
