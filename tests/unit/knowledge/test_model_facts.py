"""What the models say of well-known calls, and that no table gets lost unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import msgspec
import pytest

from anchorlint.knowledge.models import Models, models
from house.source import ROOT

LISTING = ROOT / "tests" / "data" / "models.txt"
DAY_S = 86400

FACTS: list[tuple[str, Callable[[Models], Any], Any]] = [
    (
        "a Celery result is kept for a day",
        lambda m: m.store_read("celery.result.AsyncResult.get")[0].life.default_s,
        DAY_S,
    ),
    (
        "an unknown Celery task is PENDING",
        lambda m: m.store_read("celery.result.AsyncResult.state")[1].miss,
        ("eq:PENDING",),
    ),
    ("Celery on Redis redelivers after an hour", lambda m: m.broker("rediss").visibility.default_s, 3600),
    ("RabbitMQ waits half an hour for an ack", lambda m: m.broker("amqp").visibility.default_s, 1800),
    ("a queue of SQS keeps for four days", lambda m: m.broker("sqs queue").retention.default_s, 4 * DAY_S),
    (
        "a presigned address of S3 lives an hour",
        lambda m: m.handle("boto3.client.s3.generate_presigned_url").life.default_s,
        3600,
    ),
    (
        "a shard iterator of Kinesis lives five minutes",
        lambda m: m.handle("boto3.client.kinesis.get_shard_iterator").life.default_s,
        300,
    ),
    (
        "one of a DynamoDB stream a quarter of an hour",
        lambda m: m.handle("boto3.client.dynamodbstreams.get_shard_iterator").life.default_s,
        900,
    ),
    ("a role of STS lasts an hour", lambda m: m.handle("boto3.client.sts.assume_role").life.default_s, 3600),
    (
        "Django's cache keeps for five minutes",
        lambda m: m.store_read("django.core.cache.cache.get")[0].life.default_s,
        300,
    ),
    (
        "memcached reads 30 days as an instant",
        lambda m: m.store_write("pylibmc.Client.set")[0].absolute_from_s,
        30 * DAY_S,
    ),
    (
        "Redis takes px in milliseconds",
        lambda m: [a.unit for a in m.unit("redis.Redis.set").args if a.kw == "px"],
        ["ms"],
    ),
    (
        "dramatiq tries twenty times more",
        lambda m: (m.retry_decorator("dramatiq.actor").attempts.default, m.retry_decorator("dramatiq.actor").counts),
        (20, "retries"),
    ),
    ("tenacity never ends by itself", lambda m: m.retry_decorator("tenacity.retry").stop.default, inf),
    ("tenacity counts the first try", lambda m: m.stop("tenacity.stop_after_attempt").tries.unit, "n"),
    ("tenacity's exponential wait doubles", lambda m: m.wait("tenacity.wait_exponential").wait.base.default, 2),
    ("stamina ends after 45 s", lambda m: m.retry_decorator("stamina.retry").until.default_s, 45),
    ("retrying counts in milliseconds", lambda m: m.retry_decorator("retrying.retry").until.unit, "ms"),
    ("urllib3 does not wait before its first retry", lambda m: m.policy("urllib3.util.retry.Retry").wait.skipped, 1),
    (
        "Celery retries three times, three minutes apart",
        lambda m: (
            m.retry_decorator("celery.shared_task").attempts.default,
            m.retry_decorator("celery.shared_task").wait.instead.default_s,
        ),
        (3, 180),
    ),
    ("arq has five tries", lambda m: m.retry_raise("arq.Retry").attempts.default, 5),
    (
        "kopf tries for ever, every minute",
        lambda m: (
            m.retry_decorator("kopf.on.create").attempts.default,
            m.retry_decorator("kopf.on.create").wait.first.default_s,
        ),
        (inf, 60),
    ),
    (
        "a sensor of Airflow pokes for a week",
        lambda m: m.poll("airflow.sensors.base.BaseSensorOperator").until.default_s,
        7 * DAY_S,
    ),
    ("Temporal tries for ever", lambda m: m.policy("temporalio.common.RetryPolicy").attempts.default, inf),
    ("an expired signature is expired", lambda m: m.meaning("itsdangerous.SignatureExpired"), ("expired",)),
    (
        "a webhook of Stripe is good for five minutes",
        lambda m: m.gate("stripe.Webhook.construct_event").slack.default_s,
        300,
    ),
    (
        "a token refuses from exp on",
        lambda m: (m.gate("jwt.decode").instant, m.gate("jwt.decode").raises),
        ("exp", ("jwt.exceptions.ExpiredSignatureError",)),
    ),
    ("404 says that it is not there", lambda m: m.code_meaning("404"), ("gone",)),
    ("an error of a connection says nothing", lambda m: m.meaning("requests.exceptions.ConnectTimeout"), ("outage",)),
    (
        "a transport error of httpx holds no status",
        lambda m: m.families.is_subclass("httpx.HTTPStatusError", "httpx.TransportError"),
        False,
    ),
    ("basic_nack gives back by default", lambda m: m.ack("pika.channel.Channel.basic_nack").requeue.default, 1),
    ("the loop's clock is its own", lambda m: m.clock("asyncio.BaseEventLoop.time").clock, "loop"),
    ("the database's now is the database's", lambda m: m.clock("sqlalchemy.func.now").clock, "db"),
    (
        "cache is Django's",
        lambda m: m.families.instance("django.core.cache.cache"),
        "django.core.cache.backends.base.BaseCache",
    ),
    (
        "an address of GitHub is known",
        lambda m: m.store_at("https://api.github.com/repos/a/b/actions/artifacts/7").life.default_s,
        90 * DAY_S,
    ),
    ("a client of SQS is known by its name", lambda m: m.families.made("boto3.client", "sqs"), "boto3.client.sqs"),
    (
        "Gmail's history is asked for by its id",
        lambda m: m.store_read("*.list", "history")[1].needs,
        ("startHistoryId",),
    ),
    ("another list is not", lambda m: m.store_read("*.list", "parcels"), None),
]


@pytest.mark.parametrize(("told", "said"), [fact[1:] for fact in FACTS], ids=[fact[0] for fact in FACTS])
def test_the_models_say_so(told: Callable[[Models], Any], said: Any) -> None:
    assert told(models()) == said


def test_no_table_is_lost(bless: bool) -> None:
    listed = "\n".join(listing()) + "\n"
    if bless:
        LISTING.write_text(listed, encoding="utf-8")
    assert listed == LISTING.read_text(encoding="utf-8"), "run `pytest --bless` if this is meant"


def listing() -> list[str]:
    """One line for each table: its kind and the first name that it is found by."""
    known = models()
    kinds = {name: value for name, value in vars(known).items() if isinstance(value, tuple)}
    kinds |= {f"retry.{name}": getattr(known.retries, name) for name in known.retries.__struct_fields__}
    return sorted(f"{kind} {first_name(table)}" for kind, tables in kinds.items() for table in tables)


def first_name(table: msgspec.Struct) -> str:
    """The first call of a table; of one without calls its name, library or states."""
    for field in ("calls", "name", "library", "states"):
        value = getattr(table, field, None)
        if value:
            return value[0] if isinstance(value, tuple) else value
    return str(table)
