"""How a simulation shows that Mayan took an order: the Forwarder's event, and the token movements of the protocols.

Source, read 2026-11-22: swap-bridge at feecf4d7 (MayanForwarder.sol, MayanSwift.sol, MayanCircle.sol, FastMCTP.sol,
MayanSwap.sol). The protocols' own events do not identify an order before it is mined: SWIFT's hash includes a share
that is read on chain, and the messages of Circle and Wormhole have numbers. The Forwarder's event, which it emits once
a call, repeats the protocol's call as we wrote it, with all of the order's terms, and has the amount passed on. The
Forwarder reverts if a swap brings less of the intermediate token than its minimum.
"""

from collections.abc import Mapping

from rhumbline.adapters.mayan.amounts import floored
from rhumbline.adapters.mayan.bytes32 import NATIVE
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.forwarder import Call
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.deposit import BURNT, BridgeDeposit, LogPattern
from rhumbline.gateways.evm.abi import encode_args, topic
from rhumbline.gateways.evm.address import checksummed

FORWARDED_ETH = topic("ForwardedEth(address,bytes)")
FORWARDED_ERC20 = topic("ForwardedERC20(address,uint256,address,bytes)")
SWAPPED_ETH = topic("SwapAndForwardedEth(uint256,address,address,uint256,address,bytes)")
SWAPPED_ERC20 = topic("SwapAndForwardedERC20(address,uint256,address,address,uint256,address,bytes)")


def deposit_of(order: Order, call: Call, here: Deployment, chain: Chain) -> BridgeDeposit:
    """Return what the Forwarder's call passes to a protocol; its least amount is the call's own minimum."""
    native = order.input_token == NATIVE
    token = NATIVE_EVM if native else checksummed(order.input_token)
    return BridgeDeposit(
        token, _least(order, call), _holders(order, here, chain, native=native), _log(call, here), call.swap is not None
    )


def _least(order: Order, call: Call) -> int:
    if call.swap is not None:
        return call.swap.minimum
    if order.input_token == NATIVE:
        return floored(order.amount - order.message_fee, order.decimals)
    return order.amount


def _holders(order: Order, here: Deployment, chain: Chain, *, native: bool) -> tuple[str, ...]:
    """Return who has the token in the end: SWIFT itself; Circle burns it, except a fee that MCTP may lock.

    For Wormhole it is the token bridge, or for the native asset the contract that wraps it.
    """
    match order.kind:
        case Kind.SWIFT:
            return (checksummed(order.contract),)
        case Kind.MCTP | Kind.FAST_MCTP:
            return checksummed(order.contract), BURNT
        case Kind.WORMHOLE:
            wrapping = (chain.wrapped_native,) if native and chain.wrapped_native is not None else ()
            return checksummed(here.token_bridge), *wrapping


def _log(call: Call, here: Deployment) -> LogPattern:
    """Return the Forwarder's event of this call; amounts that a swap decides are left open."""
    contract, data = ("address", call.contract), ("bytes", call.data)
    amount, swap = ("uint256", call.amount), call.swap
    if swap is None:
        if call.token == NATIVE:
            return _pattern(here, FORWARDED_ETH, (contract, data))
        return _pattern(here, FORWARDED_ERC20, (("address", call.token), amount, contract, data), amount_at=1)
    sold = ("uint256", call.amount - call.message_fee if call.token == NATIVE else call.amount)
    rest = (("address", swap.router), ("address", swap.middle), ("uint256", 0), contract, data)
    if call.token == NATIVE:
        return _pattern(here, SWAPPED_ETH, (sold, *rest), amount_at=3, open_at=3)
    return _pattern(here, SWAPPED_ERC20, (("address", call.token), sold, *rest), amount_at=4, open_at=4)


def _pattern(
    here: Deployment,
    event: bytes,
    members: tuple[tuple[str, object], ...],
    *,
    amount_at: int | None = None,
    open_at: int | None = None,
) -> LogPattern:
    encoded = encode_args([kind for kind, _ in members], [value for _, value in members])
    words: Mapping[int, bytes] = {
        place: encoded[32 * place : 32 * place + 32] for place in range(len(encoded) // 32) if place != open_at
    }
    return LogPattern(checksummed(here.forwarder), (event,), words, amount_at)
