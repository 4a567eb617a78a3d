"""Orders of Relay's settlement protocol, made and signed by its solver.

Written from settlement-sdk (``ORDER_EIP712_TYPES``, read 2026-11-21), on eth-account's own EIP-712: the ID is the hash
of the struct alone, without a domain. Solana's addresses are written in base58, and hashed as their 32 bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.signatures import LocalAccount, encode_defunct, encode_typed_data
from rhumbline.gateways.svm.address import decode_address

_TYPES: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "Order": (
            ("version", "string"),
            ("solverChainId", "string"),
            ("solver", "address"),
            ("salt", "uint256"),
            ("inputs", "Input[]"),
            ("output", "Output"),
            ("fees", "Fee[]"),
        ),
        "Input": (("payment", "InputPayment"), ("refunds", "InputRefund[]")),
        "InputPayment": (("chainId", "string"), ("currency", "bytes"), ("amount", "uint256"), ("weight", "uint256")),
        "InputRefund": (
            ("chainId", "string"),
            ("recipient", "bytes"),
            ("currency", "bytes"),
            ("minimumAmount", "uint256"),
            ("deadline", "uint32"),
            ("extraData", "bytes"),
        ),
        "Output": (
            ("chainId", "string"),
            ("payments", "OutputPayment[]"),
            ("deadline", "uint32"),
            ("calls", "bytes[]"),
            ("extraData", "bytes"),
        ),
        "OutputPayment": (
            ("recipient", "bytes"),
            ("currency", "bytes"),
            ("minimumAmount", "uint256"),
            ("expectedAmount", "uint256"),
        ),
        "Fee": (
            ("recipientChainId", "string"),
            ("recipient", "bytes"),
            ("currencyChainId", "string"),
            ("currency", "bytes"),
            ("amount", "uint256"),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Terms:
    """An order's terms; amounts in raw units, ``deadline`` in Unix seconds, chains by the protocol's names.

    ``native`` is paid beside the output, and at least ``least_native``: a payment of its own.
    """

    origin: str
    destination: str
    taken: str
    taken_amount: int
    refund_to: str | None
    receiver: str
    paid: str
    paid_amount: int
    minimum: int
    deadline: int
    router: str
    native: int = 0
    least_native: int = 0


def order_data(terms: Terms, solver: str, salt: str) -> dict[str, Any]:
    """Write an order in the API's form. Without ``refund_to`` there is no refund."""
    extra = "0x" + terms.router[2:].lower().rjust(64, "0")
    refunds = () if terms.refund_to is None else (
        (terms.origin, terms.refund_to, terms.taken),
        (terms.destination, terms.receiver, terms.paid),
    )  # fmt: skip
    return {
        "version": "v1",
        "solverChainId": terms.origin,
        "solver": solver.lower(),
        "salt": salt,
        "inputs": [
            {
                "payment": {
                    "chainId": terms.origin,
                    "currency": written(terms.taken),
                    "amount": str(terms.taken_amount),
                    "weight": "1",
                },
                "refunds": [
                    {
                        "chainId": chain,
                        "recipient": recipient,
                        "currency": written(currency),
                        "minimumAmount": "0",
                        "deadline": terms.deadline,
                        "extraData": extra,
                    }
                    for chain, recipient, currency in refunds
                ],
            }
        ],
        "output": {
            "chainId": terms.destination,
            "payments": [
                {
                    "recipient": terms.receiver,
                    "currency": written(terms.paid),
                    "minimumAmount": str(terms.minimum),
                    "expectedAmount": str(terms.paid_amount),
                },
                *([_native(terms)] if terms.native else []),
            ],
            "calls": [],
            "deadline": terms.deadline,
            "extraData": extra,
        },
        "fees": [],
    }


def _native(terms: Terms) -> dict[str, str]:
    return {
        "recipient": terms.receiver,
        "currency": written(NATIVE_EVM),
        "minimumAmount": str(terms.least_native),
        "expectedAmount": str(terms.native),
    }


def hashed(order: Mapping[str, Any]) -> bytes:
    types = {name: [{"name": one, "type": kind} for one, kind in members] for name, members in _TYPES.items()}
    message = {**_in_bytes(order), "salt": int(order["salt"], 16)}
    return bytes(encode_typed_data({"name": "Relay"}, types, message).body)


def written(address: str) -> str:
    """Write an address as Relay does: EVM addresses in lower case."""
    return address.lower() if address.startswith("0x") else address


def _in_bytes(order: Any) -> Any:
    """Return an order with all addresses, of any chain, in hex."""
    if isinstance(order, list):
        return [_in_bytes(each) for each in order]
    if not isinstance(order, Mapping):
        return order
    return {
        name: "0x" + decode_address(value).hex()
        if name in ("recipient", "currency") and not value.startswith("0x")
        else _in_bytes(value)
        for name, value in order.items()
    }


def signed(solver: LocalAccount, identifier: bytes) -> str:
    """Return the solver's signature of an ID, 0x-hex."""
    return "0x" + bytes(solver.sign_message(encode_defunct(primitive=identifier)).signature).hex()
