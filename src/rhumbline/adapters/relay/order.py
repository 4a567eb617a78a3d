"""Orders of Relay's settlement protocol: their ID, and who signed it.

Source: settlement-sdk (``order/index.ts``, ``utils.ts``), read 2026-11-21. The ID is the EIP-712 hash of the struct,
without a domain; addresses go in as bytes (20 of an EVM chain, 32 of Solana), and the solver signs the ID's bytes by
EIP-191. Compared with an order of 2026-10 whose ID and signature Relay published.
"""

import asyncio
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from eth_utils.crypto import keccak

from rhumbline.adapters.relay.wire import Order, OrderFee, Payout, Protocol, Refund
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.svm.address import decode_address

_MEMBERS: Mapping[str, str] = MappingProxyType(
    {
        "Fee": "string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount",
        "Input": "InputPayment payment,InputRefund[] refunds",
        "InputPayment": "string chainId,bytes currency,uint256 amount,uint256 weight",
        "InputRefund": (
            "string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData"
        ),
        "Order": (
            "string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees"
        ),
        "Output": "string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData",
        "OutputPayment": "bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount",
    }
)
_USES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Input": ("InputPayment", "InputRefund"),
        "Order": ("Fee", "Input", "InputPayment", "InputRefund", "Output", "OutputPayment"),
        "Output": ("OutputPayment",),
    }
)
"""The structs inside a struct, in the alphabetic order of EIP-712."""


_SIGNATURE_BYTES = 65


def order_id(order: Order) -> bytes:
    """Return the 32 bytes under which the deposit must be made; raise UpstreamFailed for an address that is none."""
    output = order.output
    return _struct(
        "Order",
        _text(order.version),
        _text(order.solver_chain_id),
        bytes.fromhex(order.solver[2:]).rjust(32, b"\0"),
        bytes.fromhex(order.salt[2:]),
        _array(
            _struct(
                "Input",
                _struct(
                    "InputPayment",
                    _text(each.payment.chain_id),
                    _address(each.payment.currency),
                    _number(each.payment.amount),
                    _number(each.payment.weight),
                ),
                _array(_refund(refund) for refund in each.refunds),
            )
            for each in order.inputs
        ),
        _struct(
            "Output",
            _text(output.chain_id),
            _array(_payout(payout) for payout in output.payments),
            _number(output.deadline),
            _array(keccak(call) for call in output.calls),
            keccak(output.extra_data),
        ),
        _array(_fee(fee) for fee in order.fees),
    )


async def signer_of(protocol: Protocol) -> str | None:
    """Return who signed the order's ID, None when the signature is none. Off the event loop: curves take time."""
    if len(protocol.order_signature) != _SIGNATURE_BYTES:
        return None
    return await asyncio.to_thread(_recovered, bytes.fromhex(protocol.order_id[2:]), protocol.order_signature)


def _recovered(identifier: bytes, signature: bytes) -> str | None:
    # The library takes half a second to load: here, and on a thread, because a start should not wait for it.
    from eth_keys.exceptions import BadSignature
    from eth_utils.exceptions import ValidationError

    from rhumbline.gateways.evm.signing import Account, encode_defunct

    try:
        return str(Account.recover_message(encode_defunct(primitive=identifier), signature=signature))
    except (BadSignature, ValidationError, ValueError):
        return None


def _refund(refund: Refund) -> bytes:
    return _struct(
        "InputRefund",
        _text(refund.chain_id),
        _address(refund.recipient),
        _address(refund.currency),
        _number(refund.minimum_amount),
        _number(refund.deadline),
        keccak(refund.extra_data),
    )


def _payout(payout: Payout) -> bytes:
    return _struct(
        "OutputPayment",
        _address(payout.recipient),
        _address(payout.currency),
        _number(payout.minimum_amount),
        _number(payout.expected_amount),
    )


def _fee(fee: OrderFee) -> bytes:
    return _struct(
        "Fee",
        _text(fee.recipient_chain_id),
        _address(fee.recipient),
        _text(fee.currency_chain_id),
        _address(fee.currency),
        _number(fee.amount),
    )


def _struct(name: str, *words: bytes) -> bytes:
    kinds = "".join(f"{each}({_MEMBERS[each]})" for each in (name, *_USES.get(name, ())))
    return bytes(keccak(keccak(text=kinds) + b"".join(words)))


def _array(words: Iterable[bytes]) -> bytes:
    return bytes(keccak(b"".join(words)))


def _text(text: str) -> bytes:
    return bytes(keccak(text=text))


def _number(number: int) -> bytes:
    return number.to_bytes(32)


def _address(text: str) -> bytes:
    try:
        return bytes(keccak(bytes.fromhex(text[2:]) if is_address(text) else decode_address(text)))
    except ValueError:
        raise UpstreamFailed("answered an order with an address that is none") from None
