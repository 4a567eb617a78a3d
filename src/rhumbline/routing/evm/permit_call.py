"""The Diamond's call with a signature in place of the approval, and what the wallet signs for it. Pure.

Types: EIP-2612, and Permit2's SignatureTransfer with a witness (https://github.com/Uniswap/permit2, read 2026-11). The
witness is the same struct as in ``contracts/src/Permits.sol``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eth_utils.crypto import keccak

from rhumbline.domain.permit import PermitKind
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.canonical import read_canonical
from rhumbline.routing.evm.verification import CallMismatch, Decoded, decode_call, fields, inputs_of

PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
SIGNATURE_BYTES = 65
NO_SIGNATURE = bytes(SIGNATURE_BYTES)
_ROOM = 96
_KINDS: Sequence[PermitKind] = (PermitKind.EIP2612, PermitKind.PERMIT2)
"""In the order of the contract's enumeration."""
_ENTRIES = ("swap", "bridge")
_PARTS = ("order", "fees", "operations")
_DOMAIN = (("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address"))
_PERMIT = (
    *(("owner", "address"), ("spender", "address")),
    *(("value", "uint256"), ("nonce", "uint256"), ("deadline", "uint256")),
)
_TRANSFER = (
    *(("permitted", "TokenPermissions"), ("spender", "address")),
    *(("nonce", "uint256"), ("deadline", "uint256"), ("witness", "Order")),
)
_PERMISSIONS = (("token", "address"), ("amount", "uint256"))
_ORDER = (
    *(("receiver", "bytes32"), ("destinationChainId", "uint256"), ("outputToken", "bytes32")),
    *(("minOutput", "uint256"), ("callHash", "bytes32")),
)


@dataclass(frozen=True, slots=True)
class TokenDomain:
    """The name and version in a token's EIP-712 domain."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class SignedOrder:
    """A call to the Diamond as a wallet signs it: ``entry`` is ``swap`` or ``bridge``; ``order`` is decoded from it."""

    entry: str
    order: Decoded
    call: EvmTransaction

    @property
    def token(self) -> str:
        return checksummed(str(self.order["inputToken"]))


def signed_order(call: EvmTransaction) -> SignedOrder:
    """Read the order out of the finished call; raise CallMismatch for a call that is none of the Diamond's."""
    for entry in _ENTRIES:
        if call.data[:4] == _selector(entry):
            return SignedOrder(entry, fields(decode_call(entry, call.data)["order"]), call)
    raise CallMismatch("entry: the call is neither a swap nor a bridge transfer")


def permitted_call(signed: SignedOrder, kind: PermitKind, signature: bytes = NO_SIGNATURE) -> EvmTransaction:
    """Return the same call with a signature; raise CallMismatch unless it says the same."""
    types, _ = inputs_of("Diamond", signed.entry)
    values, _ = read_canonical(types, signed.call.data, 4)
    entry = f"{signed.entry}WithPermit"
    types, _ = inputs_of("Diamond", entry)
    arguments = [*values, _KINDS.index(kind), signature]
    call = replace(signed.call, data=encode_call(f"{entry}({','.join(types)})", types, arguments))
    _verify(signed, kind, signature, call)
    return call


def _verify(signed: SignedOrder, kind: PermitKind, signature: bytes, call: EvmTransaction) -> None:
    plain, found = decode_call(signed.entry, signed.call.data), decode_call(f"{signed.entry}WithPermit", call.data)
    for part in _PARTS:
        if found[part] != plain[part]:
            raise CallMismatch(f"{part}: the call with a permit has another")
    if (found["kind"], found["signature"]) != (_KINDS.index(kind), signature):
        raise CallMismatch("permit: the call has another one")
    if call.data[-_ROOM:] != signature.ljust(_ROOM, b"\x00"):
        raise CallMismatch("permit: the signature is not at the end of the call")
    if (call.to, call.value, call.chain_id) != (signed.call.to, signed.call.value, signed.call.chain_id):
        raise CallMismatch("entry: the call with a permit goes elsewhere")


def token_permit(signed: SignedOrder, domain: TokenDomain, owner: str, nonce: int) -> Mapping[str, object]:
    """Return the EIP-2612 permit for exactly this order's amount, until its deadline."""
    order, call = signed.order, signed.call
    message = {
        "owner": owner,
        "spender": call.to,
        "value": str(order["inputAmount"]),
        "nonce": str(nonce),
        "deadline": str(order["deadline"]),
    }
    named = {"name": domain.name, "version": domain.version, **_place(call.chain_id, signed.token)}
    return _typed_data("Permit", named, {"Permit": _PERMIT}, message)


def order_permit(signed: SignedOrder) -> Mapping[str, object]:
    """Return Permit2's permit for exactly this order: its ID is the nonce, its terms and its hash are the witness."""
    order, call = signed.order, signed.call
    identifier = order["id"]
    nonce = int.from_bytes(identifier) if isinstance(identifier, bytes) else 0
    message = {
        "permitted": {"token": signed.token, "amount": str(order["inputAmount"])},
        "spender": call.to,
        "nonce": str(nonce),
        "deadline": str(order["deadline"]),
        "witness": {
            "receiver": _word(order["receiver"]),
            "destinationChainId": str(order.get("destinationChainId", call.chain_id)),
            "outputToken": _word(order["outputToken"]),
            "minOutput": str(order["minOutput"]),
            "callHash": "0x" + keccak(call.data[4:]).hex(),
        },
    }
    domain = {"name": "Permit2", **_place(call.chain_id, PERMIT2)}
    types = {"PermitWitnessTransferFrom": _TRANSFER, "TokenPermissions": _PERMISSIONS, "Order": _ORDER}
    return _typed_data("PermitWitnessTransferFrom", domain, types, message)


def _typed_data(
    primary: str,
    domain: Mapping[str, object],
    types: Mapping[str, Sequence[tuple[str, str]]],
    message: Mapping[str, object],
) -> Mapping[str, object]:
    """Write typed data in the form of ``eth_signTypedData_v4``; integers that may be large are decimal texts."""
    every = {"EIP712Domain": [each for each in _DOMAIN if each[0] in domain], **types}
    written = {name: [{"name": member, "type": kind} for member, kind in each] for name, each in every.items()}
    return {"types": written, "primaryType": primary, "domain": domain, "message": message}


def _place(chain_id: int, contract: str) -> Mapping[str, object]:
    return {"chainId": chain_id, "verifyingContract": contract}


def _word(value: object) -> str:
    return "0x" + (value if isinstance(value, bytes) else evm_word(str(value))).hex()


def _selector(entry: str) -> bytes:
    types, _ = inputs_of("Diamond", entry)
    return selector(f"{entry}({','.join(types)})")
