"""Hands letters to the relay."""

import backoff
import smtplib


class Relay:
    def __init__(self, host: str, user: str, password: str) -> None:
        self._host, self._user, self._password = host, user, password

    @backoff.on_exception(backoff.expo, smtplib.SMTPException, max_value=120)  # expect: RTY206
    def hand_over(self, letter) -> None:
        with smtplib.SMTP(self._host) as relay:
            relay.login(self._user, self._password)
            relay.send_message(letter)
