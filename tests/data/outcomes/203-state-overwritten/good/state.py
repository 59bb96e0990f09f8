"""Keeps how far each export got, as one object in a bucket."""

import json

import botocore.exceptions

KEY = "exports/state.json"


class States:
    def __init__(self, s3, bucket: str) -> None:
        self._s3 = s3
        self._bucket = bucket

    def read(self) -> dict:
        try:
            found = self._s3.get_object(Bucket=self._bucket, Key=KEY)
        except botocore.exceptions.ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return {}
            raise
        return json.loads(found["Body"].read())

    def write(self, states: dict) -> None:
        self._s3.put_object(Bucket=self._bucket, Key=KEY, Body=json.dumps(states))


def finished(states: States, export: str, row: int) -> None:
    all_of_them = states.read()
    all_of_them[export] = row
    states.write(all_of_them)
