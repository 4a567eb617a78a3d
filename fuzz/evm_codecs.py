"""Calldata, answers and logs of EVM chains, read alone."""

import json
import pkgutil
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from random import Random
from typing import Any

from attack.tree import inner_types
from fuzz.decoder import Decoder
from fuzz.mutations import altered_body, altered_bytes
from rhumbline import adapters
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_args, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.liquidity.kinds.kind import PlainKind
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.simulation.evm.reverts import read_revert
from rhumbline.simulation.evm.single_call import _records
from rhumbline.simulation.evm.tenderly import Simulated
from rhumbline.tracking.evm.log_bloom import may_hold
from rhumbline.tracking.evm.logs import decode_logs, read_logs
from tests.tracking.events import DIAMOND, Chain

_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _functions() -> tuple[Function, ...]:
    """Every function whose calls an adapter reads or writes, found where adapters declare it."""
    found: dict[str, Function] = {}
    for module in pkgutil.walk_packages(adapters.__path__, adapters.__name__ + "."):
        for each in vars(import_module(module.name)).values():
            if isinstance(each, Function):
                found[each.signature] = each
    return tuple(found.values())


def value_of(kind: str, rng: Random) -> Any:
    """A value of an ABI type."""
    inner = inner_types(kind)
    if inner is not None:
        size = 0 if not kind.endswith("]") else (int(kind[kind.rindex("[") + 1 : -1] or rng.randrange(4)))
        return tuple(value_of(each, rng) for each in inner(size))
    if kind == "address":
        return f"0x{rng.getrandbits(160):040x}"
    if kind == "bool":
        return bool(rng.randrange(2))
    if kind == "string":
        return "text é" * rng.randrange(4)
    if kind.startswith("bytes"):
        return rng.randbytes(int(kind[5:]) if kind[5:] else rng.randrange(70))
    bits = int(kind.lstrip("uint"))
    return rng.getrandbits(bits) if kind.startswith("u") else rng.getrandbits(bits - 1)


def _call_samples() -> tuple[tuple[str, bytes], ...]:
    rng = Random(1)
    return tuple((each.signature, each.encode(*(value_of(kind, rng) for kind in each.types))) for each in _functions())


def _altered_call(rng: Random, sample: tuple[str, bytes], others: Sequence[tuple[str, bytes]]) -> tuple[str, bytes]:
    return sample[0], altered_bytes(rng, sample[1], [each[1] for each in rng.sample(list(others), 4)])


def _read_call(sample: tuple[str, bytes]) -> Any:
    """Read strictly; what is read is what was written, to the byte."""
    function = Function(sample[0])
    values = function.decode(sample[1])
    assert function.encode(*values) == sample[1], "two encodings of the same values"
    return values


def _read_loosely(sample: tuple[str, bytes]) -> Any:
    return Function(sample[0]).decode_loosely(sample[1])


def _reverts() -> tuple[bytes, ...]:
    plain = selector("Error(string)") + encode_args(["string"], ["too little"])
    panic = selector("Panic(uint256)") + encode_args(["uint256"], [0x11])
    failed = selector("OperationFailed(uint256,bytes)") + encode_args(["uint256", "bytes"], [1, plain])
    nested = selector("OperationFailed(uint256,bytes)") + encode_args(["uint256", "bytes"], [2, failed])
    return plain, panic, failed, nested, b"", b"plain words"


def _logs() -> tuple[bytes, ...]:
    chain = Chain()
    chain.fee(b"\x01" * 32, 7)
    chain.swap(b"\x01" * 32, 1000)
    return (json.dumps(chain.logs).encode(),)


def _read_logs(body: bytes) -> Any:
    logs = read_logs(json.loads(body))
    return decode_logs(900001, DIAMOND, logs, {log.block_hash: _NOON for log in logs})


def _pools() -> tuple[tuple[Pool, tuple[bytes, ...]], ...]:
    """A pool of each kind, and answers of the length that it asks for."""
    rng = Random(3)
    a, b, where = (checksummed(f"0x{each:040x}") for each in (1, 2, 3))
    made = []
    for kind in PoolKind:
        name = f"{where}/0/1/2" if kind is PoolKind.CURVE else "0x" + "ab" * 32
        pool = Pool(kind, where, a, b, fee=500, spacing=10, source="X", id=name)
        found = KINDS[kind]
        reads = found.reads(pool) if isinstance(found, PlainKind) else found.now_reads(pool)
        made.append((pool, tuple(rng.getrandbits(80).to_bytes(32 * each.words) for each in reads)))
    return tuple(made)


def _altered_pool(rng: Random, given: tuple[Pool, tuple[bytes, ...]], others: Sequence[Any]) -> Any:
    """Answers of other numbers; each is as long as was asked, as the reader of answers makes sure."""
    answers = list(given[1])
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(answers))
        answers[place] = altered_bytes(rng, answers[place])[: len(answers[place])].ljust(len(answers[place]), b"\0")
    return given[0], tuple(answers)


def _read_pool(given: tuple[Pool, tuple[bytes, ...]]) -> Any:
    """Read a state, and swap with it both ways, if that can be done."""
    pool, answers = given
    kind = KINDS[pool.kind]
    if isinstance(kind, PlainKind):
        return kind.state(pool, answers)
    now = kind.now(pool, answers)
    return kind.ticked_state(pool, now, {now.tick - now.tick % 10: kind.net(answers[0][:32] * 2)}, -1, 1)


def _blooms(given: bytes) -> Any:
    return may_hold(given, b"\x12" * 20, [b"\x34" * 32])


def _simulated(body: bytes) -> Any:
    """As the second simulator reads an answer."""
    info = Simulated.model_validate(read_json(body)).transaction.transaction_info
    return [*_records(info.call_trace.output)]


def _tenderly() -> tuple[bytes, ...]:
    record = (1).to_bytes(32) + (21_000).to_bytes(32) + (32).to_bytes(32) + (5).to_bytes(32)
    log = {"raw": {"address": "0x" + "12" * 20, "topics": ["0x" + "34" * 32], "data": "0x"}}
    info = {"call_trace": {"output": "0x" + (record * 3).hex()}, "logs": [log]}
    return (json.dumps({"transaction": {"status": True, "transaction_info": info}}).encode(),)


def evm_codecs() -> list[Decoder]:
    """The decoders, each with what it is documented to raise."""
    calls = _call_samples()
    return [
        Decoder(
            "calldata",
            calls,
            _altered_call,
            _read_call,
            (MalformedAnswer,),
        ),
        Decoder("calldata, loosely", calls, _altered_call, _read_loosely, (MalformedAnswer,)),
        Decoder(
            "answers of contracts",
            tuple(
                (each.signature, each.encode(*(value_of(kind, Random(2)) for kind in each.types))[4:])
                for each in _functions()
            ),
            _altered_call,
            lambda sample: decode_args(Function(sample[0]).types, sample[1]),
            (MalformedAnswer,),
        ),
        Decoder("reverts", _reverts(), altered_bytes, read_revert, ()),
        Decoder("states of pools", _pools(), _altered_pool, _read_pool, ()),
        Decoder("filters of blocks", (bytes(256), b"\x01" * 256), altered_bytes, _blooms, ()),
        Decoder("second simulations", _tenderly(), altered_body, _simulated, (ValueError,)),
        Decoder("logs", _logs(), altered_body, _read_logs, (NodeUnavailable, ValueError)),
    ]
