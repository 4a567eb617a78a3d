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
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_call, selector
from rhumbline.gateways.evm.address import checksummed

TO_CALLER = "0x0000000000000000000000000000000000000001"
TO_ROUTER = "0x0000000000000000000000000000000000000002"
"""What the router reads as its caller and as itself."""
ROUTER_BALANCE = 0

_V2 = ("swapExactTokensForTokens(uint256,uint256,address[],address)", ("uint256", "uint256", "address[]", "address"))
_V3_SINGLE = (
    "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
    ("(address,address,uint24,address,uint256,uint256,uint160)",),
)
_V3_PATH = ("exactInput((bytes,address,uint256,uint256))", ("(bytes,address,uint256,uint256)",))
_UNWRAP = ("unwrapWETH9(uint256,address)", ("uint256", "address"))
_REFUND = ("refundETH()", ())
_ALL = ("multicall(uint256,bytes[])", ("uint256", "bytes[]"))


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
        parts.append(_encoded(_UNWRAP, *call.unwrap))
    if call.refund:
        parts.append(_encoded(_REFUND))
    return _encoded(_ALL, call.deadline, parts)


def decode(data: bytes) -> RouterCall:
    """Read calldata that ``encode`` could have written; raise MalformedAnswer for any other."""
    deadline, parts = _decoded(_ALL, data)
    if not isinstance(deadline, int) or not isinstance(parts, tuple | list):
        raise MalformedAnswer("the router's multicall has other arguments")
    legs: list[Leg] = []
    unwrap: tuple[int, str] | None = None
    refund = False
    for part in parts:
        if refund or (unwrap is not None and part[:4] != selector(_REFUND[0])):
            raise MalformedAnswer("the router's calls are out of order")
        if part == selector(_REFUND[0]):
            refund = True
        elif part[:4] == selector(_UNWRAP[0]):
            minimum, recipient = _decoded(_UNWRAP, part)
            unwrap = _number(minimum), checksummed(str(recipient))
        else:
            legs.append(_decode_leg(part))
    return RouterCall(deadline, tuple(legs), unwrap, refund)


def _encode_leg(leg: Leg) -> bytes:
    if leg.version == Version.V2:
        return _encoded(_V2, leg.amount_in, leg.minimum, leg.tokens, leg.recipient)
    if len(leg.fees) == 1:
        return _encoded(_V3_SINGLE, (*leg.tokens, leg.fees[0], leg.recipient, leg.amount_in, leg.minimum, 0))
    path = bytes.fromhex(leg.tokens[0][2:])
    for fee, token in zip(leg.fees, leg.tokens[1:], strict=True):
        path += fee.to_bytes(3) + bytes.fromhex(token[2:])
    return _encoded(_V3_PATH, (path, leg.recipient, leg.amount_in, leg.minimum))


def _decode_leg(part: bytes) -> Leg:
    head = part[:4]
    if head == selector(_V2[0]):
        amount, minimum, tokens, recipient = _decoded(_V2, part)
        if not isinstance(tokens, tuple | list):
            raise MalformedAnswer("the path is not a list")
        return _leg(Version.V2, tuple(tokens), (), amount, minimum, recipient)
    if head == selector(_V3_SINGLE[0]):
        (single,) = _decoded(_V3_SINGLE, part)
        if not isinstance(single, tuple) or single[6] != 0:
            raise MalformedAnswer("the swap has a price limit")
        token_in, token_out, fee, recipient, amount, minimum, _ = single
        return _leg(Version.V3, (token_in, token_out), (fee,), amount, minimum, recipient)
    if head == selector(_V3_PATH[0]):
        (several,) = _decoded(_V3_PATH, part)
        if not isinstance(several, tuple):
            raise MalformedAnswer("the swap has other arguments")
        path, recipient, amount, minimum = several
        if len(path) < 66 or len(path) % 23 != 20:
            raise MalformedAnswer("the path has another length")
        tokens = tuple(checksummed(path[i : i + 20]) for i in range(0, len(path), 23))
        fees = tuple(int.from_bytes(path[i : i + 3]) for i in range(20, len(path), 23))
        return _leg(Version.V3, tokens, fees, amount, minimum, recipient)
    raise MalformedAnswer(f"the router is told something unknown, 0x{head.hex()}")


def _leg(
    version: Version, tokens: Sequence[object], fees: tuple[int, ...], amount: object, minimum: object, to: object
) -> Leg:
    return Leg(
        version,
        tuple(checksummed(str(token)) for token in tokens),
        fees,
        _number(amount),
        _number(minimum),
        checksummed(str(to)),
    )


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise MalformedAnswer("an amount is not a number")
    return value


def _encoded(function: tuple[str, tuple[str, ...]], *values: object) -> bytes:
    return encode_call(function[0], function[1], values)


def _decoded(function: tuple[str, tuple[str, ...]], data: bytes) -> tuple[object, ...]:
    if data[:4] != selector(function[0]):
        raise MalformedAnswer(f"the call is not {function[0]}")
    return decode_args(function[1], data[4:])
