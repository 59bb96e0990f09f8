import time


class Thumbs:
    def __init__(self, cache, maker):
        self.cache = cache
        self.maker = maker

    def get(self, key):
        entry = self.cache.get(key)
        if entry and entry["state"] == "ready" and entry["until"] > time.time():
            return entry["data"]
        if entry and entry["state"] == "making" and entry["until"] > time.time():
            return None
        self.cache.set(key, {"state": "making", "until": time.time() + 30})
        data = self.maker(key)
        self.cache.set(key, {"state": "ready", "data": data, "until": time.time() + 3600})
        return data
