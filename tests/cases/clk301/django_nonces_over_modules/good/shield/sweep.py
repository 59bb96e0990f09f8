from django.utils import timezone

from shield.limits import WINDOW
from shield.models import Used


def sweep() -> int:
    gone, _ = Used.objects.filter(at__lt=timezone.now() - 2 * WINDOW).delete()
    return gone
