"""Works off the print spool."""

import logging
import queue

log = logging.getLogger("spool")


def work(spool: queue.Queue, printer) -> None:
    while True:
        sheet = spool.get()
        try:
            printer.print_sheet(sheet)
        except Exception as error:
            log.warning("%s: %s", sheet.id, error)
            spool.put(sheet)  # expect: RTY206
