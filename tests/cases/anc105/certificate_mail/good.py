from datetime import UTC, datetime, timedelta

from django.core.mail import mail_admins

NOTICE = timedelta(days=21)


def check(certificates) -> None:
    for certificate in certificates:
        if certificate.not_valid_after < datetime.now(UTC) + NOTICE:
            mail_admins("A certificate runs out soon", certificate.subject)
