from datetime import datetime, timedelta

import paypal


class Status:
    OPEN = "open"
    PAID = "paid"
    CANCELLED = "cancelled"


def poll(session, Invoice):
    for inv in session.query(Invoice).filter(Invoice.status == Status.OPEN):
        order = paypal.orders.get(inv.order_id)
        if order.status == "COMPLETED":
            inv.status = Status.PAID
    session.commit()


def cancel_stale(session, Invoice):
    cutoff = datetime.utcnow() - timedelta(hours=2)
    session.query(Invoice).filter(Invoice.status == Status.OPEN, Invoice.created_at < cutoff).update(  # expect: ANC104
        {"status": Status.CANCELLED}
    )
    session.commit()
