"""Sign-ups wait for the person to follow a link that we promised to honour for a while."""

from datetime import timedelta

from django.utils import timezone
from people.models import SignUp

LIMIT = timedelta(days=14)


def confirm(request, token: str) -> None:
    entry = SignUp.objects.get(token=token, state="checking")
    entry.state = "confirmed"
    entry.save()


def close_old() -> None:
    SignUp.objects.filter(state="checking", asked_at__lt=timezone.now() - LIMIT).update(state="refused")
