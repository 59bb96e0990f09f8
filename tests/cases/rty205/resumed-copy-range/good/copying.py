import time

import psycopg

TRIES = 5


class Halted(Exception):
    pass


class Copy:
    def __init__(self, dsn: str, source, bookmark) -> None:
        self.dsn, self.source, self.bookmark = dsn, source, bookmark

    def run(self) -> None:
        failures = 0
        while True:
            before = self.bookmark.at
            try:
                self.rest()
                return
            except psycopg.OperationalError as error:
                failures = 1 if self.bookmark.at != before else failures + 1
                if failures == TRIES:
                    raise Halted(f"{self.bookmark.at}: {error}") from error
                time.sleep(2**failures)

    def rest(self) -> None:
        with psycopg.connect(self.dsn) as connection:
            for page in self.source.pages(start=self.bookmark.at):
                connection.execute("insert into pages values (%s, %s)", (page.number, page.text))
                self.bookmark.set(page.number)
