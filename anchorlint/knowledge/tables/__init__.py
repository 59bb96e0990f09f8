"""The tables of rules/models/*.toml: one struct for each kind of thing that a library does with time."""

from __future__ import annotations

import msgspec

from anchorlint.knowledge.tables.outside import Effect, Persist, Sink, Units
from anchorlint.knowledge.tables.parts import SECONDS, Argument, Life, Names, Part, Table, Unit
from anchorlint.knowledge.tables.retrying import Ack, Caught, Retries, Retry, Stop, Wait, Waiting, When
from anchorlint.knowledge.tables.stores import Broker, Delete, Exceptions, Handle, Read, Store, Type, Write
from anchorlint.knowledge.tables.times import Clock, Cyclic, Duration, Gate, Identity, Predicate, Shift

__all__ = [
    "Ack",
    "Argument",
    "Broker",
    "Caught",
    "Clock",
    "Cyclic",
    "Delete",
    "Duration",
    "Effect",
    "Exceptions",
    "Gate",
    "Handle",
    "Identity",
    "Life",
    "Names",
    "Part",
    "Persist",
    "Predicate",
    "Read",
    "Retries",
    "Retry",
    "SECONDS",
    "Shift",
    "Sink",
    "Stop",
    "Store",
    "Table",
    "Tables",
    "Type",
    "Unit",
    "Units",
    "Wait",
    "Waiting",
    "When",
    "Write",
]


class Tables(Part, frozen=True, kw_only=True):
    """Everything that one file of models may hold."""

    clocks: tuple[Clock, ...] = msgspec.field(name="clock", default=())
    predicates: tuple[Predicate, ...] = msgspec.field(name="predicate", default=())
    identities: tuple[Identity, ...] = msgspec.field(name="identity", default=())
    durations: tuple[Duration, ...] = msgspec.field(name="duration", default=())
    shifts: tuple[Shift, ...] = msgspec.field(name="shift", default=())
    cyclic: tuple[Cyclic, ...] = ()
    gates: tuple[Gate, ...] = msgspec.field(name="gate", default=())
    types: tuple[Type, ...] = msgspec.field(name="type", default=())
    stores: tuple[Store, ...] = msgspec.field(name="store", default=())
    handles: tuple[Handle, ...] = msgspec.field(name="handle", default=())
    retries: Retries = msgspec.field(name="retry", default=Retries())
    brokers: tuple[Broker, ...] = msgspec.field(name="broker", default=())
    sinks: tuple[Sink, ...] = msgspec.field(name="sink", default=())
    effects: tuple[Effect, ...] = msgspec.field(name="effect", default=())
    units: tuple[Units, ...] = msgspec.field(name="unit", default=())
    persists: tuple[Persist, ...] = msgspec.field(name="persist", default=())
    exceptions: tuple[Exceptions, ...] = ()
