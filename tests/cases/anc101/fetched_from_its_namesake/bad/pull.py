def pull(recordings, calls, table):
    for call in calls.where(status="queued"):
        audio = recordings.fetch(call)
        if audio is None:
            call.attempts += 1
            table.save(call)
            continue
        call.status = "stored"
        table.save(call)
