import time

import redis


class Out(SystemExit):
    pass


class Worker:
    def __init__(self, client: redis.Redis, handle, chances: int = 4) -> None:
        self.client, self.handle, self.chances = client, handle, chances
        self.left = chances
        self.length = 0

    def run(self) -> None:
        while True:
            try:
                self.turn()
            except redis.RedisError as error:
                self.left -= 1
                self.look()
                if self.left == 0:
                    raise Out(str(error)) from error
                time.sleep(1)

    def turn(self) -> None:
        entry = self.client.blpop("work", timeout=5)
        if entry is not None:
            self.handle(entry[1])
            self.client.rpush("done", entry[1])

    def look(self) -> None:
        try:
            length = self.client.llen("done")  # expect: RTY202
        except redis.RedisError:
            return
        if length != self.length:
            self.length, self.left = length, self.chances
