"""The call that begins a crossing, read to its last byte.

ABI of the vendor's core contracts (MetaRouter, Portal, Synthesis, MulticallRouter, OmniPool; the SDK's ``abis``, read
2026-11-21). Of all that ``metaRoute`` can do one shape is read, and anything else refused: lock a token in the portal,
swap its synthetic form in one pool of the host chain, burn what comes out, and release it on the destination. Each step
is calldata within the one before:

    metaRoute ─ otherSideCalldata: metaSynthesize ┬ secondSwapCalldata: multicall ─ swap
                                                  └ finalCalldata: metaBurnSyntheticToken ─ finalCallData: unwrap
"""

from dataclasses import dataclass

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function

META_ROUTE = Function("metaRoute((bytes,bytes,address[],address,address,uint256,bool,address,bytes))")
META_SYNTHESIZE = Function(
    "metaSynthesize((uint256,uint256,address,address,address,address,address,uint256,address[],address,bytes,address,"
    "bytes,uint256,address,bytes32))"
)
META_BURN = Function(
    "metaBurnSyntheticToken((uint256,uint256,bytes32,address,address,address,bytes,uint256,address,address,address,"
    "address,uint256,bytes32))"
)
MULTICALL = Function("multicall(uint256,bytes[],address[],address[],uint256[],address)")
POOL_SWAP = Function("swap(uint256,uint256,uint256,uint256,address,uint256)")
DEPOSIT = Function("deposit()")
UNWRAP = Function("unwrap(uint256,address)")
# Where the contracts write what really arrived: behind the selector, an offset and the fee; behind the selector.
BURN_AMOUNT_AT = 100
SWAP_AMOUNT_AT = 100
UNWRAP_AMOUNT_AT = 36


@dataclass(frozen=True, slots=True)
class Swap:
    """The swap in a pool of the host chain, of at least ``minimum``, in raw units of the synthetic tokens."""

    pool: str
    path: tuple[str, ...]
    from_index: int
    to_index: int
    minimum: int
    to: str
    deadline: int
    holder: str


@dataclass(frozen=True, slots=True)
class Burn:
    """The release on the destination: ``fee`` is off what the swap brings, the rest goes to ``receiver``.

    ``unwrapper`` is who pays it out as the native asset, to ``unwrapped_to``; None for the token itself.
    """

    fee: int
    caller: str
    token: str
    receiver: str
    receive_side: str
    bridge: str
    revertable: str
    chain: int
    unwrapper: str | None
    unwrapped_to: str | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """The call on the origin. ``wrapper`` is the contract that wraps a native input, None for a token.

    ``refunded`` gets the token back when the crossing is turned back, ``fee`` is off it on the host chain, in raw units
    of the token.
    """

    given: str
    token: str
    amount: int
    native: bool
    wrapper: str | None
    portal: str
    fee: int
    receiver: str
    receive_side: str
    bridge: str
    refunded: str
    chain: int
    synthetics: tuple[str, ...]
    swapper: str
    burner: str
    revertable: str
    swap: Swap
    burn: Burn


def read_crossing(data: bytes) -> Crossing:
    """Read the call; raise MalformedAnswer for any that is not of the one shape, to the byte."""
    (route,) = META_ROUTE.decode(data)
    first, second, tokens, router, _, amount, native, portal, other_side = _tuple(route, 9)
    (locked,) = META_SYNTHESIZE.decode(_bytes(other_side))
    (
        fee, locked_amount, token, receiver, receive_side, bridge, refunded, chain, synthetics, swapper, swap, burner,
        burn, burn_at, revertable, _,
    ) = _tuple(locked, 16)  # fmt: skip
    wrapper = None
    if _bytes(first):
        _same(first, DEPOSIT.encode(), "a swap before the crossing")
        wrapper = _address(router)
    elif _address(router) != NATIVE_EVM:
        raise MalformedAnswer("a router that has nothing to do")
    _same(second, b"", "a second swap before the crossing")
    _same(burn_at, BURN_AMOUNT_AT, "another place of the amount")
    _same(locked_amount, amount, "another amount in the portal")
    given, *rest = (_address(each) for each in _list(tokens))
    if any(each != _address(token) for each in rest):
        raise MalformedAnswer("other tokens on the way to the portal")
    return Crossing(
        given,
        _address(token),
        _number(amount),
        native is True,
        wrapper,
        _address(portal),
        _number(fee),
        _address(receiver),
        _address(receive_side),
        _address(bridge),
        _address(refunded),
        _number(chain),
        tuple(_address(each) for each in _list(synthetics)),
        _address(swapper),
        _address(burner),
        _address(revertable),
        _read_swap(_bytes(swap)),
        _read_burn(_bytes(burn)),
    )


def _read_swap(data: bytes) -> Swap:
    # Both amounts are guesses, overwritten on chain by what is there.
    _, calls, pools, path, places, holder = MULTICALL.decode(data)
    (call,), (pool,), (place,) = (_only(each) for each in (calls, pools, places))
    from_index, to_index, _, minimum, to, deadline = POOL_SWAP.decode(_bytes(call))
    _same(place, SWAP_AMOUNT_AT, "another place of the amount")
    return Swap(
        _address(pool),
        tuple(_address(each) for each in _list(path)),
        _number(from_index),
        _number(to_index),
        _number(minimum),
        _address(to),
        _number(deadline),
        _address(holder),
    )


def _read_burn(data: bytes) -> Burn:
    (burn,) = META_BURN.decode(data)
    (
        fee, _, _, caller, side, token, call, place, receiver, receive_side, bridge, revertable, chain, _,
    ) = _tuple(burn, 14)  # fmt: skip
    unwrapper = unwrapped_to = None
    if _bytes(call):
        _same(place, UNWRAP_AMOUNT_AT, "another place of the amount")
        _, to = UNWRAP.decode(_bytes(call))
        unwrapper, unwrapped_to = _address(side), _address(to)
    elif _address(side) != NATIVE_EVM:
        raise MalformedAnswer("a contract on the destination that has nothing to do")
    return Burn(
        _number(fee),
        _address(caller),
        _address(token),
        _address(receiver),
        _address(receive_side),
        _address(bridge),
        _address(revertable),
        _number(chain),
        unwrapper,
        unwrapped_to,
    )


def _same(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise MalformedAnswer(what)


def _only(value: object) -> tuple[object, ...]:
    values = _list(value)
    if len(values) != 1:
        raise MalformedAnswer("more or less than one call in the pool")
    return values


def _tuple(value: object, length: int) -> tuple[object, ...]:
    if not isinstance(value, tuple) or len(value) != length:
        raise MalformedAnswer("another number of fields")
    return value


def _list(value: object) -> tuple[object, ...]:
    if not isinstance(value, tuple | list) or not value:
        raise MalformedAnswer("an empty list")
    return tuple(value)


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise MalformedAnswer("a field is not bytes")
    return value


def _address(value: object) -> str:
    return checksummed(str(value))


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise MalformedAnswer("a field is not a number")
    return value
