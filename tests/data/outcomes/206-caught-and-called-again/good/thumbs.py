"""Asks the image service for thumbnails."""

import time


class Thumbs:
    def __init__(self, service) -> None:
        self._service = service

    def of(self, picture: str, width: int, tries: int = 5) -> bytes:
        try:
            return self._service.render(picture, width)
        except Exception:
            if tries <= 1:
                raise
            time.sleep(2)
            return self.of(picture, width, tries - 1)
