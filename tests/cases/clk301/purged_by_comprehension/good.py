import time

WINDOW_S = 120


class Door:
    def __init__(self, relay):
        self.relay = relay
        self.opened: dict[str, float] = {}
        self.floor = 0.0

    def knock(self, code: str, stamped_at: float) -> bool:
        self.floor = max(self.floor, time.time())
        if self.floor > stamped_at + WINDOW_S:
            return False
        self.opened = {key: at for key, at in self.opened.items() if self.floor - at < WINDOW_S}
        if code in self.opened:
            return False
        self.opened[code] = self.floor
        self.relay.open()
        return True
