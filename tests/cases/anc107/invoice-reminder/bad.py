from celery import Celery

app = Celery("invoices", broker="redis://cache:6379/2")
GRACE_H = 30


@app.task
def remind(invoice):
    print(invoice)


def issued(invoice):
    remind.apply_async(args=(invoice,), countdown=GRACE_H * 3600)  # expect: ANC107
