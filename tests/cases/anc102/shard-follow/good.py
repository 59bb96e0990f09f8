"""Reads meter values from a shard."""
import time

import boto3
from botocore.exceptions import ClientError

kinesis = boto3.client("kinesis")


def opened(stream, shard, after):
    return kinesis.get_shard_iterator(
        StreamName=stream, ShardId=shard, ShardIteratorType="AFTER_SEQUENCE_NUMBER", StartingSequenceNumber=after
    )["ShardIterator"]


def drain(stream, shard, after, sink):
    iterator = opened(stream, shard, after)
    while True:
        try:
            answer = kinesis.get_records(ShardIterator=iterator, Limit=500)
        except ClientError:
            time.sleep(60)
            iterator = opened(stream, shard, after)
            continue
        sink(answer["Records"])
        iterator = answer["NextShardIterator"]
