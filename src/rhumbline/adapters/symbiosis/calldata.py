"""Decodes the call that starts a transfer, to its last byte, and shows what the portal locked in a simulation.

ABI of the vendor's core contracts (MetaRouter, Portal, Synthesis, MulticallRouter, OmniPool; the SDK's ``abis``, read
2026-11-21). Of all that ``metaRoute`` can do one shape is read, and anything else refused: lock a token in the portal,
swap its synthetic form in one pool of the host chain, burn what comes out, and release it on the destination. Each step
is calldata within the one before:

    metaRoute ─ otherSideCalldata: metaSynthesize ┬ secondSwapCalldata: multicall ─ swap
                                                  └ finalCalldata: metaBurnSyntheticToken ─ finalCallData: unwrap
"""

from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import MalformedAnswer, topic
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
REQUESTED = topic("SynthesizeRequest(bytes32,address,uint256,address,address,uint256,address)")
"""Of Portal.sol (verified source, read 2026-11-22): ``id``, indexed ``from``, ``chainID`` and ``revertableAddress``,
``to``, ``amount``, ``token``; written once by every lock, after the portal took the tokens."""
# Where the contracts write what really arrived: behind the selector, an offset and the fee; behind the selector.
BURN_AMOUNT_AT = 100
SWAP_AMOUNT_AT = 100
UNWRAP_AMOUNT_AT = 36
_TO, _AMOUNT, _TOKEN = 1, 2, 3


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
    """The release on the destination: ``fee`` is deducted from the swap's output, the rest goes to ``receiver``.

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

    paid_token: str
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
    first, second, tokens, router, _, amount, native, portal, other_side = route
    (locked,) = META_SYNTHESIZE.decode(other_side)
    (
        fee, locked_amount, token, receiver, receive_side, bridge, refunded, chain, synthetics, swapper, swap, burner,
        burn, burn_at, revertable, _,
    ) = locked  # fmt: skip
    wrapper = None
    if first:
        _expect(first, DEPOSIT.encode(), "a swap before the crossing")
        wrapper = checksummed(router)
    else:
        _expect(router, NATIVE_EVM, "a router that has nothing to do")
    _expect(second, b"", "a second swap before the crossing")
    _expect(burn_at, BURN_AMOUNT_AT, "another place of the amount")
    _expect(locked_amount, amount, "another amount in the portal")
    if not tokens or any(each != token for each in tokens[1:]):
        raise MalformedAnswer("other tokens on the way to the portal")
    return Crossing(
        checksummed(tokens[0]),
        checksummed(token),
        amount,
        native,
        wrapper,
        checksummed(portal),
        fee,
        checksummed(receiver),
        checksummed(receive_side),
        checksummed(bridge),
        checksummed(refunded),
        chain,
        tuple(map(checksummed, synthetics)),
        checksummed(swapper),
        checksummed(burner),
        checksummed(revertable),
        _read_swap(swap),
        _read_burn(burn),
    )


def deposit_of(crossing: Crossing) -> BridgeDeposit:
    """Return the lock of a checked crossing: exactly its amount, of the wrapped token for a native input."""
    log = LogPattern(
        crossing.portal,
        (REQUESTED, evm_word(crossing.refunded), crossing.chain.to_bytes(32), evm_word(crossing.revertable)),
        MappingProxyType({_TO: evm_word(crossing.receiver), _TOKEN: evm_word(crossing.token)}),
        _AMOUNT,
    )
    return BridgeDeposit(crossing.token, crossing.amount, (crossing.portal,), log)


def _read_swap(data: bytes) -> Swap:
    # Both amounts are estimates, replaced on chain by the actual balances.
    _, calls, pools, path, places, holder = MULTICALL.decode(data)
    if not len(calls) == len(pools) == len(places) == 1:
        raise MalformedAnswer("more or less than one call in the pool")
    from_index, to_index, _, minimum, to, deadline = POOL_SWAP.decode(calls[0])
    _expect(places[0], SWAP_AMOUNT_AT, "another place of the amount")
    path = tuple(map(checksummed, path))
    return Swap(
        checksummed(pools[0]), path, from_index, to_index, minimum, checksummed(to), deadline, checksummed(holder)
    )


def _read_burn(data: bytes) -> Burn:
    (burn,) = META_BURN.decode(data)
    fee, _, _, caller, side, token, call, place, receiver, receive_side, bridge, revertable, chain, _ = burn
    unwrapper = unwrapped_to = None
    if call:
        _expect(place, UNWRAP_AMOUNT_AT, "another place of the amount")
        _, to = UNWRAP.decode(call)
        unwrapper, unwrapped_to = checksummed(side), checksummed(to)
    else:
        _expect(side, NATIVE_EVM, "a contract on the destination that has nothing to do")
    return Burn(
        fee,
        checksummed(caller),
        checksummed(token),
        checksummed(receiver),
        checksummed(receive_side),
        checksummed(bridge),
        checksummed(revertable),
        chain,
        unwrapper,
        unwrapped_to,
    )


def _expect(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise MalformedAnswer(what)
