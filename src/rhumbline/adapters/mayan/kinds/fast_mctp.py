"""FAST_MCTP: Circle's second version of the transfer protocol, whose message itself says for whom the USDC is.

Source, read 2026-11-21: swap-sdk 15.2.0 and FastMCTP.sol of https://github.com/mayan-finance/swap-bridge. Two forms: an
order, which a solver swaps on the destination into anything but USDC, and a bridge. An order that nobody swaps before
its deadline is paid out in USDC, less ``refundFee``, to the destination address on the destination.
"""

from dataclasses import replace

from rhumbline.adapters.mayan.amounts import fitting, on_the_way
from rhumbline.adapters.mayan.kinds.order import (
    USDC_DECIMALS,
    Kind,
    Order,
    Terms,
    least_middle,
    share_of,
    without_share,
)
from rhumbline.adapters.mayan.wire import FastMctpSaid
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.calldata import Function

CREATE = Function(
    "createOrder(address,uint256,uint256,uint32,uint32,"
    "(uint8,bytes32,bytes32,uint64,uint64,uint64,uint64,uint64,bytes32,uint8))"
)
BRIDGE = Function("bridge(address,uint256,uint64,uint256,uint64,bytes32,uint32,bytes32,uint8,uint8,uint32,bytes)")
PLAIN = 1
ORDER = 3


def order(said: FastMctpSaid, terms: Terms) -> Order:
    """Return the call that a quote describes; raise UpstreamFailed for one that cannot be made."""
    token, domain = said.fast_mctp_input_contract, terms.there.cctp_domain
    swaps = token.lower() != said.from_token.contract.lower()
    least = least_middle(said, USDC_DECIMALS) if swaps else 0
    burnt = fitting(least if swaps else terms.amount)
    fee = on_the_way(said.redeem_relayer_fee, USDC_DECIMALS)
    if domain is None:
        raise UpstreamFailed("answered a FAST_MCTP quote to a chain that Circle does not serve")
    refund_fees = 0
    if said.has_auction:
        data, guaranteed, refund_fee = _created(said, terms, fee)
        refund_fees = refund_fee + said.circle_max_fee64
    else:
        data = BRIDGE.encode(
            token, terms.amount, fee, said.circle_max_fee64, on_the_way(said.gas_drop, terms.there.native_decimals),
            terms.destination, domain, terms.referrer, said.referrer_bps or 0, PLAIN, said.fast_mctp_min_finality, b"",
        )  # fmt: skip
        guaranteed = without_share(max(0, burnt - fee - said.circle_max_fee64), said)
    return replace(
        order_of(said, terms, data, guaranteed, burnt, fee),
        min_middle=least,
        refund_fees=refund_fees,
        most=None if said.has_auction or swaps else guaranteed,
    )


def order_of(said: FastMctpSaid, terms: Terms, data: bytes, guaranteed: int, burnt: int, fee: int) -> Order:
    """Return what an order is on any origin, but for a refund's fees; ``fee`` is the relayer's on the destination."""
    return Order(
        kind=Kind.FAST_MCTP,
        contract=said.fast_mctp_mayan_contract,
        input_token=said.fast_mctp_input_contract,
        amount=terms.amount,
        data=data,
        guaranteed=guaranteed,
        deadline=said.deadline64 if said.has_auction else None,
        carried=burnt,
        refund_fees=0,
        left=burnt - fee - said.circle_max_fee64,
        decimals=USDC_DECIMALS,
        relayer_fee=fee,
        circle_fee=said.circle_max_fee64,
        protocol_bps=share_of(said),
    )


def _created(said: FastMctpSaid, terms: Terms, fee: int) -> tuple[bytes, int, int]:
    """Return the order's call, what it guarantees (the contract takes shares before it measures), a refund's fee."""
    if said.deadline64 is None or said.refund_relayer_fee64 is None:
        raise UpstreamFailed("answered a FAST_MCTP order without what it needs")
    refund = fitting(said.refund_relayer_fee64)
    minimum = on_the_way(said.min_amount_out, said.to_token.decimals)
    payload = (
        ORDER, terms.destination, terms.token_out, minimum, on_the_way(said.gas_drop, terms.there.native_decimals),
        fee, refund, fitting(said.deadline64), terms.referrer, said.referrer_bps or 0,
    )  # fmt: skip
    data = CREATE.encode(
        said.fast_mctp_input_contract, terms.amount, said.circle_max_fee64, terms.there.cctp_domain,
        said.fast_mctp_min_finality, payload,
    )  # fmt: skip
    return data, terms.guaranteed(minimum), refund
