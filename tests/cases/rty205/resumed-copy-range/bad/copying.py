import time

import psycopg

TRIES = 5


class Halted(Exception):
    pass


class Copy:
    def __init__(self, dsn: str, source, bookmark) -> None:
        self.dsn, self.source, self.bookmark = dsn, source, bookmark

    def run(self) -> None:
        for n in range(TRIES):  # expect: RTY205
            try:
                self.rest()
                return
            except psycopg.OperationalError as error:
                if n == TRIES - 1:
                    raise Halted(f"{self.bookmark.at}: {error}") from error
                time.sleep(2**n)

    def rest(self) -> None:
        with psycopg.connect(self.dsn) as connection:
            for page in self.source.pages(start=self.bookmark.at):
                connection.execute("insert into pages values (%s, %s)", (page.number, page.text))
                self.bookmark.set(page.number)
