"""The call to the Diamond that starts a transfer across chains: fees, the bridge's call, the claimed terms. Pure."""

import secrets
from dataclasses import dataclass, replace
from typing import TypeVar

from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transaction import (
    CallKind,
    CrossingTerms,
    EvmTransaction,
    OrderKind,
    OrderTerms,
    make_transaction_id,
)
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.evm.router_call import (
    FEE,
    OPERATION,
    DiamondOrder,
    RouterOrder,
    Spending,
    name_word,
    operation,
    sweep,
)

BRIDGE_ORDER = (
    "(bytes32,bytes32,bytes32,bytes32,uint256,address,uint256,address,uint256,bytes32,uint256,uint256,address,bool,"
    "bytes32,uint256,uint256,address[])"
)
BRIDGE = f"bridge({BRIDGE_ORDER},{FEE}[],{OPERATION}[])"


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeOrder(DiamondOrder):
    """A transfer across chains: ``net`` is what the bridge may take, ``sent`` what it takes of that.

    ``min_output`` is guaranteed on ``destination``. ``refund_to`` gets refunds on the origin. ``reference`` is the
    bridge's ID of the transfer, None if not known beforehand. If the input is first swapped, ``swapped_into`` is the
    token in which the bridge takes ``sent``. With ``has_destination_call`` the bridge pays the Receiver on
    ``destination``, which swaps.
    """

    destination: Chain
    sent: int
    expected_output: int
    refund_to: str
    reference: str | None
    swapped_into: str | None = None
    has_destination_call: bool = False

    @property
    def sent_token(self) -> str:
        return self.swapped_into or self.input_token

    def terms(self, sender: str) -> OrderTerms:
        crossing = CrossingTerms(
            destination_chain_id=self.destination.id,
            sent_token=address_word(self.chain, self.sent_token),
            expected_output=self.expected_output,
            refund_to=address_word(self.chain, self.refund_to),
            has_destination_call=self.has_destination_call,
            reference=reference_word(self.reference),
        )
        return self._terms(OrderKind.BRIDGE, sender, self.destination, crossing)

    @property
    def spending(self) -> Spending:
        """What the bridge's call may spend."""
        return Spending(self.sent_token, self.sent, self.native_fee)

    @property
    def swapping(self) -> Spending:
        """What a swap before it may spend."""
        return Spending(self.input_token, self.net, 0)


def bridge_call(order: BridgeOrder, upstream: EvmTransaction) -> EvmTransaction:
    """Return the wallet's transaction around the bridge's own; raise UpstreamFailed when that does not fit."""
    if order.chain.diamond is None or upstream.chain_id != order.chain.id:
        raise UpstreamFailed("the transaction is for another chain")
    if upstream.kind not in (CallKind.CALL, CallKind.PAY):
        raise UpstreamFailed("the transaction gives nothing to a bridge")
    if not _is_agreed(order, upstream):
        raise UpstreamFailed("the transaction takes another amount than was agreed")
    swaps = () if upstream.swap is None else (upstream.swap.transaction,)
    arguments = (
        (
            order.id,
            name_word(order.integrator or "", "integrator"),
            name_word(order.adapter, "adapter"),
            address_word(order.destination, order.receiver),
            order.destination.id,
            order.input_token,
            order.amount,
            order.sent_token,
            order.sent,
            address_word(order.destination, order.output_token),
            order.expected_output,
            order.min_output,
            order.refund_to,
            order.has_destination_call,
            reference_word(order.reference),
            order.deadline,
            order.native_fee,
            sweep((order.input_token, order.sent_token, NATIVE_EVM), *swaps, upstream),
        ),
        [(charge.recipient, name_word(charge.kind, "kind"), charge.amount) for charge in order.charges],
        [*(operation(order.swapping, swap) for swap in swaps), operation(order.spending, upstream)],
    )
    data = encode_call(BRIDGE, [BRIDGE_ORDER, f"{FEE}[]", f"{OPERATION}[]"], arguments)
    return EvmTransaction(order.chain.id, order.chain.diamond, order.value, data, order.approval_address)


def _is_agreed(order: BridgeOrder, upstream: EvmTransaction) -> bool:
    """Return whether the bridge takes the order's amount: a part of the input, or a swap's minimum."""
    swap = upstream.swap
    if swap is None:
        return order.swapped_into is None and 0 < order.sent <= order.net
    first = swap.transaction
    trades = first.kind is not CallKind.PAY and first.chain_id == order.chain.id and first.swap is None
    return trades and order.sent > 0 and (order.swapped_into, order.sent) == (swap.token, swap.least)


UNIDENTIFIED = bytes(32)
"""Used as the ID while an order is made."""
Order = TypeVar("Order", RouterOrder, BridgeOrder)


def identified(order: Order, sender: str, key: bytes, nonce: bytes | None = None) -> Order:
    """Return the order with a new ID for it when ``sender`` signs it; raise UpstreamFailed for impossible numbers.

    ``nonce`` is the ID's first half, 16 bytes; random ones without it.
    """
    try:
        terms = order.terms(sender)
    except ValueError as error:
        raise UpstreamFailed(f"answered with a value that does not fit an order: {error}") from error
    return replace(order, id=make_transaction_id(key, nonce or secrets.token_bytes(16), terms))
