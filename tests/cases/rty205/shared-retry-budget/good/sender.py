import time

import httpx

from allowance import Allowance


class Sender:
    def __init__(self, client: httpx.Client, allowance: Allowance) -> None:
        self.client, self.allowance = client, allowance

    def run(self, messages) -> None:
        while True:
            message = messages.take()
            while True:
                try:
                    self.client.post("/messages", json=message)
                    break
                except httpx.TransportError as error:
                    self.allowance.use(error)
                    time.sleep(1)
            self.allowance.restore()
