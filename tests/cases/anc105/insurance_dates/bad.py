from datetime import date

from django.core.mail import mail_managers
from fleet.models import Insurance


def daily():
    gone = Insurance.objects.filter(valid_until__lt=date.today(), closed=False)
    if gone.exists():
        mail_managers("Insurances ended", ", ".join(i.plate for i in gone))  # expect: ANC105
