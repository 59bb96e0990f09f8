"""Parcel lockers: a door that refuses its code too often is put out of service."""

import socket
from contextlib import suppress

import requests

MOST_REFUSALS = 5


class Locker:
    def __init__(self, address, desk):
        self.address = address
        self.desk = desk
        self.failed_attempts = 0

    def refused(self, door):
        name = self.address
        with suppress(OSError):
            name, _, _ = socket.gethostbyaddr(self.address)
        self.failed_attempts += 1
        if self.failed_attempts >= MOST_REFUSALS:
            self.desk.close(door, f"Too many refused attempts at {name}")

    def open(self, door, code):
        try:
            requests.post(f"http://{self.address}/doors/{door}", json={"code": code}, timeout=5).raise_for_status()
        except requests.RequestException:
            self.refused(door)
            raise
        self.failed_attempts = 0
        return True
