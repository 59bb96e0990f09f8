import time

import boto3

TABLE = boto3.resource("dynamodb").Table("guards")
LIFE_S = 90


def acquire(name: str, me: str) -> int | None:
    at = int(time.time())
    old = TABLE.get_item(Key={"name": name}, ConsistentRead=True).get("Item", {"turn": 0, "ends": 0})
    if old["ends"] >= at:
        return None
    try:
        TABLE.put_item(
            Item={"name": name, "held_by": me, "ends": at + LIFE_S, "turn": old["turn"] + 1},
            ConditionExpression="attribute_not_exists(#n) OR turn = :turn",
            ExpressionAttributeNames={"#n": "name"},
            ExpressionAttributeValues={":turn": old["turn"]},
        )
    except TABLE.meta.client.exceptions.ConditionalCheckFailedException:
        return None
    return old["turn"] + 1
