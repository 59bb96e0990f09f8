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
        if server.hincrby(key, "refusals", 1) >= MOST_REFUSALS:
            server.hset(key, "off", "yes")
        return
    server.hset(key, mapping={"order": order["number"], "refusals": 0})


def stock(supplier: Supplier) -> None:
    try:
        reply = requests.get(supplier.address, timeout=5)
        reply.raise_for_status()
    except requests.RequestException:
        supplier.gaps += 1
        if supplier.gaps >= MOST_REFUSALS:
            supplier.off = True
        supplier.save()
        return
    supplier.last_stock = reply.headers["Date"]
    supplier.gaps = 0
    supplier.save()


def prices(number: int) -> None:
    rows = Supplier.objects.filter(pk=number)
    try:
        reply = requests.get(rows.get().address, timeout=5)
        reply.raise_for_status()
    except requests.RequestException:
        rows.update(blanks=F("blanks") + 1)
        rows.filter(blanks__gte=MOST_REFUSALS).update(off=True)
        return
    rows.update(last_priced=reply.headers["Date"], blanks=0)


def build(server: redis.Redis, job: str, make) -> None:
    """One job: its tries are its own."""
    try:
        sheet = make(job)
    except OSError:
        if server.incr(f"tries:{job}") > MOST_REFUSALS:
            server.sadd("given-up", job)
        return
    server.set(f"sheet:{job}", sheet)
