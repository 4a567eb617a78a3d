"""A permit as its wallet signs it: whether that is only what the answer says, and the call with other arguments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from eth_utils.crypto import keccak

from attack.scene import Scene
from rhumbline.domain.permit import Permit, PermitKind
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import encode_args, encode_call
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.canonical import read_canonical
from rhumbline.gateways.evm.signatures import LocalAccount
from rhumbline.routing.evm.permit_call import PERMIT2
from rhumbline.routing.evm.verification import decode_call, fields, inputs_of

_ROOM = 96
_ORDER = "Order(bytes32 receiver,uint256 destinationChainId,bytes32 outputToken,uint256 minOutput,bytes32 callHash)"
WITNESS_TYPE = f"Order witness){_ORDER}TokenPermissions(address token,uint256 amount)"


@dataclass(frozen=True)
class SignedPermit:
    """An answer's permit with its owner's signature, which may be in others' hands. ``entry`` is the Diamond's."""

    permit: Permit
    owner: str
    signature: bytes
    entry: str
    order: Mapping[str, Any]

    @property
    def call(self) -> EvmTransaction:
        return self.permit.transaction

    @property
    def is_permit2(self) -> bool:
        return self.permit.kind is PermitKind.PERMIT2

    @property
    def token(self) -> str:
        return checksummed(str(self.order["inputToken"]))

    @property
    def parts(self) -> tuple[int, bytes, bytes]:
        """Return v, r and s."""
        return self.signature[64], self.signature[:32], self.signature[32:64]

    def data(self) -> bytes:
        """Return the call as the wallet sends it."""
        return self.permit.transaction.data[:-_ROOM] + self.signature.ljust(_ROOM, b"\x00")

    def altered(self, **changes: object) -> bytes:
        """Return the call with other members of its order under the same signature; ``kind`` is an argument's."""
        types, inputs = inputs_of("Diamond", self.entry)
        values = list(read_canonical(types, self.data(), 4)[0])
        names = [str(each["name"]) for each in cast(list[Mapping[str, object]], inputs[0]["components"])]
        order = list(cast(tuple[object, ...], values[0]))
        for name, value in changes.items():
            if name == "kind":
                values[-2] = value
            elif name == "signature":
                values[-1] = value
            else:
                order[names.index(name)] = value
        values[0] = tuple(order)
        return encode_call(f"{self.entry}({','.join(types)})", types, values)

    def plain(self, **changes: object) -> bytes:
        """Return the ordinary call with other members of its order."""
        entry = self.entry.removesuffix("WithPermit")
        types, _ = inputs_of("Diamond", entry)
        values = read_canonical(inputs_of("Diamond", self.entry)[0], self.altered(**changes), 4)[0]
        return encode_call(f"{entry}({','.join(types)})", types, values[:-2])

    def witness(self) -> bytes:
        """Return the EIP-712 hash of the order that Permit2 was signed with."""
        told = cast(Mapping[str, Mapping[str, str]], self.permit.typed_data["message"])["witness"]
        words = (
            *(keccak(text=_ORDER), bytes.fromhex(told["receiver"][2:]), int(told["destinationChainId"])),
            *(bytes.fromhex(told["outputToken"][2:]), int(told["minOutput"]), bytes.fromhex(told["callHash"][2:])),
        )
        return keccak(encode_args(("bytes32", "bytes32", "uint256", "bytes32", "uint256", "bytes32"), words))


def signed_permit(answer: RouteAnswer, signer: LocalAccount) -> SignedPermit | None:
    """Sign an answer's permit, as a wallet does that believes it; None where it has none."""
    permit = answer.permit
    if permit is None:
        return None
    entry = "bridgeWithPermit" if answer.request.origin.id != answer.request.destination.id else "swapWithPermit"
    order = fields(decode_call(entry, permit.transaction.data)["order"])
    signature = bytes(signer.sign_typed_data(full_message=dict(permit.typed_data)).signature)
    return SignedPermit(permit, answer.request.sender, signature, entry, order)


def beyond_the_order(scene: Scene, answer: RouteAnswer, signed: SignedPermit) -> str:
    """Say what a signature gives away that the answer does not say; empty if nothing."""
    request, chain = answer.request, answer.request.origin
    told = cast(Mapping[str, Mapping[str, Any]], signed.permit.typed_data)
    domain, message = told["domain"], told["message"]
    place = PERMIT2 if signed.is_permit2 else request.origin_token
    given = message["permitted"]["amount"] if signed.is_permit2 else message["value"]
    deadline = answer.expires_at or 0
    wrong = (
        ("chain", int(domain["chainId"]) != chain.id),
        ("contract", checksummed(domain["verifyingContract"]) != checksummed(place)),
        ("spender", checksummed(message["spender"]) != checksummed(str(chain.diamond))),
        ("amount", int(given) != request.amount),
        ("deadline", int(message["deadline"]) > deadline),
        ("owner", not signed.is_permit2 and checksummed(message["owner"]) != request.sender),
        ("token", signed.is_permit2 and checksummed(message["permitted"]["token"]) != request.origin_token),
        ("call", checksummed(signed.call.to) != checksummed(str(chain.diamond))),
        ("order", signed.altered() != signed.data()),
    )
    return ", ".join(name for name, is_wrong in wrong if is_wrong)
