import time

import requests


def watch(job, db):
    while True:
        if time.time() - job.started_at > 1800:
            db.execute("UPDATE jobs SET state = 'timed_out' WHERE id = ?", (job.id,))  # expect: ANC104
            return
        try:
            r = requests.get(f"https://api.x/jobs/{job.remote_id}", timeout=5)
        except requests.RequestException:
            time.sleep(30)
            continue
        if r.json()["state"] == "done":
            db.execute("UPDATE jobs SET state = 'done' WHERE id = ?", (job.id,))
            return
        time.sleep(30)
