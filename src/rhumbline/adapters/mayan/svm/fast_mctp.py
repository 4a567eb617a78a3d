"""FAST_MCTP from Solana: Circle's second version, whose message itself says for whom the USDC is.

Source as in ``draft``. Two forms, as from EVM chains.
"""

from dataclasses import replace
from struct import Struct

from rhumbline.adapters.mayan.amounts import fitting, on_the_way
from rhumbline.adapters.mayan.kinds.fast_mctp import order_of
from rhumbline.adapters.mayan.kinds.order import Ledger, Order, Terms, without_share
from rhumbline.adapters.mayan.svm.draft import expect_unswapped, holder_of, kept
from rhumbline.adapters.mayan.svm.ledgers import (
    LARGEST_LEDGER,
    burnt_of,
    call_of,
    deadline_of,
    ledger_address,
    most_of,
    solana_fee,
)
from rhumbline.adapters.mayan.wire import FastMctpSaid
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.svm.address import anchor_name, encode_address
from rhumbline.gateways.svm.programs import SYSTEM

BRIDGE, CREATE = anchor_name("global", "init_bridge_ledger"), anchor_name("global", "init_order_ledger")
BRIDGE_FORM = Struct("<8s32sQQQQI32sBHQIB")
ORDER_FORM = Struct("<8s32sQQQQQIHB32sQQ32sBQI")
BRIDGED, SWAPPED = 1, 2
_NUMBERS = 65_000
"""From how many the SDK draws a ledger's number; a wallet's ledgers that are open at once have different ones."""


def order(said: FastMctpSaid, terms: Terms) -> Order:
    """Return the order that a quote describes; raise UpstreamFailed for one that cannot be made."""
    expect_unswapped(said, said.fast_mctp_input_contract)
    domain = terms.there.cctp_domain
    if said.redeem_relayer_fee64 is None or domain is None:
        raise UpstreamFailed("answered a FAST_MCTP quote without what it needs")
    fee, before, circle = fitting(said.redeem_relayer_fee64), solana_fee(said), fitting(said.circle_max_fee64)
    burnt, number = burnt_of(terms, before), int.from_bytes(terms.random(8)) % _NUMBERS
    begun = (terms.destination, fitting(terms.amount), on_the_way(said.gas_drop, terms.there.native_decimals), fee)
    referred, refund = (terms.referrer, said.referrer_bps or 0), 0
    ends = (circle, said.fast_mctp_min_finality)
    if said.has_auction:
        minimum, refund = on_the_way(said.min_amount_out, said.to_token.decimals), _refund_fee(said)
        swap = (terms.token_out, minimum, deadline_of(said), *referred)
        data = ORDER_FORM.pack(CREATE, *begun, refund, before, domain, number, SWAPPED, *swap, *ends)
        guaranteed = terms.guaranteed(minimum)
    else:
        data = BRIDGE_FORM.pack(BRIDGE, *begun, before, domain, *referred, number, *ends, BRIDGED)
        guaranteed = without_share(max(0, burnt - fee - circle), said)
    return replace(
        order_of(said, terms, data, guaranteed, burnt, fee),
        contract=said.fast_mctp_mayan_contract or terms.here.fast_mctp[0],
        refund_fees=refund + circle if said.has_auction else 0,
        most=most_of(said, terms, burnt) if said.has_auction else guaranteed,
        relayer_fee=fee + before,
        start_fee=before,
        ledger=_ledger(said, terms, number, data),
    )


def _refund_fee(said: FastMctpSaid) -> int:
    if said.refund_relayer_fee64 is None:
        raise UpstreamFailed("answered a FAST_MCTP order without what it needs")
    return fitting(said.refund_relayer_fee64)


def _ledger(said: FastMctpSaid, terms: Terms, number: int, data: bytes) -> Ledger:
    program, wallet, usdc = terms.here.fast_mctp[0], encode_address(terms.trader), said.fast_mctp_input_contract
    address = ledger_address(terms.trader, number.to_bytes(2, "little"), program, swapped=said.has_auction)
    # The program stands for a payload, of which there is none; an order has no place for one.
    payload = () if said.has_auction else (program,)
    named = (wallet, address, wallet, holder_of(address, usdc), *payload, usdc, SYSTEM)
    return Ledger(address, call_of(terms, program, data, named, address), kept(LARGEST_LEDGER))
