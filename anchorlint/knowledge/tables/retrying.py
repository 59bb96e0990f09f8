"""Tables about what makes the same work be tried again, and for how long."""

from __future__ import annotations

from typing import Literal

import msgspec

from anchorlint.knowledge.tables.parts import Argument, Names, Part, Table


class Waiting(Part, frozen=True, kw_only=True):
    """The pause before a retry. With n = 0 for the first one:

    `constant` first; `linear` first + n * step; `exponential` first * base ** n; `random` from first to cap;
    `fibonacci` first * 1, 1, 2, 3 …; `sequence` one after the other of a list; `sum` of the wait objects given;
    `object` stands in the argument `given` (see `retry.wait`); `other` says in `text` what it is. `least` and `cap`
    bound each pause, `jitter` is added at most, `full_jitter` makes it anything from 0 up to the pause, the first
    `skipped` retries do not wait. `instead` is the constant pause where `first` is not given.
    """

    shape: Literal["constant", "linear", "exponential", "fibonacci", "sequence", "random", "sum", "object", "other"]
    first: Argument | None = None
    step: Argument | None = None
    base: Argument | None = None
    least: Argument | None = None
    cap: Argument | None = None
    jitter: Argument | None = None
    full_jitter: bool = False
    skipped: int = 0
    given: Argument | None = None
    instead: Argument | None = None
    text: str = ""


class Caught(Part, frozen=True, kw_only=True):
    """Which failures make it try again: classes given by an argument, else `default`.

    `spared` gives classes that are let through, `spared_classes` are always so. `when` holds a condition object of
    `retry.when`, `test` a function that is true to try again, `stops` one that is true to give up. `statuses` gives
    HTTP statuses, else `default_statuses`.
    """

    given: Argument | None = None
    default: Names = ()
    spared: Argument | None = None
    spared_classes: Names = ()
    when: Argument | None = None
    test: Argument | None = None
    stops: Argument | None = None
    statuses: Argument | None = None
    default_statuses: tuple[int, ...] = ()


class Retry(Table, frozen=True, kw_only=True):
    """A construct that tries the same work again.

    One of `needs`, if there are any, must be given for it to retry at all. `attempts` counts `tries`, the first
    included, or `retries` after it; `until` bounds the time of all tries, `limit` that of one. `stop` holds a stop
    object of `retry.stop`. `ends` is raised once the budget is spent, unless `reraise` is true or it always `reraises`
    the failure. `result` holds a test of the result and `again` its answer that repeats; `without_result` is the answer
    that repeats where no test is given. `callable` holds the repeated function, `every` the pause of a poll. `methods`
    are polled methods that a subclass of `calls` overrides. `delay` says when work that is put back comes back,
    `expires` how long it may wait, `message` what is put back. `attaches` are parameters
    (`requests.adapters.HTTPAdapter.max_retries`) at which a policy takes effect. `settings` are configuration keys for
    an option that is absent here: option -> key.
    """

    calls: Names
    receiver: Names = ()
    needs: Names = ()
    caught: Caught | None = None
    attempts: Argument | None = None
    counts: Literal["tries", "retries"] = "tries"
    until: Argument | None = None
    limit: Argument | None = None
    stop: Argument | None = None
    wait: Waiting | None = None
    delay: tuple[Argument, ...] = ()
    expires: tuple[Argument, ...] = ()
    reraise: Argument | None = None
    reraises: bool = False
    ends: Names = ()
    callable: Argument | None = None
    result: Argument | None = None
    again: Literal["", "falsy", "truthy", "none"] = ""
    without_result: Literal["", "falsy", "truthy", "none"] = ""
    every: Argument | None = None
    methods: Names = ()
    message: Argument | Literal["self"] | None = None
    attaches: Names = ()
    settings: dict[str, str] = {}
    text: str = ""


class Stop(Table, frozen=True, kw_only=True):
    """A stop object: after so many tries, after so much time, never, or as several of them combine."""

    calls: Names
    tries: Argument | None = None
    until: Argument | None = None
    combines: Literal["", "any", "all", "never"] = ""


class When(Table, frozen=True, kw_only=True):
    """A condition object: retried classes, classes that are not retried, a test of the failure or of the result."""

    calls: Names
    classes: Argument | None = None
    spared: Argument | None = None
    test: Argument | None = None
    result: Argument | None = None
    again: Literal["", "falsy", "truthy"] = ""
    combines: Literal["", "any", "all", "never", "always"] = ""
    default: Names = ()
    follows_cause: bool = False


class Wait(Table, frozen=True, kw_only=True):
    """A wait object and its shape; `combines` adds up or chains the waits that it gets."""

    calls: Names
    wait: Waiting


class Ack(Table, frozen=True, kw_only=True):
    """A call that ends or returns a message; `requeue` says whether it comes back."""

    calls: Names
    does: Literal["ack", "nack", "dead", "extend"]
    message: Argument | Literal["self"] = "self"
    requeue: Argument | bool = False
    extends: Argument | None = None
    receiver: Names = ()


class Retries(Part, frozen=True, kw_only=True):
    """The tables under `retry`."""

    decorators: tuple[Retry, ...] = msgspec.field(name="decorator", default=())
    calls: tuple[Retry, ...] = msgspec.field(name="call", default=())
    raises: tuple[Retry, ...] = msgspec.field(name="raise", default=())
    loops: tuple[Retry, ...] = msgspec.field(name="loop", default=())
    polls: tuple[Retry, ...] = msgspec.field(name="poll", default=())
    policies: tuple[Retry, ...] = msgspec.field(name="policy", default=())
    waits: tuple[Wait, ...] = msgspec.field(name="wait", default=())
    stops: tuple[Stop, ...] = msgspec.field(name="stop", default=())
    whens: tuple[When, ...] = msgspec.field(name="when", default=())
    acks: tuple[Ack, ...] = msgspec.field(name="ack", default=())
