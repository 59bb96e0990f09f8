import requests
from celery import Celery

from links import link

app = Celery("clips", broker="amqp://mq")


def take_over(clip):
    import_clip.delay(clip.id, link(clip.key))


@app.task(bind=True, max_retries=6)
def import_clip(self, clip_id, source):
    try:
        requests.get(source, timeout=30).raise_for_status()
    except requests.ConnectionError as error:
        raise self.retry(exc=error, countdown=60 * 2**self.request.retries)
