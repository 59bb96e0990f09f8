import datetime as dt

from google.cloud import firestore

db = firestore.Client()


@firestore.transactional
def claim(tx, ref, me):
    snap = ref.get(transaction=tx)
    data = snap.to_dict()
    if data["state"] == "finished":
        return False
    if data["state"] == "working" and data["lease"] > dt.datetime.now(dt.UTC):  # expect: CLK301
        return False
    tx.update(
        ref, {"state": "working", "lease": dt.datetime.now(dt.UTC) + dt.timedelta(minutes=5), "worker": me}
    )
    return True


def complete(ref, total):
    ref.update({"state": "finished", "total": total})
