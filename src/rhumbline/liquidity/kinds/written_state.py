"""Pools and their states as JSON, and back: field by field, whatever the kind."""

import re
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.slipstream import SlipstreamPool
from rhumbline.liquidity.kinds.solidly import SolidlyPool, SolidlyState
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.kinds.v4 import V4NativePool, V4Pool, V4State

FORMS: Mapping[str, tuple[type, type]] = MappingProxyType(
    {
        pool.__name__: (state, pool)
        for state, pool in (
            (V2State, V2State),
            (V3State, V3Pool),
            (V3State, SlipstreamPool),
            (V4State, V4Pool),
            (V4State, V4NativePool),
            (SolidlyState, SolidlyPool),
            (CurveState, CurveState),
            (LinearState, LinearState),
        )
    }
)
"""By the name of a pool's class: the class of its fields, which is the same, or is what the pool is made of."""
_NUMBER = re.compile(r"-?[0-9]+")


def write_state(pool: PoolState) -> dict[str, object]:
    """Return a state's ``form`` and fields: numbers as decimal texts, tuples as lists, mappings as objects."""
    state: Any = getattr(pool, "state", pool)
    return {"form": type(pool).__name__} | {each.name: _written(getattr(state, each.name)) for each in fields(state)}


def read_state(written: Mapping[str, Any]) -> PoolState:
    """Read what ``write_state`` wrote; raise ValueError or TypeError for anything else."""
    form = FORMS.get(str(written.get("form")))
    if form is None:
        raise ValueError(f"state.form: there is no {written.get('form')!r}; there are {', '.join(FORMS)}")
    state, pool = form
    made: Any = state(**{name: _read(value) for name, value in written.items() if name != "form"})
    found: PoolState = made if pool is state else pool(made)
    return found


def write_pool(pool: Pool, state: PoolState) -> dict[str, object]:
    """Return a pool's fields and its ``state``."""
    return {each.name: _written(getattr(pool, each.name)) for each in fields(pool)} | {"state": write_state(state)}


def read_pool(written: Mapping[str, Any]) -> tuple[Pool, PoolState]:
    """Read what ``write_pool`` wrote; raise KeyError, ValueError or TypeError for anything else."""
    named: dict[str, Any] = {name: _read(value) for name, value in written.items() if name != "state"}
    return Pool(**{**named, "kind": PoolKind(named["kind"])}), read_state(written["state"])


def _written(value: object) -> object:
    match value:
        case bool():
            return value
        case int():
            return str(value)
        case str() if not _NUMBER.fullmatch(value):
            return value
        case tuple():
            return [_written(each) for each in value]
        case Mapping():
            return {str(key): _written(each) for key, each in value.items()}
    raise TypeError(f"a state has a field of the type {type(value).__name__}, which has no written form")


def _read(value: Any) -> object:
    match value:
        case str():
            return int(value) if _NUMBER.fullmatch(value) else value
        case list():
            return tuple(_read(each) for each in value)
        case dict():
            return {int(key): _read(each) for key, each in value.items()}
        case bool():
            return value
    raise ValueError("a state has texts, lists, objects, true and false, and nothing else")
