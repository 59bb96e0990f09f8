from datetime import UTC, datetime, timedelta

BUILD_LIMIT = timedelta(hours=2)


class Build:
    def __init__(self, number: int, pipeline: str):
        self.number = number
        self.pipeline = pipeline
        self.result = "open"
        self.begun_at = datetime.now(UTC)

    def too_old(self) -> bool:
        return datetime.now(UTC) > self.begun_at + BUILD_LIMIT
