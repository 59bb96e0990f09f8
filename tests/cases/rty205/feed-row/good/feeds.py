from dataclasses import dataclass
from datetime import datetime


@dataclass
class Feed:
    url: str
    enabled: bool = True
    misses: int = 0
    fetched_at: datetime | None = None
