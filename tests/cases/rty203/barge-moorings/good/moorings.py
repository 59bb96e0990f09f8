from dataclasses import dataclass

import requests


@dataclass
class Outcome:
    step: str
    reason: str | None = None

    @classmethod
    def keep(cls, reason: str) -> "Outcome":
        return cls("keep", reason)


class Tow:
    def __init__(self, session: requests.Session, table) -> None:
        self.session = session
        self.table = table

    def _run(self, job, barge: str) -> Outcome | None:
        return job(self.session.get(f"https://quay.example/barges/{barge}", timeout=10))

    def finish(self, job, barge: str) -> None:
        try:
            outcome = self._run(job, barge)
        except requests.RequestException:
            outcome = Outcome.keep("tow_failed")
        if outcome is None or outcome.step == "done":
            self.table.note(barge)
        else:
            self.table.release_barge(barge, reason=outcome.reason or "kept")
