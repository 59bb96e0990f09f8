"""Reads meter values from a shard."""
import logging
import time

import boto3
from botocore.exceptions import ClientError

kinesis = boto3.client("kinesis")
log = logging.getLogger(__name__)


def drain(iterator, sink):
    while True:
        try:
            answer = kinesis.get_records(ShardIterator=iterator, Limit=500)  # expect: ANC102
        except ClientError as error:
            log.warning("no records: %s", error)
            time.sleep(60)
            continue
        sink(answer["Records"])
        iterator = answer["NextShardIterator"]
