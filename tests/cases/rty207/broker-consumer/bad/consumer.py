import time

import pika
from pika.exceptions import AMQPConnectionError


class Gone(Exception):
    pass


class Consumer:
    most_restarts = 10

    def __init__(self, parameters: pika.ConnectionParameters, handle) -> None:
        self.parameters, self.handle = parameters, handle
        self.restarts = 0

    def run(self) -> None:
        while True:
            try:
                self.consume()
            except AMQPConnectionError as error:
                self.restarts += 1
                if self.restarts > self.most_restarts:
                    raise Gone(str(error)) from error
                time.sleep(min(60, 2**self.restarts))

    def consume(self) -> None:
        connection = pika.BlockingConnection(self.parameters)
        channel = connection.channel()
        channel.basic_qos(prefetch_count=10)
        self.restarts = 0  # expect: RTY207
        for method, _, body in channel.consume("orders"):
            self.handle(body)
            channel.basic_ack(method.delivery_tag)
