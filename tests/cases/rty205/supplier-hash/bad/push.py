import redis
import requests
from django.db.models import F

from suppliers.models import Supplier

MOST_REFUSALS = 40


def push(server: redis.Redis, supplier: str, order: dict) -> None:
    """Called once for each order."""
    key = f"supplier:{supplier}"
    try:
        reply = requests.post(server.hget(key, "address"), json=order, timeout=5)
        reply.raise_for_status()
    except requests.RequestException:
        if server.hincrby(key, "refusals", 1) >= MOST_REFUSALS:  # expect: RTY205
            server.hset(key, "off", "yes")
        return
    server.hset(key, "order", order["number"])


def stock(supplier: Supplier) -> None:
    try:
        reply = requests.get(supplier.address, timeout=5)
        reply.raise_for_status()
    except requests.RequestException:
        supplier.gaps += 1  # expect: RTY205
        if supplier.gaps >= MOST_REFUSALS:
            supplier.off = True
        supplier.save()
        return
    supplier.last_stock = reply.headers["Date"]
    supplier.save()


def prices(number: int) -> None:
    rows = Supplier.objects.filter(pk=number)
    try:
        reply = requests.get(rows.get().address, timeout=5)
        reply.raise_for_status()
    except requests.RequestException:
        rows.update(blanks=F("blanks") + 1)  # expect: RTY205
        rows.filter(blanks__gte=MOST_REFUSALS).update(off=True)
        return
    rows.update(last_priced=reply.headers["Date"])
