"""SwapRouter02 calldata, written and read back.

Source, read 2026-11: swap-router-contracts 1.3.1, SwapRouter02.sol, V2SwapRouter.sol, V3SwapRouter.sol,
MulticallExtended.sol, PeripheryPaymentsExtended.sol. An input amount of 0 means the router's own balance: it is written
only for legs that begin with a token that legs before left with the router, one leg a token.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.market import Hop

TO_CALLER = "0x0000000000000000000000000000000000000001"
TO_ROUTER = "0x0000000000000000000000000000000000000002"
"""What the router reads as its caller and as itself."""
ROUTER_BALANCE = 0

_V2 = Function("swapExactTokensForTokens(uint256,uint256,address[],address)")
_V3_SINGLE = Function("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))")
_V3_PATH = Function("exactInput((bytes,address,uint256,uint256))")
_UNWRAP = Function("unwrapWETH9(uint256,address)")
_SWEEP = Function("sweepToken(address,uint256,address)")
_REFUND = Function("refundETH()")
_ALL = Function("multicall(uint256,bytes[])")


@dataclass(frozen=True, slots=True)
class Leg:
    """Consecutive pools of one kind. ``fees`` are V3's, one a pool in millionths, and empty for V2."""

    kind: PoolKind
    tokens: tuple[str, ...]
    fees: tuple[int, ...]
    amount_in: int
    minimum: int
    recipient: str


@dataclass(frozen=True, slots=True)
class Payout:
    """What the router pays of its own balance at the end: ``token``, or where that is None the native currency."""

    token: str | None
    minimum: int
    recipient: str


@dataclass(frozen=True, slots=True)
class RouterCall:
    """One transaction to the router; ``payout`` is present unless the only last leg pays by itself.

    ``refund`` returns native currency that the pools did not take; ``deadline`` is in Unix seconds.
    """

    deadline: int
    legs: tuple[Leg, ...]
    payout: Payout | None
    refund: bool


def plan_call(
    hops: Sequence[Hop], minimum: int, recipient: str, deadline: int, *, native_in: bool, native_out: bool
) -> RouterCall:
    """Turn hops into legs; ``minimum`` (raw units out) is guaranteed to ``recipient``.

    Hops are in the order of the tokens' flow, and every token but the first is spent by one of them.
    """
    origin, destination = hops[0].token_in, hops[-1].token_out
    arrivals = Counter(hop.token_out for hop in hops)
    groups: list[list[Hop]] = []
    for hop in hops:
        before = next((group for group in groups if group[-1].token_out == hop.token_in), None)
        if before and arrivals[hop.token_in] == 1 and before[-1].pool.kind == hop.pool.kind:
            before.append(hop)
        else:
            groups.append([hop])
    alone = arrivals[destination] == 1
    legs = []
    for group in groups:
        kind, last = group[0].pool.kind, group[-1].token_out == destination
        legs.append(
            Leg(
                kind,
                (group[0].token_in, *(hop.token_out for hop in group)),
                tuple(hop.pool.fee for hop in group) if kind == PoolKind.V3 else (),
                group[0].amount_in if group[0].token_in == origin else ROUTER_BALANCE,
                minimum if last and alone else 0,
                recipient if last and alone and not native_out else TO_ROUTER,
            )
        )
    # A V3 pool at the end of its liquidity takes less than it is offered.
    refund = native_in and any(leg.kind == PoolKind.V3 and leg.amount_in for leg in legs)
    payout = None if alone and not native_out else Payout(None if native_out else destination, minimum, recipient)
    return RouterCall(deadline, tuple(legs), payout, refund)


def encode(call: RouterCall) -> bytes:
    """Write the calldata of ``multicall``, under which the router checks the deadline."""
    parts = [_encode_leg(leg) for leg in call.legs]
    if (payout := call.payout) is not None:
        terms = payout.minimum, payout.recipient
        parts.append(_UNWRAP.encode(*terms) if payout.token is None else _SWEEP.encode(payout.token, *terms))
    if call.refund:
        parts.append(_REFUND.encode())
    return _ALL.encode(call.deadline, parts)


def decode(data: bytes) -> RouterCall:
    """Read calldata that ``encode`` could have written; raise MalformedAnswer for any other."""
    deadline, parts = _ALL.decode(data)
    legs: list[Leg] = []
    payout: Payout | None = None
    refund = False
    for part in parts:
        if refund or (payout is not None and part[:4] != _REFUND.selector):
            raise MalformedAnswer("the router's calls are out of order")
        if part == _REFUND.selector:
            refund = True
        elif part[:4] == _UNWRAP.selector:
            minimum, recipient = _UNWRAP.decode(part)
            payout = Payout(None, minimum, checksummed(recipient))
        elif part[:4] == _SWEEP.selector:
            token, minimum, recipient = _SWEEP.decode(part)
            payout = Payout(checksummed(token), minimum, checksummed(recipient))
        else:
            legs.append(_decode_leg(part))
    return RouterCall(deadline, tuple(legs), payout, refund)


def _encode_leg(leg: Leg) -> bytes:
    if leg.kind == PoolKind.V2:
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
        return Leg(PoolKind.V2, tuple(map(checksummed, tokens)), (), amount, minimum, checksummed(recipient))
    if head == _V3_SINGLE.selector:
        ((token_in, token_out, fee, recipient, amount, minimum, limit),) = _V3_SINGLE.decode(part)
        if limit != 0:
            raise MalformedAnswer("the swap has a price limit")
        tokens = checksummed(token_in), checksummed(token_out)
        return Leg(PoolKind.V3, tokens, (fee,), amount, minimum, checksummed(recipient))
    if head == _V3_PATH.selector:
        ((path, recipient, amount, minimum),) = _V3_PATH.decode(part)
        if len(path) < 66 or len(path) % 23 != 20:
            raise MalformedAnswer("the path has another length")
        tokens = tuple(checksummed(path[i : i + 20]) for i in range(0, len(path), 23))
        fees = tuple(int.from_bytes(path[i : i + 3]) for i in range(20, len(path), 23))
        return Leg(PoolKind.V3, tokens, fees, amount, minimum, checksummed(recipient))
    raise MalformedAnswer(f"the router is told something unknown, 0x{head.hex()}")
