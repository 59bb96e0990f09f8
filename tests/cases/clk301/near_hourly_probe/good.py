import time


class Poller:
    def __init__(self, rows):
        self.rows = rows

    def tick(self, site):
        row = self.rows.get(site)
        if row["checked_at"] + row["every"] > time.time():
            return None
        row["checked_at"] = time.time()
        row["state"] = "checking"
        self.rows.put(site, row)
        ok = probe(site)
        row["state"] = "up" if ok else "down"
        self.rows.put(site, row)
        return ok


def probe(s): ...
