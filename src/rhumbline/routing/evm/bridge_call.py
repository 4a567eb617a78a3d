"""The call to the Diamond that starts a transfer across chains: fees, the bridge's call, what is claimed. Pure."""

from dataclasses import dataclass

from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transaction import CallKind, CrossingTerms, EvmTransaction, OrderKind, OrderTerms
from rhumbline.gateways.bytes32 import address_word, reference_word
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.evm.router_call import FEE, OPERATION, DiamondOrder, Spending, name_word, operation, sweep

BRIDGE_ORDER = (
    "(bytes32,bytes32,bytes32,bytes32,uint256,address,uint256,address,uint256,bytes32,uint256,uint256,address,bool,"
    "bytes32,uint256,uint256,address[])"
)
BRIDGE = f"bridge({BRIDGE_ORDER},{FEE}[],{OPERATION}[])"


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeOrder(DiamondOrder):
    """A transfer across chains: ``net`` is what the bridge is given, ``sent`` what it takes of that.

    ``min_output`` is what it guarantees on ``destination``. ``refund_to`` gets the tokens back on the origin.
    ``reference`` is what the bridge calls the transfer, None if not known beforehand.
    """

    destination: Chain
    sent: int
    expected_output: int
    refund_to: str
    reference: str | None

    def terms(self, sender: str) -> OrderTerms:
        crossing = CrossingTerms(
            destination_chain_id=self.destination.id,
            sent_token=address_word(self.chain, self.input_token),
            expected_output=self.expected_output,
            refund_to=address_word(self.chain, self.refund_to),
            has_destination_call=False,
            reference=reference_word(self.reference),
        )
        return self._terms(OrderKind.BRIDGE, sender, self.destination, crossing)

    @property
    def spending(self) -> Spending:
        return Spending(self.input_token, self.net, self.sent, self.native_fee)


def bridge_call(order: BridgeOrder, upstream: EvmTransaction) -> EvmTransaction:
    """Return the wallet's transaction around the bridge's own; raise UpstreamFailed when that does not fit."""
    if order.chain.diamond is None or upstream.chain_id != order.chain.id:
        raise UpstreamFailed("the transaction is for another chain")
    if upstream.kind not in (CallKind.CALL, CallKind.PAY):
        raise UpstreamFailed("the transaction hands nothing to a bridge")
    if not 0 < order.sent <= order.net:
        raise UpstreamFailed("the transaction takes another amount than was agreed")
    arguments = (
        (
            order.id,
            name_word(order.integrator or "", "integrator"),
            name_word(order.adapter, "adapter"),
            address_word(order.destination, order.receiver),
            order.destination.id,
            order.input_token,
            order.amount,
            order.input_token,
            order.sent,
            address_word(order.destination, order.output_token),
            order.expected_output,
            order.min_output,
            order.refund_to,
            False,
            reference_word(order.reference),
            order.deadline,
            order.native_fee,
            sweep((order.input_token, NATIVE_EVM), upstream),
        ),
        [(charge.recipient, name_word(charge.kind, "kind"), charge.amount) for charge in order.charges],
        [operation(order.spending, upstream)],
    )
    data = encode_call(BRIDGE, [BRIDGE_ORDER, f"{FEE}[]", f"{OPERATION}[]"], arguments)
    return EvmTransaction(order.chain.id, order.chain.diamond, order.value, data, order.approval_address)
