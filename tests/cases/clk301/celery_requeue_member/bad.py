from datetime import timedelta

from celery import shared_task
from django.utils import timezone
from jobs.models import Job
from jobs.run import process


@shared_task
def requeue_lost():
    lost = Job.objects.filter(status=Job.RUNNING, started__lt=timezone.now() - timedelta(hours=1))  # expect: CLK301
    for job in lost:
        job.status = Job.QUEUED
        job.save()
        run_job.delay(job.pk)


@shared_task
def run_job(pk):
    job = Job.objects.get(pk=pk)
    job.status = Job.RUNNING
    job.started = timezone.now()
    job.save()
    process(job)
    job.status = Job.DONE
    job.save()
