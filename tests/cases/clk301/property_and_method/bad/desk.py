from datetime import UTC, datetime, timedelta

GRACE = timedelta(minutes=30)


class Ticket:
    def __init__(self, number: int):
        self.number = number
        self.agent = None
        self.status = "new"
        self.touched_at = None

    @property
    def is_dropped(self) -> bool:
        return self.status == "assigned" and datetime.now(UTC) - self.touched_at > GRACE  # expect: CLK301

    def assign(self, agent: str) -> None:
        self.agent = agent
        self.status = "assigned"
        self.touched_at = datetime.now(UTC)

    def reopen(self) -> None:
        self.status = "new"
        self.agent = None
