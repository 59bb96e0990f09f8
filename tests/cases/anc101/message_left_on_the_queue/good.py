import json
import time

from feed import publish

FRESH_S = 3600


def poll(sqs, url):
    answer = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)
    for message in answer.get("Messages", []):
        body = json.loads(message["Body"])
        if time.time() - body["at"] <= FRESH_S:
            try:
                publish(body["text"])
            except OSError as error:
                print("kept", error)
                continue
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
