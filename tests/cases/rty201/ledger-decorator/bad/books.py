import tenacity


def closed_after(state: tenacity.RetryCallState) -> dict:
    return {"booked": False, "note": f"{state.attempt_number} attempts used up"}  # expect: RTY201


@tenacity.retry(
    stop=tenacity.stop_after_attempt(4),
    wait=tenacity.wait_fixed(2),
    retry=tenacity.retry_if_exception_type(ConnectionError),
    retry_error_callback=closed_after,
)
def book(ledger, entry: dict) -> dict:
    return ledger.insert(entry)
