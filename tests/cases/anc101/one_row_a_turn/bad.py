import time

HELD = 86400 * 2


def step(db, bank):
    row = db.execute("SELECT id, ref, held_at, goes FROM capture WHERE state = 'open' ORDER BY goes LIMIT 1").fetchone()
    if row is None:
        return False
    cid, ref, held_at, goes = row
    if time.time() > held_at + HELD:  # expect: ANC101
        db.execute("UPDATE capture SET goes = goes + 1 WHERE id = ?", (cid,))
        return True
    bank.capture(ref)
    db.execute("UPDATE capture SET state = 'done' WHERE id = ?", (cid,))
    return True
