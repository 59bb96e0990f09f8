import json
import time

from feed import publish

FRESH_S = 3600


def handle(body):
    if time.time() - body["at"] > FRESH_S:  # expect: ANC101
        raise ValueError("too old")
    publish(body["text"])


def poll(sqs, url):
    answer = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)
    for message in answer.get("Messages", []):
        try:
            handle(json.loads(message["Body"]))
        except Exception as error:
            print("kept", error)
            continue
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
