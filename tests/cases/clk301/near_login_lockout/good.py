import time


def login(db, user, password):
    row = db.execute("select failed, locked_until from users where name = ?", (user,)).fetchone()
    if row[1] and row[1] > time.time():
        raise PermissionError("locked")
    if not check(password):
        db.execute("update users set failed = failed + 1, locked_until = ? where name = ?", (time.time() + 900, user))
        return False
    db.execute("update users set failed = 0, locked_until = null where name = ?", (user,))
    return True


def check(p): ...
