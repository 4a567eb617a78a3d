"""What strangers do with a signature that they have: call the Diamond, Permit2 and the token with it."""

from collections.abc import Iterator
from dataclasses import dataclass

from attack.facts import STRANGER
from attack.permits.signed import WITNESS_TYPE, SignedPermit
from attack.purse import Sent, send_call
from attack.scene import Scene
from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.address import checksummed
from rhumbline.routing.evm.permit_call import PERMIT2

THIEF = checksummed(STRANGER)
_WEALTH = 10**19
_ORDER_OF_CURVE = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_PERMITTED = "((address,uint256),uint256,uint256),(address,uint256),address"
_SIGNED_TRANSFER = f"permitTransferFrom({_PERMITTED},bytes)"
_WITNESSED = f"permitWitnessTransferFrom({_PERMITTED},bytes32,string,bytes)"
_PERMIT = "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"


@dataclass(frozen=True)
class Strike:
    """A call that somebody makes with another's signature, or with a changed order."""

    sender: str
    to: str
    data: bytes
    value: int = 0


def phishing(signed: SignedPermit) -> Iterator[Strike]:
    """Another caller makes the call: as it is, and for another receiver, also after the token was given the permit."""
    call, thief = signed.call, _receiver_of(signed, THIEF)
    yield Strike(THIEF, call.to, signed.data(), call.value)
    yield Strike(THIEF, call.to, signed.altered(receiver=thief, minOutput=1), call.value)
    yield from submitting(signed)
    yield Strike(THIEF, call.to, signed.plain(receiver=thief, minOutput=1), call.value)
    yield Strike(THIEF, signed.token, encoded("transferFrom(address,address,uint256)", signed.owner, THIEF, 1))


def submitting(signed: SignedPermit) -> Iterator[Strike]:
    """A stranger gives the permit to the token before its owner's call is mined."""
    amount, deadline = signed.order["inputAmount"], signed.order["deadline"]
    yield Strike(THIEF, signed.token, encoded(_PERMIT, signed.owner, signed.call.to, amount, deadline, *signed.parts))


def other_spenders(signed: SignedPermit) -> Iterator[Strike]:
    """A stranger names a spender that is not the Diamond."""
    order, owner = signed.order, signed.owner
    amount, deadline = order["inputAmount"], order["deadline"]
    terms = ((signed.token, amount), int.from_bytes(order["id"]), deadline)
    for to in (THIEF, signed.call.to, signed.token):
        where = (to, amount)
        data = encoded(_WITNESSED, terms, where, owner, signed.witness() if signed.is_permit2 else bytes(32),
                       WITNESS_TYPE, signed.signature)  # fmt: skip
        yield Strike(THIEF, PERMIT2, data)
        yield Strike(THIEF, PERMIT2, encoded(_SIGNED_TRANSFER, terms, where, owner, signed.signature))
    for spender in (THIEF, PERMIT2, signed.token):
        yield Strike(THIEF, signed.token, encoded(_PERMIT, owner, spender, amount, deadline, *signed.parts))
    yield Strike(THIEF, signed.token, encoded("transferFrom(address,address,uint256)", owner, THIEF, amount))


def alterations(signed: SignedPermit) -> Iterator[Strike]:
    """The owner is made to send another order under the signature: more, later, another kind, another signature.

    With Permit2 the signature is for the whole order, so anything else in it is another one, too.
    """
    order, call = signed.order, signed.call
    changes: list[dict[str, object]] = [
        {"inputAmount": order["inputAmount"] + 1},
        {"inputAmount": order["inputAmount"] * 2},
        {"deadline": order["deadline"] + 1},
        {"kind": 0 if signed.is_permit2 else 1},
        {"signature": bytes(65)},
        {"signature": signed.signature[:63]},
        {"signature": signed.signature + b"\x00"},
    ]
    if signed.is_permit2:
        changes += [
            {"receiver": _receiver_of(signed, THIEF)},
            {"minOutput": 1},
            {"id": b"\x07" * 32},
            {"integrator": b"another".ljust(32, b"\x00")},
            {"nativeFee": 0 if order["nativeFee"] else 1},
        ]
    for each in changes:
        yield Strike(signed.owner, call.to, signed.altered(**each), call.value)


def again(signed: SignedPermit) -> Iterator[Strike]:
    """The owner's call once more: as it was, and with the two other forms that the same signature has."""
    v, r, s = signed.parts
    mirrored = r + (_ORDER_OF_CURVE - int.from_bytes(s)).to_bytes(32) + bytes([2 * 27 + 1 - v])
    short = r + (int.from_bytes(s) | (v - 27) << 255).to_bytes(32)
    for signature in (signed.signature, mirrored, short):
        yield Strike(signed.owner, signed.call.to, signed.altered(signature=signature), signed.call.value)


async def struck(scene: Scene, strike: Strike, chain: str | None = None) -> Sent:
    """Make the call on the origin, or on another chain, with gas for everything."""
    rpc = scene.service.rpcs[scene.service.chain(chain or scene.ask.origin).id]
    await rpc.call("anvil_setBalance", [strike.sender, hex(_WEALTH + strike.value)])
    return await send_call(rpc, strike.sender, strike.to, strike.data, strike.value)


def _receiver_of(signed: SignedPermit, address: str) -> object:
    """Return a receiver as the order has it: bytes across chains."""
    return evm_word(address) if signed.entry == "bridgeWithPermit" else address
