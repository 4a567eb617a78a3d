"""The call to the Diamond that a wallet signs: fees, the upstream's call, and the minimum in one transaction. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import InvalidRequest, UpstreamFailed
from rhumbline.domain.fee import Charge
from rhumbline.domain.transaction import CallKind, CrossingTerms, EvmTransaction, OrderKind, OrderTerms
from rhumbline.gateways.chain_types.bytes32 import address_word, evm_word
from rhumbline.gateways.evm.abi import encode_call

FEE = "(address,bytes32,uint256)"
OPERATION = "(uint8,address,address,address,uint256,uint256,bytes)"
ORDER = "(bytes32,bytes32,bytes32,address,address,uint256,address,uint256,uint256,uint256,address[])"
SWAP = f"swap({ORDER},{FEE}[],{OPERATION}[])"
_KINDS: Mapping[CallKind, int] = MappingProxyType(
    {CallKind.CALL: 0, CallKind.WRAP: 1, CallKind.UNWRAP: 2, CallKind.PAY: 3, CallKind.POOLS: 4}
)
_NAME_BYTES = 32
_RECEIVER = slice(4 + 6 * 32, 4 + 7 * 32)
"""The position of the receiver: after the selector, three offsets, and the order's ID, integrator and adapter."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What an upstream's call may spend: ``sent`` raw units of ``token``, and ``native_fee`` wei in addition."""

    token: str
    sent: int
    native_fee: int


@dataclass(frozen=True, slots=True)
class DiamondOrder:
    """A wallet's order to the Diamond. Amounts in raw units; ``amount`` is gross, ``net`` what the upstream gets.

    ``integrator`` is None for none; ``native_fee`` is wei beside the input; ``deadline`` is in Unix seconds.
    """

    id: bytes
    chain: Chain
    integrator: str | None
    adapter: str
    receiver: str
    input_token: str
    amount: int
    net: int
    output_token: str
    min_output: int
    deadline: int
    native_fee: int
    charges: tuple[Charge, ...]

    @property
    def value(self) -> int:
        return (self.amount if self.input_token == NATIVE_EVM else 0) + self.native_fee

    @property
    def approval_address(self) -> str | None:
        """The address that the wallet approves for the input: the Diamond, none for the native asset."""
        return None if self.input_token == NATIVE_EVM else self.chain.diamond

    def _terms(self, kind: OrderKind, sender: str, destination: Chain, crossing: CrossingTerms | None) -> OrderTerms:
        return OrderTerms(
            kind=kind,
            chain_id=self.chain.id,
            sender=address_word(self.chain, sender),
            integrator=self.integrator or "",
            adapter=self.adapter,
            receiver=address_word(destination, self.receiver),
            input_token=address_word(self.chain, self.input_token),
            ordered_amount=self.amount,
            output_token=address_word(destination, self.output_token),
            min_output=self.min_output,
            deadline=self.deadline,
            crossing=crossing,
        )


@dataclass(frozen=True, slots=True)
class RouterOrder(DiamondOrder):
    """A swap on one chain."""

    def terms(self, sender: str) -> OrderTerms:
        """Return the terms that this order's ID covers if ``sender`` signs; the ID itself is not one of them."""
        return self._terms(OrderKind.SWAP, sender, self.chain, None)


def router_call(order: RouterOrder, upstream: EvmTransaction) -> EvmTransaction:
    """Return the wallet's transaction around the upstream's own.

    Raise UpstreamFailed when that does not fit the order, InvalidRequest for a name that does not fit the contract.
    """
    if order.chain.diamond is None or upstream.chain_id != order.chain.id:
        raise UpstreamFailed("the transaction is for another chain")
    arguments = (
        (
            order.id,
            name_word(order.integrator or "", "integrator"),
            name_word(order.adapter, "adapter"),
            order.receiver,
            order.input_token,
            order.amount,
            order.output_token,
            order.min_output,
            order.deadline,
            order.native_fee,
            sweep((order.input_token, order.output_token, NATIVE_EVM), upstream),
        ),
        [(charge.recipient, name_word(charge.kind, "kind"), charge.amount) for charge in order.charges],
        [operation(Spending(order.input_token, order.net, order.native_fee), upstream)],
    )
    value, spender = order.value, order.approval_address
    data = encode_call(SWAP, [ORDER, f"{FEE}[]", f"{OPERATION}[]"], arguments)
    return EvmTransaction(order.chain.id, order.chain.diamond, value, data, spender)


def with_receiver(data: bytes, receiver: str) -> bytes:
    """Return the data of a ``router_call`` for another EVM receiver, and the same else."""
    return data[: _RECEIVER.start] + evm_word(receiver) + data[_RECEIVER.stop :]


def name_word(name: str, field: str) -> bytes:
    """Write a name as the contracts keep it: ASCII, left aligned in 32 bytes."""
    if not name.isascii() or len(name) > _NAME_BYTES:
        raise InvalidRequest([f"{field}: must be at most {_NAME_BYTES} ASCII characters"])
    return name.encode("ascii").ljust(_NAME_BYTES, b"\x00")


def operation(spending: Spending, upstream: EvmTransaction) -> tuple[object, ...]:
    """Encode the upstream's transaction as the Executor makes it: exactly its input, approved only while it runs.

    Raise UpstreamFailed if it sends another native value than agreed.
    """
    native = spending.token == NATIVE_EVM
    kind = _KINDS[upstream.kind]
    if upstream.kind is CallKind.POOLS:
        return (kind, upstream.to, NATIVE_EVM, spending.token, spending.sent, 0, upstream.data)
    if upstream.kind is not CallKind.CALL:
        token = spending.token if upstream.kind is CallKind.PAY else NATIVE_EVM
        return (kind, upstream.to, NATIVE_EVM, token, spending.sent, 0, b"")
    expected = (spending.sent if native else 0) + spending.native_fee
    if upstream.value != expected:
        raise UpstreamFailed(f"the upstream's transaction sends {upstream.value} wei instead of {expected}")
    if native or upstream.spender is None:
        return (kind, upstream.to, NATIVE_EVM, NATIVE_EVM, 0, upstream.value, upstream.data)
    return (kind, upstream.to, upstream.spender, spending.token, spending.sent, upstream.value, upstream.data)


def sweep(anyway: tuple[str, ...], *calls: EvmTransaction) -> list[str]:
    """Return the intermediate tokens whose remainder is swept to the wallet, without those in ``anyway``."""
    tokens = dict.fromkeys(token for call in calls for token in call.sweep_tokens)
    return [token for token in tokens if token not in anyway]
