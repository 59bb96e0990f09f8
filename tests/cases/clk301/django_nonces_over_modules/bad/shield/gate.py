from django.utils import timezone

from shield.limits import WINDOW
from shield.models import Used


class Refused(Exception):
    pass


def admit(call) -> None:
    if call.made_at < timezone.now() - WINDOW:  # expect: CLK301
        raise Refused("too old")
    if Used.objects.filter(value=call.nonce).exists():
        raise Refused("seen before")
    Used.objects.create(value=call.nonce, at=timezone.now())
    call.account.debit(call.cents)
