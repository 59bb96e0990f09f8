from datetime import UTC, datetime

from django.core.mail import mail_admins


def check(certificates) -> None:
    for certificate in certificates:
        if certificate.not_valid_after < datetime.now(UTC):
            mail_admins("A certificate has run out", certificate.subject)  # expect: ANC105
