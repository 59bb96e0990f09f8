from django.utils import timezone

from shield.limits import WINDOW
from shield.models import Used


class Refused(Exception):
    pass


def admit(call) -> None:
    if call.made_at < timezone.now() - WINDOW:
        raise Refused("too old")
    if call.number <= call.account.highest_number:
        raise Refused("an older number")
    if Used.objects.filter(value=call.nonce).exists():
        raise Refused("seen before")
    Used.objects.create(value=call.nonce, at=timezone.now())
    call.account.debit(call.cents)
    call.account.highest_number = call.number
