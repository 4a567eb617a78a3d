"""The calls of Symbiosis' contracts, encoded by its emulator and decoded from the portal's deposits.

Signatures from the verified sources of the vendor's core contracts, read 2026-11.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rhumbline.devnet.evm.operator import argument_types, encoded
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.evm.address import checksummed

META_ROUTER = "0xf621Fb08BBE51aF70e7E0F4EA63496894166Ff7F"
GATEWAY = "0xfCEF2Fe72413b65d3F393d278A714caD87512bcd"
PORTAL = "0xb8f275fBf7A959F4BCE59999A2EF122A099e81A8"
BRIDGE = "0x5523985926Aa12BA58DC5Ad00DDca99678D7227E"
UNWRAPPER = "0x5ad095DE83693ba063941f2f2C5A0dF02383B651"
HOST_CHAIN = 13863860
HOST_SYNTHESIS = "0x45CFd6FB7999328F189aaD2739Fba4Be6C45E5bf"
HOST_BRIDGE = "0x1a039cE63AE35a67Bf0E9F6DbFaE969639D59eC8"
HOST_ROUTER = "0x2b7Aa8bDc40B6d3d19d0dE7480c4db8d5B6495e2"
HOST_MULTICALL = "0xBbAD2fe9558e55EbfA04b3B5Bff0b6c4E2ffDD2C"
STRANGER = checksummed("0x" + "5b" * 20)
_META_ROUTE = "metaRoute((bytes,bytes,address[],address,address,uint256,bool,address,bytes))"
_META_SYNTHESIZE = (
    "metaSynthesize((uint256,uint256,address,address,address,address,address,uint256,address[],address,bytes,address,"
    "bytes,uint256,address,bytes32))"
)
_META_BURN = (
    "metaBurnSyntheticToken((uint256,uint256,bytes32,address,address,address,bytes,uint256,address,address,address,"
    "address,uint256,bytes32))"
)
_MULTICALL = "multicall(uint256,bytes[],address[],address[],uint256[],address)"
_SWAP = "swap(uint256,uint256,uint256,uint256,address,uint256)"
_CLIENT = b"sandbox".ljust(32, b"\x00")


@dataclass(frozen=True, slots=True)
class TransitToken:
    """A token at either end: ``token`` is the ERC-20 that crosses, ``native`` if it stands for the native asset."""

    chain_id: int
    token: str
    native: bool
    pool: str
    synthetic: str
    index: int


@dataclass(frozen=True, slots=True)
class Order:
    """The terms of a call; ``fee_in`` and ``fee_out`` in raw units of the token at either end."""

    origin: TransitToken
    destination: TransitToken
    amount: int
    fee_in: int
    fee_out: int
    quoted: int
    minimum: int
    deadline: int
    wallet: str
    receiver: str
    reverters: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Release:
    """The terms of a call of the portal: at least ``minimum`` from the pool, less ``fee``, to ``receiver``."""

    chain_id: int
    synthetic: str
    receiver: str
    native: bool
    fee_in: int
    fee_out: int
    minimum: int


def route_call(order: Order, lie: Lie | None) -> bytes:
    """Encode the call of the entry contract."""
    order = _bent(order, lie)
    origin, destination = order.origin, order.destination
    nothing = NATIVE_EVM
    unwraps = destination.native
    burn = encoded(
        _META_BURN,
        (
            order.fee_out, order.quoted, bytes(32), HOST_ROUTER, UNWRAPPER if unwraps else nothing,
            STRANGER if lie is Lie.OTHER_TOKEN else destination.synthetic,
            encoded("unwrap(uint256,address)", order.quoted - order.fee_out, order.receiver) if unwraps else b"",
            36 if unwraps else 0, order.receiver, PORTAL, BRIDGE, order.reverters[destination.chain_id],
            destination.chain_id, _CLIENT,
        ),
    )  # fmt: skip
    swap = encoded(
        _SWAP,
        origin.index, destination.index, order.amount - order.fee_in, order.minimum, HOST_MULTICALL, order.deadline,
    )  # fmt: skip
    pair = [origin.synthetic, destination.synthetic]
    calls = encoded(
        _MULTICALL,
        order.amount, [swap], [origin.pool], pair, [100], HOST_ROUTER,
    )  # fmt: skip
    lock = encoded(
        _META_SYNTHESIZE,
        (
            order.fee_in, order.amount, origin.token, order.receiver, HOST_SYNTHESIS, HOST_BRIDGE,
            STRANGER if lie is Lie.OTHER_REFUND else order.wallet, HOST_CHAIN, pair, HOST_MULTICALL, calls,
            HOST_SYNTHESIS, burn, 100, order.reverters[origin.chain_id], _CLIENT,
        ),
    )  # fmt: skip
    wraps = origin.native
    return encoded(
        _META_ROUTE,
        (
            encoded("deposit()") if wraps else b"", b"", [nothing if wraps else origin.token, origin.token],
            origin.token if wraps else nothing, HOST_MULTICALL, order.amount, wraps, PORTAL, lock,
        ),
    )  # fmt: skip


def read_release(data: bytes) -> Release:
    """Decode the portal's call."""
    (lock,) = decode_args(argument_types(_META_SYNTHESIZE), data[4:])
    calls, burn = _fields(lock)[10], _fields(lock)[12]
    swaps = decode_args(argument_types(_MULTICALL), _tail(calls))[1]
    minimum = decode_args(argument_types(_SWAP), _tail(_fields(swaps)[0]))[3]
    (terms,) = decode_args(argument_types(_META_BURN), _tail(burn))
    fee_out, _, _, _, _, synthetic, call, _, receiver, _, _, _, chain_id, _ = _fields(terms)
    return Release(
        int(str(chain_id)), checksummed(str(synthetic)), checksummed(str(receiver)), bool(call),
        int(str(_fields(lock)[0])), int(str(fee_out)), int(str(minimum)),
    )  # fmt: skip


def _bent(order: Order, lie: Lie | None) -> Order:
    match lie:
        case Lie.OTHER_RECEIVER:
            return replace(order, receiver=STRANGER)
        case Lie.OTHER_AMOUNT:
            return replace(order, amount=order.amount + 1)
        case Lie.NO_MINIMUM:
            return replace(order, minimum=0)
        case Lie.WORSE_OUTPUT:
            return replace(order, minimum=order.minimum // 2)
    return order


def _fields(value: object) -> tuple[object, ...]:
    if not isinstance(value, tuple):
        raise ValueError("not a struct")
    return value


def _tail(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError("not a call")
    return value[4:]
