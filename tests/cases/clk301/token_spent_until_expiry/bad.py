from datetime import UTC, datetime

from sqlalchemy import text


class Seen(Exception):
    pass


def handle(conn, envelope, wallet):
    expires = datetime.fromisoformat(envelope["expires"])
    if datetime.now(UTC) >= expires:  # expect: CLK301
        raise Seen("expired")
    row = conn.execute(text("select 1 from spent where token = :t"), {"t": envelope["token"]}).first()
    if row is not None:
        raise Seen("spent")
    conn.execute(text("insert into spent (token, expires) values (:t, :e)"), {"t": envelope["token"], "e": expires})
    wallet.credit(envelope["amount"])


def vacuum(conn):
    conn.execute(text("delete from spent where expires < now()"))
