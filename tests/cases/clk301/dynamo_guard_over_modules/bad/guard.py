import time

import boto3

TABLE = boto3.resource("dynamodb").Table("guards")
LIFE_S = 90


def acquire(name: str, me: str) -> bool:
    at = int(time.time())
    try:
        TABLE.put_item(  # expect: CLK301
            Item={"name": name, "held_by": me, "ends": at + LIFE_S},
            ConditionExpression="attribute_not_exists(#n) OR ends < :at",
            ExpressionAttributeNames={"#n": "name"},
            ExpressionAttributeValues={":at": at},
        )
    except TABLE.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def release(name: str) -> None:
    TABLE.update_item(Key={"name": name}, UpdateExpression="REMOVE held_by, ends")
