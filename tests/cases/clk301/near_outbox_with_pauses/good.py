from datetime import timedelta

from django.utils import timezone
from mail.models import Outgoing


def drain(smtp):
    for m in Outgoing.objects.filter(state="pending", next_at__lte=timezone.now()):
        m.state = "sending"
        m.save()
        try:
            smtp.send(m.body)
        except OSError as err:
            m.state = "pending"
            m.next_at = timezone.now() + timedelta(minutes=5)
            m.error = str(err)
            m.save()
            continue
        m.state = "sent"
        m.save()
