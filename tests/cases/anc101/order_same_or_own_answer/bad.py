import time

SPAN_S = 90 * 86400


def line(entry, api):
    if entry.booked_at < time.time() - SPAN_S:  # expect: ANC101
        return None
    return api.line(entry.id)


def match(entries, api):
    for entry in entries:
        found = line(entry, api)
        if found is None:
            entry.tries += 1
            if entry.tries < 30:
                continue
        entry.result = found
