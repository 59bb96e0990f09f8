"""The copy of the journal that the search pages read."""

import redis


class Mirror:
    def __init__(self, server: redis.Redis) -> None:
        self._server = server

    def height(self) -> int:
        return int(self._server.get("journal:height") or 0)

    def write(self, page: list[dict], height: int) -> None:
        with self._server.pipeline(transaction=True) as together:
            for entry in page:
                together.hset(f"entry:{entry['id']}", mapping=entry)
            together.set("journal:height", height)
            together.execute()
