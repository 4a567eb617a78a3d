"""Orders of Relay's settlement protocol: their ID and their signature.

Source: settlement-sdk (``order/index.ts``, ``utils.ts``), read 2026-11-21. The ID is the EIP-712 hash of the struct,
without a domain; addresses go in as bytes (20 of an EVM chain, 32 of Solana), and the solver signs the ID's bytes by
EIP-191. Compared with an order of 2026-10 whose ID and signature Relay published.
"""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from eth_utils.crypto import keccak
from pydantic.alias_generators import to_snake

from rhumbline.adapters.relay.wire import Order, Protocol, QuoteAnswer
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.chain_types.bytes32 import account_bytes, evm_word
from rhumbline.gateways.upstreams.fields import CamelAnswer

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
    """Return the 32 bytes under which the deposit must be made; raise UpstreamFailed for an invalid address."""
    return _struct("Order", order)


def protocol_of(answer: QuoteAnswer) -> Protocol:
    """Return the order behind a transfer across chains; raise UpstreamFailed without one."""
    if answer.protocol is None or answer.protocol.v2 is None:
        raise UpstreamFailed("answered a transfer without its order")
    return answer.protocol.v2


async def signer_of(protocol: Protocol) -> str | None:
    """Return who signed the order's ID, None if the signature is invalid. Off the event loop, because it is slow."""
    if len(protocol.order_signature) != _SIGNATURE_BYTES:
        return None
    return await asyncio.to_thread(_recovered, bytes.fromhex(protocol.order_id[2:]), protocol.order_signature)


def _recovered(identifier: bytes, signature: bytes) -> str | None:
    # The library takes half a second to load: here, and on a thread, because a start should not wait for it.
    from eth_keys.exceptions import BadSignature
    from eth_utils.exceptions import ValidationError

    from rhumbline.gateways.evm.signatures import Account, encode_defunct

    try:
        return str(Account.recover_message(encode_defunct(primitive=identifier), signature=signature))
    except (BadSignature, ValidationError, ValueError):
        return None


def _struct(name: str, value: CamelAnswer) -> bytes:
    """Return the hash of a struct: its type, then its members as EIP-712 encodes them."""
    kinds = "".join(f"{each}({_MEMBERS[each]})" for each in (name, *_USES.get(name, ())))
    members = (member.split(" ") for member in _MEMBERS[name].split(","))
    words = [_word(kind, getattr(value, to_snake(field))) for kind, field in members]
    return bytes(keccak(keccak(text=kinds) + b"".join(words)))


def _word(kind: str, value: Any) -> bytes:
    """Return a member's 32 bytes; an account of any chain is text here, and ``bytes`` in the order."""
    if kind.endswith("[]"):
        return bytes(keccak(b"".join(_word(kind[:-2], each) for each in value)))
    match kind:
        case "string":
            return bytes(keccak(text=value))
        case "bytes":
            return bytes(keccak(value if isinstance(value, bytes) else _account(value)))
        case "address":
            return evm_word(value)
        case "uint256" | "uint32":
            return (value if isinstance(value, int) else int(value, 16)).to_bytes(32)
    return _struct(kind, value)


def _account(text: str) -> bytes:
    try:
        return account_bytes(text)
    except ValueError:
        raise UpstreamFailed("answered an order with an address that is none") from None
