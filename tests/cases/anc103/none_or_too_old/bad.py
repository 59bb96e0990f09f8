from datetime import timedelta

from django.utils import timezone
from logs.client import fetch
from logs.models import Line, Source

LIMIT = timedelta(hours=72)


def pull(source: Source):
    floor = timezone.now() - LIMIT
    begin = floor if source.synced_to is None or source.synced_to < floor else source.synced_to  # expect: ANC103
    for line in fetch(source.name, begin):
        Line.objects.create(source=source, text=line)
    source.synced_to = timezone.now()
    source.save()
