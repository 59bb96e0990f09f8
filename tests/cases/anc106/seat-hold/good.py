import redis

HOLD_S = 600


class Holds:
    def __init__(self, box: redis.Redis) -> None:
        self.box = box

    def place(self, seat, guest):
        self.box.setex(f"hold:{seat}", HOLD_S, guest)

    def holder(self, seat):
        try:
            guest = self.box.get(f"hold:{seat}")
        except redis.ConnectionError:
            return "unreachable"
        if guest is None:
            return "free"
        return guest.decode()
