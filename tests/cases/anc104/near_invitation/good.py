import time

import requests


class Job:
    pass


def poll(job, store):
    r = requests.get(f"https://x/{job.id}")
    if r.status_code != 200:
        return
    if r.json()["state"] == "done":
        job.state = "done"
    elif time.time() - job.created > 3600:
        job.state = "stuck"
    store.save(job)


def invite_accept(invite, user):
    if invite.expires_at < time.time():
        invite.state = "expired"
        return False
    invite.state = "accepted"
    return True
