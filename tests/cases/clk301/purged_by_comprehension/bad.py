import time

WINDOW_S = 120


class Door:
    def __init__(self, relay):
        self.relay = relay
        self.opened: dict[str, float] = {}

    def knock(self, code: str, stamped_at: float) -> bool:
        if time.time() > stamped_at + WINDOW_S:  # expect: CLK301
            return False
        self.opened = {key: at for key, at in self.opened.items() if time.time() - at < WINDOW_S}
        if code in self.opened:
            return False
        self.opened[code] = time.time()
        self.relay.open()
        return True
