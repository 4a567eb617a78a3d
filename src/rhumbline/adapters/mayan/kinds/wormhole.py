"""WORMHOLE: the token bridge moves the input to Solana, where it is auctioned and swapped; the output is moved on.

Source, read 2026-11-21: swap-sdk 15.2.0 and MayanSwap.sol of https://github.com/mayan-finance/swap-bridge. There is no
swap on the origin. When nobody swaps before the deadline, the input goes back to the refund address on the origin, less
``refundFee``.
"""

from rhumbline.adapters.mayan.amounts import fitting, floored, normalised, protocol_units, whole_units
from rhumbline.adapters.mayan.bytes32 import AUCTION, NATIVE, main_account, word
from rhumbline.adapters.mayan.kinds.order import Kind, Order, Terms
from rhumbline.adapters.mayan.wire import MayanToken, WormholeQuote
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.calldata import Function

_FEES = "(uint64,uint64,uint64)"
_RECIPIENT = "(bytes32,uint16,bytes32,bytes32,uint16,bytes32,bytes32)"
_CRITERIA = "(uint256,uint64,uint64,bool,uint64,bytes)"
SWAP = Function(f"swap({_FEES},{_RECIPIENT},bytes32,uint16,{_CRITERIA},address,uint256)")
WRAP_AND_SWAP = Function(f"wrapAndSwapETH({_FEES},{_RECIPIENT},bytes32,uint16,{_CRITERIA})")
SOLANA = 1
"""Wormhole's ID of the chain that all swaps go through."""
MESSAGES = 2
"""How many Wormhole messages a swap publishes: the tokens' and its own."""


def order(reply: WormholeQuote, terms: Terms) -> Order:
    """Return the call that a quote describes; raise UpstreamFailed for one that cannot be made."""
    native = reply.from_token.contract == NATIVE
    deadline = reply.deadline64
    if deadline is None:
        raise UpstreamFailed("answered a WORMHOLE quote without a deadline")
    decimals_in, decimals_out = reply.from_token.decimals, reply.to_token.decimals
    swap_fee, refund_fee = (
        protocol_units(fee, decimals_in) for fee in (reply.swap_relayer_fee, reply.refund_relayer_fee)
    )
    redeem_fee = protocol_units(reply.redeem_relayer_fee, decimals_out)
    minimum = protocol_units(reply.min_amount_out, decimals_out)
    amount = floored(terms.amount, decimals_in)
    message_fee = whole_units(reply.bridge_fee, terms.here.native_decimals)
    carried = normalised(max(0, amount - message_fee) if native else amount, decimals_in)
    recipient = (
        main_account(reply.from_token.mint), SOLANA, word(AUCTION, ChainType.SVM), terms.destination,
        terms.there.wormhole_id, terms.referrer, terms.trader,
    )  # fmt: skip
    criteria = (
        deadline,
        fitting(deadline),
        minimum,
        reply.to_token.contract == NATIVE,
        protocol_units(reply.gas_drop, terms.there.native_decimals),
        b"",
    )
    fees = (swap_fee, redeem_fee, refund_fee)
    common = (fees, recipient, *home_of(reply.to_token), criteria)
    data = WRAP_AND_SWAP.encode(*common) if native else SWAP.encode(*common, reply.from_token.contract, amount)
    return Order(
        kind=Kind.WORMHOLE,
        contract=reply.wh_mayan_contract,
        input_token=reply.from_token.contract,
        amount=amount,
        data=data,
        guaranteed=terms.guaranteed(max(0, minimum - redeem_fee)),
        deadline=deadline,
        carried=fitting(carried),
        refund_fees=swap_fee + refund_fee,
        left=minimum - 2 * redeem_fee,
        decimals=decimals_in,
        message_fee=message_fee,
    )


def home_of(token: MayanToken) -> tuple[bytes, int]:
    """Return a token on its home chain, and that chain's Wormhole ID; raise UpstreamFailed if unknown."""
    address, chain = token.real_origin_contract_address, token.real_origin_chain_id
    if address is None or chain is None or not 0 < chain < 2**16:
        raise UpstreamFailed("answered a WORMHOLE quote that does not say where its token is at home")
    return word(address, ChainType.SVM if chain == SOLANA else ChainType.EVM), chain
