"""Sign-ups wait for a check that an agency makes."""

from datetime import timedelta

import agency
from django.utils import timezone
from people.models import SignUp

LIMIT = timedelta(days=14)


def poll() -> None:
    for entry in SignUp.objects.filter(state="checking"):
        report = agency.report(entry.case_number)
        if report.closed:
            entry.state = report.verdict
            entry.save()


def close_old() -> None:
    SignUp.objects.filter(state="checking", asked_at__lt=timezone.now() - LIMIT).update(  # expect: ANC104
        state="refused"
    )
