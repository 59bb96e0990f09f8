import json
import time

LIMIT = 7200


class Worker:
    def __init__(self, broker):
        self.broker = broker

    def on_message(self, message):
        body = json.loads(message.body)
        if time.time() - body["sent_at"] > LIMIT:
            self.broker.bury(body["id"], "older than the receiver takes")
            return
        self.handle(body)

    def handle(self, body):
        print(body)
        self.broker.done(body["id"])
