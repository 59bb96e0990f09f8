import time

from prometheus_client import Gauge

LAG = Gauge("lag", "lag")


def watch(consumer, pager):
    lag = time.time() - consumer.last_at
    LAG.set(lag)
    if lag > 300:
        pager.notify("lagging")


def overdue(tasks, mailer):
    for t in tasks:
        if t.due_at < time.time():
            mailer.send_mail("overdue", t.name)
