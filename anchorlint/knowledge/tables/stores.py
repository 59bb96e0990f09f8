"""Tables about what is kept elsewhere: types, stores that forget, handles that die, exceptions."""

from __future__ import annotations

from typing import Literal

from anchorlint.knowledge.tables.parts import Argument, Life, Names, Part, Table


class Type(Table, frozen=True, kw_only=True):
    """A type by its usual name, the other paths to it (`also`), and how a value is known to be of it.

    `made_by` are calls that return it, with the literal first arguments that matter: `boto3.client('sqs')`. `objects`
    are instances that a module offers. `receivers` are words of which an untyped variable's name must hold one.
    """

    name: str
    also: Names = ()
    is_a: Names = ()
    made_by: Names = ()
    objects: Names = ()
    receivers: Names = ()


class Read(Part, frozen=True, kw_only=True):
    """How a store is asked and what a miss looks like.

    miss: `none`, `empty`, `false`, `zero`, `default` (what the caller gave), `raise`, `eq:VALUE`, `status:404`,
    `attr:NAME=VALUE`, or `outage` where the answer hides an unreachable store. It is such a read only where one of the
    keywords `needs` is given, if there are any. `key` "self" means that the object is the handle.
    """

    calls: Names
    key: Argument | Literal["self"] = "self"
    miss: Names = ("none",)
    needs: Names = ()
    receiver: Names = ()
    raises: Names = ()
    attribute: bool = False
    default: Argument | None = None


class Write(Part, frozen=True, kw_only=True):
    """How a store is written; one of `ttl` may give the life, `only_new` asks that nothing was there before."""

    calls: Names
    key: Argument | Literal["self"] = "self"
    ttl: tuple[Argument, ...] = ()
    only_new: Argument | bool = False
    value: Argument | None = None


class Delete(Part, frozen=True, kw_only=True):
    """How a key is taken out of a store."""

    calls: Names
    key: Argument | Literal["self"] = "self"


class Store(Table, frozen=True, kw_only=True):
    """Something that forgets: reads with their miss, writes with the life they give, and the life by default.

    `outage` are the classes that say "could not look", `gone` those that say "is not there (any more)". From
    `absolute_from_s` on a TTL is read as an instant. `endless_without_ttl`: what is written without a life stays. One
    that is asked by HTTP is known by parts of its `addresses`, and then `miss` is how it says that something is gone.
    """

    name: str
    reads: tuple[Read, ...] = ()
    writes: tuple[Write, ...] = ()
    expires: tuple[Write, ...] = ()
    deletes: tuple[Delete, ...] = ()
    life: Life | None = None
    outage: Names = ()
    gone: Names = ()
    endless_without_ttl: bool = False
    addresses: Names = ()
    miss: Names = ()
    absolute_from_s: float | None = None


class Handle(Table, frozen=True, kw_only=True):
    """Something that is made once and dies: a signed address, a token, an iterator, a scroll, a lease."""

    name: str
    calls: Names
    life: Life
    used_by: Names = ()
    renewed_by: Names = ()
    dies: Names = ()
    attribute: bool = False
    result_key: str = ""


class Broker(Table, frozen=True, kw_only=True):
    """What carries work and brings it back: how long it stays hidden, kept, and how far ahead it may be put."""

    name: str
    schemes: Names = ()
    visibility: Life | None = None
    retention: Life | None = None
    delay: Life | None = None
    dedupe: Life | None = None
    redelivers: Literal["", "after_visibility", "at_once", "never", "after_policy"] = ""
    receives: Argument | None = None
    of: Names = ()


class Exceptions(Table, frozen=True, kw_only=True):
    """The exception classes of a library: `tree` maps each to its bases, the lists say what some of them mean.

    `outage`: could not look. `gone`: proof that it is not there. `expired`: too late, or the handle is dead. `refused`:
    the same request will be refused again. `conflict`: somebody else was first. `throttled`: later. `mixed`: contains
    permanent and passing failures. `also` maps other paths to the name in the tree. `codes` lists error codes and HTTP
    statuses under the same words.
    """

    library: str
    tree: dict[str, Names]
    also: dict[str, str] = {}
    outage: Names = ()
    gone: Names = ()
    expired: Names = ()
    refused: Names = ()
    conflict: Names = ()
    throttled: Names = ()
    mixed: Names = ()
    codes: dict[str, Names] = {}
