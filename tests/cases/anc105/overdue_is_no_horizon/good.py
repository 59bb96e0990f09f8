from django.core.mail import send_mail
from django.utils import timezone
from library.models import Loan


def remind() -> None:
    for loan in Loan.objects.filter(due_at__lt=timezone.now(), told=False):
        send_mail("Please bring it back", "", None, [loan.reader.email])
