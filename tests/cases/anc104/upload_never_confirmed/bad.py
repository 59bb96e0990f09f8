from datetime import timedelta

import boto3
from django.utils import timezone
from media.models import Upload

s3 = boto3.client("s3")


def complete(request, pk):
    upload = Upload.objects.get(pk=pk)
    head = s3.head_object(Bucket="b", Key=upload.key)
    if head["ContentLength"] == upload.size:
        upload.status = "ready"
        upload.save()


def cleanup():
    for upload in Upload.objects.filter(status="started", created__lt=timezone.now() - timedelta(days=1)):
        upload.delete()  # expect: ANC104
