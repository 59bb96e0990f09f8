"""Asks the image service for thumbnails."""

import time


class Thumbs:
    def __init__(self, service) -> None:
        self._service = service

    def of(self, picture: str, width: int) -> bytes:
        try:
            return self._service.render(picture, width)
        except Exception:
            time.sleep(2)
            return self.of(picture, width)  # expect: RTY206
