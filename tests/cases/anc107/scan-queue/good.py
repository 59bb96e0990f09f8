import json

import boto3

sqs = boto3.client("sqs")


def make(dead):
    policy = json.dumps({"deadLetterTargetArn": dead, "maxReceiveCount": 20})
    return sqs.create_queue(
        QueueName="scans",
        Attributes={"VisibilityTimeout": "10800", "MessageRetentionPeriod": "345600", "RedrivePolicy": policy},
    )
