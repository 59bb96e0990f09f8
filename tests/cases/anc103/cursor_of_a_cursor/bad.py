import time

MAX_BACK = 3600 * 24 * 3


def sync(cur, api):
    cur.execute("SELECT value FROM cursors WHERE name = 'orders'")
    last = cur.fetchone()[0]
    start = max(last, int(time.time()) - MAX_BACK)  # expect: ANC103
    for o in api.orders(start):
        cur.execute("INSERT INTO orders (id) VALUES (%s)", (o.id,))
    cur.execute("UPDATE cursors SET value = %s WHERE name = 'orders'", (int(time.time()),))
