"""Mayan's orders on Solana: found among transactions, and decoded.

Accounts and data by swap-sdk 15.2.0 (github.com/mayan-finance/swap-sdk at cd5a34c), read 2026-11-22; SWIFT's event by a
transaction of 2026-09-21 (slot 449137703). The programs are ``devnet/svm/program/mayan_*.c``.
"""

from base64 import b64decode
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from types import MappingProxyType

from rhumbline.devnet.upstreams.mayan.deployments import PROXY
from rhumbline.devnet.upstreams.solver import Deposit
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction

_EVENT = sha256(b"event:OrderInitialized").digest()[:8]
_SWIFT = Struct("<8sQBQ32sH32sQQQQQ32sBBB32s")
_MCTP_BRIDGE = Struct("<8s32sQQQQH32sB")
_MCTP_ORDER = Struct("<8s32sQQQQH32sB32sQQ32sB")
_FAST_BRIDGE = Struct("<8s32sQQQQI32sBHQIB")
_FAST_ORDER = Struct("<8s32sQQQQQIHB32sQQ32sBQI")
_NATIVE_AT, _SWIFT_MINT = 16, 7
# The mint's position among the accounts, the proxy's first included, by the size of the data.
_MINTS = MappingProxyType({_MCTP_BRIDGE.size: 5, _MCTP_ORDER.size: 4, _FAST_BRIDGE.size: 6, _FAST_ORDER.size: 5})


@dataclass(frozen=True, slots=True)
class OrderTerms:
    """An order's terms. ``chain`` is Wormhole's ID or Circle's; without ``token_out`` USDC is bridged as it is.

    ``fees`` are taken off the input before it is swapped or paid out. ``minimum``, and ``drop`` of native on arrival,
    have at most eight decimals.
    """

    receiver: bytes
    chain: int
    token_out: bytes | None
    minimum: int = 0
    fees: int = 0
    refund_fee: int = 0
    drop: int = 0


def read_terms(kind: str, data: bytes) -> OrderTerms:
    """Decode a program's instruction; raise ValueError for any other."""
    sizes = {form.size: form for form in (_SWIFT, _MCTP_BRIDGE, _MCTP_ORDER, _FAST_BRIDGE, _FAST_ORDER)}
    form = sizes.get(len(data))
    if form is None:
        raise ValueError("no instruction of Mayan's")
    if form is _SWIFT:
        _, _, _, _, receiver, chain, token_out, minimum, drop, *_ = form.unpack(data)
        return OrderTerms(receiver, chain, token_out, minimum, drop=drop)
    if form is _MCTP_BRIDGE:
        _, receiver, _, _, redeem_fee, solana_fee, chain, *_ = form.unpack(data)
        return OrderTerms(receiver, chain, None, fees=redeem_fee + solana_fee)
    if form is _MCTP_ORDER:
        _, receiver, _, _, redeem_fee, solana_fee, chain, _, _, token_out, minimum, *_ = form.unpack(data)
        fees = redeem_fee + solana_fee
        return OrderTerms(receiver, chain, token_out, minimum, fees, fees)
    if form is _FAST_BRIDGE:
        _, receiver, _, _, redeem_fee, solana_fee, chain, _, _, _, circle_fee, *_ = form.unpack(data)
        return OrderTerms(receiver, chain, None, fees=redeem_fee + solana_fee + circle_fee)
    (
        _, receiver, _, _, redeem_fee, refund_fee, solana_fee, chain, _, _, token_out, minimum, _, _, _, circle_fee, _,
    ) = form.unpack(data)  # fmt: skip
    fees = solana_fee + circle_fee
    return OrderTerms(receiver, chain, token_out, minimum, redeem_fee + fees, refund_fee + fees)


async def solana_orders(chain_id: int, node: SvmNode, program: str, kind: str) -> AsyncIterator[Deposit]:
    """Yield the orders that a program starts from now on, called through the proxy."""
    async for executed in node.transactions(program):
        for each in executed.message.instructions:
            if each.program == PROXY and each.accounts and each.accounts[0].address == program:
                yield _deposit(chain_id, program, kind, each, executed)


def _deposit(chain_id: int, program: str, kind: str, call: SvmInstruction, executed: ExecutedTransaction) -> Deposit:
    swift = kind == "SWIFT"
    mint = call.accounts[_SWIFT_MINT if swift else _MINTS[len(call.data)]].address
    native = swift and call.data[_NATIVE_AT] == 1
    at = 8 if swift else 40
    reference = _hash(executed) if swift else "0x" + sha256(executed.signature.encode()).hexdigest()
    return Deposit(
        chain_id, program, reference, call.accounts[1].address, NATIVE_SVM if native else mint,
        int.from_bytes(call.data[at : at + 8], "little"), call.data, executed.signature,
    )  # fmt: skip


def _hash(executed: ExecutedTransaction) -> str:
    """Return the order's hash from the program's event; raise ValueError if there is none."""
    for line in executed.logs or ():
        event = b64decode(line.removeprefix("Program data: ")) if line.startswith("Program data: ") else b""
        if event[:8] == _EVENT:
            return "0x" + event[8:40].hex()
    raise ValueError("an order without an event")
