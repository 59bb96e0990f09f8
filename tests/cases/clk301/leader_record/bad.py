import time

TTL = 20


class Leader:
    def __init__(self, store, ident, clock=time.time):
        self.store = store
        self.ident = ident
        self.clock = clock

    def campaign(self):
        record = self.store.read("leader")
        if record and record["holder"] != self.ident and self.clock() < record["renewed"] + TTL:  # expect: CLK301
            return False
        self.store.write("leader", {"holder": self.ident, "renewed": self.clock()})
        return True

    def resign(self):
        self.store.remove("leader")


def settle_day(leader, ledger, day):
    if leader.campaign():
        ledger.close(day)
