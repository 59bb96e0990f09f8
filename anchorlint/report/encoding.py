"""Values as JSON text, whatever strange characters are in them."""

from __future__ import annotations

import re

import msgspec

LONE = re.compile("[\ud800-\udfff]")


def as_json(value: object, indent: int = 1) -> str:
    """The value as JSON; with an `indent` of -1 on one line.

    A file name that is no UTF-8 has lone surrogates, which JSON cannot carry: they become replacement characters.
    """
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        data = msgspec.json.encode(_mended(msgspec.to_builtins(value)))
    return msgspec.json.format(data, indent=indent).decode()


def _mended(value: object) -> object:
    if isinstance(value, str):
        return LONE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_mended(key): _mended(inner) for key, inner in value.items()}
    return [_mended(inner) for inner in value] if isinstance(value, list | tuple) else value
