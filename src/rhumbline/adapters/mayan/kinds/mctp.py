"""MCTP: version 1 of Circle's transfer protocol moves USDC, and a Wormhole message names the receiver.

Source, read 2026-11-21: swap-sdk 15.2.0 and MayanCircle.sol of https://github.com/mayan-finance/swap-bridge. Three
forms: an order, which a solver swaps on the destination into anything but USDC; a bridge whose relayer is paid there;
and one whose relayer is paid out of what is locked on the origin. An order that nobody swaps before its deadline is
paid out in USDC, less the relayer's fee, to the destination address on the destination.
"""

from dataclasses import replace

from rhumbline.adapters.mayan.amounts import fitting, protocol_units, whole_units
from rhumbline.adapters.mayan.kinds.order import (
    USDC_DECIMALS,
    Kind,
    Order,
    Terms,
    least_middle,
    share_of,
    without_share,
)
from rhumbline.adapters.mayan.wire import MctpQuote
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.calldata import Function

CREATE = Function("createOrder((address,uint256,uint64,bytes32,uint16,bytes32,uint64,uint64,uint64,bytes32,uint8))")
BRIDGE_LOCKED = Function("bridgeWithLockedFee(address,uint256,uint64,uint256,uint32,bytes32)")
BRIDGE = Function("bridgeWithFee(address,uint256,uint64,uint64,bytes32,uint32,uint8,bytes)")
PLAIN = 1


def order(reply: MctpQuote, terms: Terms) -> Order:
    """Return the call that a quote describes; raise UpstreamFailed for one that cannot be made."""
    token = reply.mctp_input_contract
    swaps = token.lower() != reply.from_token.contract.lower()
    least = least_middle(reply, USDC_DECIMALS) if swaps else 0
    # Burnt amounts are cut to 64 bits.
    burnt = fitting(least if swaps else terms.amount)
    fee = protocol_units(reply.redeem_relayer_fee, USDC_DECIMALS)
    gas_drop = protocol_units(reply.gas_drop, terms.there.native_decimals)
    domain = terms.there.cctp_domain
    if domain is None:
        raise UpstreamFailed("answered an MCTP quote to a chain that Circle does not serve")
    minimum = protocol_units(reply.min_amount_out, reply.to_token.decimals)
    if reply.has_auction:
        data = _created(reply, terms, minimum, fee, gas_drop)
        # The contract measures before Mayan's share is off.
        guaranteed = without_share(terms.guaranteed(minimum), reply)
    elif reply.cheaper_chain == reply.from_chain:
        if any(terms.destination[:12]) or not fee:
            raise UpstreamFailed("answered an MCTP quote that its contract cannot take")
        data = BRIDGE_LOCKED.encode(token, terms.amount, gas_drop, fee, domain, terms.destination)
        guaranteed = max(0, burnt - fee)
    else:
        data = BRIDGE.encode(token, terms.amount, fee, gas_drop, terms.destination, domain, PLAIN, b"")
        guaranteed = max(0, burnt - fee)
    return replace(
        order_of(reply, terms, data, guaranteed, burnt, fee),
        min_middle=least,
        most=None if reply.has_auction or swaps else guaranteed,
        message_fee=whole_units(reply.bridge_fee, terms.here.native_decimals),
    )


def order_of(reply: MctpQuote, terms: Terms, data: bytes, guaranteed: int, burnt: int, fee: int) -> Order:
    """Return what an order is on any origin; ``fee`` is the relayer's on the destination."""
    return Order(
        kind=Kind.MCTP,
        contract=reply.mctp_mayan_contract,
        input_token=reply.mctp_input_contract,
        amount=terms.amount,
        data=data,
        guaranteed=guaranteed,
        deadline=reply.deadline64 if reply.has_auction else None,
        carried=burnt,
        refund_fees=fee if reply.has_auction else 0,
        left=burnt - 2 * fee,
        decimals=USDC_DECIMALS,
        relayer_fee=fee,
        protocol_bps=share_of(reply) if reply.has_auction else 0,
    )


def _created(reply: MctpQuote, terms: Terms, minimum: int, fee: int, gas_drop: int) -> bytes:
    if reply.deadline64 is None:
        raise UpstreamFailed("answered an MCTP order without a deadline")
    return CREATE.encode(
        (
            reply.mctp_input_contract, terms.amount, gas_drop, terms.destination, terms.there.wormhole_id,
            terms.token_out, minimum, fitting(reply.deadline64), fee, terms.referrer, reply.referrer_bps or 0,
        )
    )  # fmt: skip
