import json
import time

from confluent_kafka import Consumer, TopicPartition

from desk import Desk

BOOKABLE_S = 3 * 3600


class Refused(Exception):
    pass


def book(trip, desk: Desk):
    if time.time() >= trip["asked_at"] + BOOKABLE_S:
        raise Refused(trip["code"])
    if not desk.book(trip["code"]):
        raise Refused(trip["code"])


def run(consumer: Consumer, desk: Desk):
    while True:
        message = consumer.poll(1.0)
        if message is None or message.error():
            continue
        try:
            book(json.loads(message.value()), desk)
        except Refused:
            time.sleep(2)
            consumer.seek(TopicPartition(message.topic(), message.partition(), message.offset() + 1))
