import boto3

s3 = boto3.client("s3")


def link(key):
    return s3.generate_presigned_url("get_object", Params={"Bucket": "clips", "Key": key}, ExpiresIn=20 * 60)
