import time


def since(account):
    return max(account.created_at, time.time() - 30 * 86400)


def report(db, account, sink):
    start = since(account)
    rows = db.execute("select * from use where at > ?", (start,)).fetchall()
    sink.write(rows)


def next_try(last):
    return max(last + 5, time.time() - 1)


def history(db, user):
    begin = max(user.first_seen, time.time() - 86400)
    db.execute("insert into views (user) values (?)", (user.id,))
    return db.execute("select * from h where at > ?", (begin,)).fetchall()
