"""Every name and parameter that a model mentions exists in the library itself, wherever that is installed."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from anchorlint.knowledge.models import models
from anchorlint.knowledge.tables import Argument, Exceptions, Type

pytestmark = pytest.mark.slow

NAMES = {
    "calls", "renewed_by", "used_by", "ends", "dies", "outage", "gone", "raises", "expired", "refused", "conflict",
    "throttled", "mixed", "objects", "default", "spared_classes", "is_a", "setters", "also",
}  # fmt: skip
AWS = ("boto3.client.", "boto3.resource.")


def structs(value: Any) -> Iterator[msgspec.Struct]:
    """Every struct below a value, itself included."""
    if isinstance(value, msgspec.Struct):
        yield value
        for field in value.__struct_fields__:
            yield from structs(getattr(value, field))
    elif isinstance(value, tuple):
        for one in value:
            yield from structs(one)


def tables() -> Iterator[msgspec.Struct]:
    known = models()
    for name in vars(known):
        if isinstance(getattr(known, name), tuple):
            yield from getattr(known, name)
    for field in known.retries.__struct_fields__:
        yield from getattr(known.retries, field)


def dotted() -> Iterator[str]:
    """Every dotted name in the models."""
    for table in tables():
        for struct in structs(table):
            for field in NAMES & set(struct.__struct_fields__):
                value = getattr(struct, field)
                yield from value if isinstance(value, tuple | dict) else ()
            if isinstance(struct, Exceptions):
                yield from struct.tree
                yield from struct.also.values()
            if isinstance(struct, Type):
                yield struct.name
                yield from (made.partition("(")[0] for made in struct.made_by)


def exact(names: Iterator[str]) -> list[str]:
    return sorted({name for name in names if isinstance(name, str) and "." in name and not name.startswith("*")})


# Not to be found by looking: an older release had it, or only an instance has it.
ELSEWHERE = {
    "airflow.utils.timezone.utcnow": "Airflow 2",
    "airflow.utils.timezone.make_aware": "Airflow 2",
    "airflow.models.baseoperator.BaseOperator": "Airflow 2",
    "airflow.operators.python.PythonOperator": "Airflow 2",
    "airflow.sensors.base.BaseSensorOperator": "Airflow 2",
    "airflow.sensors.python.PythonSensor": "Airflow 2",
    "kafka.errors.NoBrokersAvailable": "kafka-python 2",
    "select.poll.poll": "a factory's product",
}


class Absent(Exception):
    """The library is not installed here."""


def found(name: str) -> Any:
    """The object of a dotted name; AttributeError where the library does not have it."""
    if name in ELSEWHERE:
        raise Absent(ELSEWHERE[name])
    if name.startswith(AWS):
        return amazon(name)
    top, *rest = name.split(".")
    try:
        value = importlib.import_module(top)
    except ModuleNotFoundError:
        raise Absent(top) from None
    path = top
    for part in rest:
        path = f"{path}.{part}"
        value = member(value, part, path)
    return value


def member(value: Any, name: str, path: str) -> Any:
    """The attribute or submodule; None for a field that only instances have."""
    if isinstance(value, type) and name in {n for c in value.__mro__ for n in getattr(c, "__annotations__", {})}:
        return getattr(value, name, None)
    if hasattr(value, name):
        return getattr(value, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if inspect.ismodule(value) and importlib.util.find_spec(path):
            return importlib.import_module(path)
        # A package may show a function under the name of the module that holds it.
        return getattr(sys.modules.get(path.rpartition(".")[0], value), name)


def amazon(name: str) -> Any:
    """The method of a client or resource of boto3, whose class is made from a description; nothing is sent."""
    try:
        import boto3
    except ModuleNotFoundError:
        raise Absent("boto3") from None
    kind, service, *rest = name.removeprefix("boto3.").split(".")
    value = getattr(boto3, kind)(service, region_name="us-east-1")
    for part in rest:
        value = value("none") if callable(value) else value
        value = getattr(value, part)
    return value


def signature(value: Any) -> inspect.Signature:
    return inspect.signature(value)


@pytest.fixture(autouse=True, scope="module")
def _configured() -> None:
    os.environ.setdefault("AWS_ACCESS_KEY_ID", "none")
    os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "none")
    try:
        from django.conf import settings
    except ModuleNotFoundError:
        return
    if not settings.configured:
        settings.configure()
        importlib.import_module("django").setup()


@pytest.mark.parametrize("name", exact(dotted()))
def test_the_library_has_the_name(name: str) -> None:
    try:
        found(name)
    except Absent as absent:
        pytest.skip(f"{absent} is not installed")
    except (AttributeError, KeyError) as error:
        pytest.fail(f"{name}: {error}")


@pytest.mark.parametrize("name", sorted({name for policy in models().retries.policies for name in policy.attaches}))
def test_a_policy_takes_effect_at_a_parameter(name: str) -> None:
    call, _, parameter = name.rpartition(".")
    try:
        taken = signature(found(call)).parameters
    except Absent as absent:
        pytest.skip(f"{absent} is not installed")
    assert parameter in taken or any(one.kind is one.VAR_KEYWORD for one in taken.values())


def parameters() -> Iterator[tuple[str, Argument]]:
    """Every argument of a model, with each call that takes it."""
    for table in tables():
        for struct in structs(table):
            for call in getattr(struct, "calls", ()):
                if call.startswith("*") or getattr(struct, "methods", ()) or getattr(struct, "attribute", False):
                    continue
                for argument in own_arguments(struct):
                    yield call, argument


def own_arguments(struct: msgspec.Struct) -> Iterator[Argument]:
    """The arguments of a call's struct, without those of other calls inside it."""
    for field in struct.__struct_fields__:
        value = getattr(struct, field)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Argument):
                if one.keywords or one.at is not None:
                    yield one
            elif isinstance(one, msgspec.Struct) and not getattr(one, "calls", ()):
                yield from own_arguments(one)


@pytest.mark.parametrize(("call", "argument"), sorted(set(parameters()), key=repr), ids=repr)
def test_the_call_takes_the_argument(call: str, argument: Argument) -> None:
    try:
        called = found(call)
    except Absent as absent:
        pytest.skip(f"{absent} is not installed")
    if call.startswith(AWS):
        return takes_member(called, argument)
    try:
        names = bound(call, called)
    except ValueError:
        pytest.skip("a call without a signature")
    free = any(one.kind is one.VAR_KEYWORD for one in names)
    by_position = [one.name for one in names if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    every = {one.name for one in names}
    if argument.keywords:
        assert free or every & set(argument.keywords), f"{call} has no {argument.keywords}: {sorted(every)}"
    if argument.at is not None and argument.keywords and every & set(argument.keywords):
        there = by_position[argument.at : argument.at + 1]
        assert set(there) & set(argument.keywords), f"{call}: {there} at {argument.at}, not {argument.keywords}"
    elif argument.at is not None:
        many = any(one.kind is one.VAR_POSITIONAL for one in names)
        assert many or argument.at < len(by_position), f"{call} takes {by_position}"
    return None


def bound(call: str, called: Any) -> list[inspect.Parameter]:
    """The parameters of a call as its callers see them: a method's without self."""
    names = list(signature(called).parameters.values())
    owner = found(call.rpartition(".")[0]) if "." in call else None
    if isinstance(owner, type) and not isinstance(called, type) and inspect.isfunction(called):
        static = isinstance(inspect.getattr_static(owner, call.rpartition(".")[2]), staticmethod)
        return names if static else names[1:]
    return names


def takes_member(called: Any, argument: Argument) -> None:
    """Whether an operation of boto3 takes the argument; the few calls that are no operations have a signature."""
    meta = called.__self__.meta
    meta = getattr(meta, "client", called.__self__).meta  # a resource keeps its client
    operation = meta.method_to_api_mapping.get(called.__name__)
    if operation is None:
        every = set(signature(called).parameters)
    else:
        every = set(meta.service_model.operation_model(operation).input_shape.members)
    assert every & set(argument.keywords), f"{called.__name__} has no {argument.keywords}: {sorted(every)}"
