import smtplib
import time

TOKEN_LIFETIME = 90 * 86400


def nightly(tokens, smtp):
    for t in tokens:
        age = time.time() - t.issued_at
        if age > TOKEN_LIFETIME:
            smtp_send(smtp, t)  # expect: ANC105


def smtp_send(smtp, t):
    with smtplib.SMTP("mail") as s:
        s.sendmail("a", t.owner, "your token has expired")
