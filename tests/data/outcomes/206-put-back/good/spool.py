"""Works off the print spool."""

import logging
import queue

log = logging.getLogger("spool")


def work(spool: queue.Queue, printer, rejected: list) -> None:
    while True:
        sheet = spool.get()
        try:
            printer.print_sheet(sheet)
        except Exception as error:
            log.warning("%s: %s", sheet.id, error)
            sheet.goes += 1
            if sheet.goes < 5:
                spool.put(sheet)
            else:
                rejected.append((sheet, error))
