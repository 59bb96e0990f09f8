from django.core.mail import send_mail
from django.utils import timezone
from library.models import Card


def remind() -> None:
    for card in Card.objects.filter(valid_until__lt=timezone.now(), told=False):
        send_mail("Your card has ended", "", None, [card.reader.email])  # expect: ANC105
