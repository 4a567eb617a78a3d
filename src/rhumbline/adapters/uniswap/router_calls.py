"""SwapRouter02 calldata, written and read back.

Source, read 2026-11: swap-router-contracts 1.3.1, SwapRouter02.sol, V2SwapRouter.sol, V3SwapRouter.sol,
MulticallExtended.sol, PeripheryPaymentsExtended.sol. An input amount of 0 means the router's own balance: it is written
only for the later legs of a path, whose input the leg before left with the router.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rhumbline.adapters.uniswap.paths import Hop
from rhumbline.adapters.uniswap.pools import Version
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function

TO_CALLER = "0x0000000000000000000000000000000000000001"
TO_ROUTER = "0x0000000000000000000000000000000000000002"
"""What the router reads as its caller and as itself."""
ROUTER_BALANCE = 0

_V2 = Function("swapExactTokensForTokens(uint256,uint256,address[],address)")
_V3_SINGLE = Function("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))")
_V3_PATH = Function("exactInput((bytes,address,uint256,uint256))")
_UNWRAP = Function("unwrapWETH9(uint256,address)")
_REFUND = Function("refundETH()")
_ALL = Function("multicall(uint256,bytes[])")


@dataclass(frozen=True, slots=True)
class Leg:
    """Consecutive pools of one version. ``fees`` are V3's, one a pool in millionths, and empty for V2."""

    version: Version
    tokens: tuple[str, ...]
    fees: tuple[int, ...]
    amount_in: int
    minimum: int
    recipient: str


@dataclass(frozen=True, slots=True)
class RouterCall:
    """One transaction to the router. ``unwrap`` (minimum, recipient) pays the native currency out at the end.

    ``refund`` returns native currency that the pools did not take; ``deadline`` is in Unix seconds.
    """

    deadline: int
    legs: tuple[Leg, ...]
    unwrap: tuple[int, str] | None
    refund: bool


def plan_call(
    hops: Sequence[Hop], minimum: int, recipient: str, deadline: int, *, native_in: bool, native_out: bool
) -> RouterCall:
    """Turn a path into legs; ``minimum`` (raw units out) is guaranteed to ``recipient``."""
    groups = [tuple(group) for _, group in groupby(hops, key=lambda hop: hop.pool.version)]
    legs = []
    for number, group in enumerate(groups):
        last = number == len(groups) - 1
        version = group[0].pool.version
        legs.append(
            Leg(
                version,
                (group[0].token_in, *(hop.token_out for hop in group)),
                tuple(hop.pool.fee for hop in group) if version == Version.V3 else (),
                group[0].amount_in if number == 0 else ROUTER_BALANCE,
                minimum if last else 0,
                recipient if last and not native_out else TO_ROUTER,
            )
        )
    # A V3 pool at the end of its liquidity takes less than it is offered.
    refund = native_in and legs[0].version == Version.V3
    return RouterCall(deadline, tuple(legs), (minimum, recipient) if native_out else None, refund)


def encode(call: RouterCall) -> bytes:
    """Write the calldata of ``multicall``, under which the router checks the deadline."""
    parts = [_encode_leg(leg) for leg in call.legs]
    if call.unwrap is not None:
        parts.append(_UNWRAP.encode(*call.unwrap))
    if call.refund:
        parts.append(_REFUND.encode())
    return _ALL.encode(call.deadline, parts)


def decode(data: bytes) -> RouterCall:
    """Read calldata that ``encode`` could have written; raise MalformedAnswer for any other."""
    deadline, parts = _ALL.decode(data)
    legs: list[Leg] = []
    unwrap: tuple[int, str] | None = None
    refund = False
    for part in parts:
        if refund or (unwrap is not None and part[:4] != _REFUND.selector):
            raise MalformedAnswer("the router's calls are out of order")
        if part == _REFUND.selector:
            refund = True
        elif part[:4] == _UNWRAP.selector:
            minimum, recipient = _UNWRAP.decode(part)
            unwrap = minimum, checksummed(recipient)
        else:
            legs.append(_decode_leg(part))
    return RouterCall(deadline, tuple(legs), unwrap, refund)


def _encode_leg(leg: Leg) -> bytes:
    if leg.version == Version.V2:
        return _V2.encode(leg.amount_in, leg.minimum, leg.tokens, leg.recipient)
    if len(leg.fees) == 1:
        return _V3_SINGLE.encode((*leg.tokens, leg.fees[0], leg.recipient, leg.amount_in, leg.minimum, 0))
    path = bytes.fromhex(leg.tokens[0][2:])
    for fee, token in zip(leg.fees, leg.tokens[1:], strict=True):
        path += fee.to_bytes(3) + bytes.fromhex(token[2:])
    return _V3_PATH.encode((path, leg.recipient, leg.amount_in, leg.minimum))


def _decode_leg(part: bytes) -> Leg:
    head = part[:4]
    if head == _V2.selector:
        amount, minimum, tokens, recipient = _V2.decode(part)
        return Leg(Version.V2, tuple(map(checksummed, tokens)), (), amount, minimum, checksummed(recipient))
    if head == _V3_SINGLE.selector:
        ((token_in, token_out, fee, recipient, amount, minimum, limit),) = _V3_SINGLE.decode(part)
        if limit != 0:
            raise MalformedAnswer("the swap has a price limit")
        tokens = checksummed(token_in), checksummed(token_out)
        return Leg(Version.V3, tokens, (fee,), amount, minimum, checksummed(recipient))
    if head == _V3_PATH.selector:
        ((path, recipient, amount, minimum),) = _V3_PATH.decode(part)
        if len(path) < 66 or len(path) % 23 != 20:
            raise MalformedAnswer("the path has another length")
        tokens = tuple(checksummed(path[i : i + 20]) for i in range(0, len(path), 23))
        fees = tuple(int.from_bytes(path[i : i + 3]) for i in range(20, len(path), 23))
        return Leg(Version.V3, tokens, fees, amount, minimum, checksummed(recipient))
    raise MalformedAnswer(f"the router is told something unknown, 0x{head.hex()}")
