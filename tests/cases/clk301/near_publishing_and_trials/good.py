from datetime import timedelta

from blog.models import Post, Trial
from django.utils import timezone


def publish():
    Post.objects.filter(state="scheduled", publish_at__lte=timezone.now()).update(state="public")


def end_trials():
    for t in Trial.objects.filter(state="active", ends_at__lt=timezone.now()):
        t.state = "ended"
        t.save()


def extend(t, days):
    t.ends_at = timezone.now() + timedelta(days=days)
    t.state = "active"
    t.save()
