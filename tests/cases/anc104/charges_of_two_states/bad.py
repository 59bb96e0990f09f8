from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from pay.gateway import api
from pay.models import Charge


def webhook(request):
    event = api.parse(request.body)
    Charge.objects.filter(ref=event.ref).update(state="settled")


def expire_charges():
    old = timezone.now() - timedelta(minutes=45)
    for c in Charge.objects.filter(Q(state="new") | Q(state="waiting"), made__lt=old):
        c.state = "void"  # expect: ANC104
        c.save()
