import json
import time

LIMIT = 7200


class Worker:
    def __init__(self, broker):
        self.broker = broker

    def on_message(self, message):
        body = json.loads(message.body)
        if time.time() - body["sent_at"] > LIMIT:  # expect: ANC101
            again = dict(body, tries=body.get("tries", 0) + 1)
            if again["tries"] < 10:
                self.broker.enqueue(json.dumps(again))
            return
        self.handle(body)

    def handle(self, body):
        print(body)
        self.broker.done(body["id"])
