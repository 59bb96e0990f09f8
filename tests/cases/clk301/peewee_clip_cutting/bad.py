"""Peewee queue."""

import datetime

from peewee import CharField, DateTimeField, Model


class Clip(Model):
    stage = CharField(default="raw")
    host = CharField(null=True)
    until = DateTimeField(null=True)


def next_clip(host):
    now = datetime.datetime.utcnow()
    clip = Clip.select().where((Clip.stage == "cutting") & (Clip.until < now)).first()  # expect: CLK301
    if clip is None:
        clip = Clip.select().where(Clip.stage == "raw").first()
    if clip is None:
        return None
    clip.stage = "cutting"
    clip.host = host
    clip.until = now + datetime.timedelta(minutes=15)
    clip.save()
    return clip


def finished(clip, path):
    clip.stage = "cut"
    clip.path = path
    clip.save()
