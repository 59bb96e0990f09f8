from datetime import date, timedelta

from django.core.mail import mail_managers
from fleet.models import Insurance


def daily():
    soon = Insurance.objects.filter(valid_until__lt=date.today() + timedelta(days=30), closed=False)
    if soon.exists():
        mail_managers("Insurances end", ", ".join(i.plate for i in soon))
    gone = Insurance.objects.filter(valid_until__lt=date.today(), closed=False)
    if gone.exists():
        mail_managers("Insurances ended", ", ".join(i.plate for i in gone))
