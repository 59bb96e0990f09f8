import time

import boto3
import requests

s3 = boto3.client("s3")


def send_label(key, printer):
    address = s3.generate_presigned_url("get_object", Params={"Bucket": "labels", "Key": key}, ExpiresIn=300)
    for attempt in range(8):  # expect: ANC107
        answer = requests.post(printer, json={"label": address}, timeout=10)
        if answer.ok:
            return True
        time.sleep(2**attempt * 5)
    return False
