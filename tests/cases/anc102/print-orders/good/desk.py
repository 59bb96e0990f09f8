"""Collects proofs for the orders that wait for one; cron runs it every ten minutes."""
from press import Press


def collect(db, press: Press) -> None:
    for order in db.orders(phase="proofing"):
        proof = press.proof(order.proof_number)
        if proof is None:
            order.proof_number = press.order(order.layout)
            order.looks += 1
            if order.looks >= 900:
                order.phase = "cancelled"
            db.save(order)
            continue
        order.phase = "proofed"
        db.keep(order, proof)
