"""The SvmSpoke's addresses, instructions and events, written and read.

Source: across-protocol/contracts, programs/svm-spoke and src/svm at ``8ab0730`` of 2026-06-11, read 2026-11-22.
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct, pack

from eth_utils.crypto import keccak

from rhumbline.devnet.upstreams.across.relay import Relay, Relayed
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.address import associated_token_address, decode_address, encode_address, program_address
from rhumbline.gateways.svm.instructions import TokenApproval
from rhumbline.gateways.svm.programs import ASSOCIATED, SYSTEM

SPOKE = "DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru"
STATE = program_address([b"state", bytes(8)], SPOKE)
TELLS = program_address([b"__event_authority"], SPOKE)
EVENT = bytes.fromhex("e445a52e51cb9a1d")
QUOTE_BUFFER_S, FILL_BUFFER_S = 3_600, 21_600
_DEPOSITED = Struct("<32s32sQ32sQ32sIII32s32s32sI")


def anchored(kind: str, name: str) -> bytes:
    """Return Anchor's eight-byte discriminator of an instruction (``global``), an ``event`` or an ``account``."""
    return sha256(f"{kind}:{name}".encode()).digest()[:8]


def initialisation(owner: str, chain_id: int) -> SvmInstruction:
    """Return the instruction that creates the pool's state, for an owner who pays."""
    data = pack("<QIQI32sII", 0, 0, chain_id, 0, bytes(32), QUOTE_BUFFER_S, FILL_BUFFER_S)
    roles = (AccountRole(owner, True, True), AccountRole(STATE, writable=True), AccountRole(SYSTEM))
    return SvmInstruction(SPOKE, roles, anchored("global", "initialize") + data)


def deposit_data(
    depositor: bytes, recipient: bytes, input_token: bytes, output_token: bytes, amounts: tuple[int, int],
    destination: int, exclusive_relayer: bytes, times: tuple[int, int, int], message: bytes = b"",
) -> bytes:  # fmt: skip
    """Encode a deposit's arguments: ``amounts`` in and out, ``times`` of the quote, the deadline, the exclusivity."""
    accounts = depositor + recipient + input_token + output_token
    numbers = pack("<Q", amounts[0]) + amounts[1].to_bytes(32) + pack("<Q", destination)
    return accounts + numbers + exclusive_relayer + pack("<IIII", *times, len(message)) + message


def deposit_delegate(data: bytes) -> str:
    """Return the address that must be approved for the input of a deposit with these arguments."""
    return program_address([b"delegate", keccak(data)], SPOKE)


def deposit(payer: str, data: bytes, token_program: str) -> SvmInstruction:
    """Return the instruction of a deposit with these arguments."""
    depositor, mint = encode_address(data[:32]), encode_address(data[64:96])
    roles = (
        AccountRole(payer, True, True), AccountRole(STATE, writable=True), AccountRole(deposit_delegate(data)),
        AccountRole(associated_token_address(depositor, mint, token_program), writable=True),
        AccountRole(associated_token_address(STATE, mint, token_program), writable=True), AccountRole(mint),
        AccountRole(token_program), AccountRole(ASSOCIATED), AccountRole(SYSTEM), AccountRole(TELLS),
        AccountRole(SPOKE),
    )  # fmt: skip
    return SvmInstruction(SPOKE, roles, anchored("global", "deposit") + data)


def relay_hash(relay: Relay, chain_id: int) -> bytes:
    """Return the hash of a relay to this chain."""
    return keccak(_relay_data(relay) + (keccak(relay.message) if relay.message else bytes(32)) + pack("<Q", chain_id))


def fill_account(relay: Relay, chain_id: int) -> str:
    """Return the account that records the fill of a relay."""
    return program_address([b"fills", relay_hash(relay, chain_id)], SPOKE)


def filling(relay: Relay, chain_id: int, relayer: str, token: tuple[str, int]) -> tuple[SvmInstruction, SvmInstruction]:
    """Return the instructions by which a relayer approves and fills; ``token`` is its program and its decimals."""
    program, decimals = token
    digest, mint, recipient = relay_hash(relay, chain_id), encode_address(relay.output_token), relay.recipient
    repayment = pack("<Q", chain_id) + decode_address(relayer)
    delegate = program_address([b"delegate", keccak(digest + repayment)], SPOKE)
    source = associated_token_address(relayer, mint, program)
    approval = TokenApproval(program, source, delegate, relayer, relay.output_amount, mint, decimals).encode()
    roles = (
        AccountRole(relayer, True, True), AccountRole(SPOKE), AccountRole(STATE), AccountRole(delegate),
        AccountRole(mint), AccountRole(source, writable=True),
        AccountRole(associated_token_address(encode_address(recipient), mint, program), writable=True),
        AccountRole(fill_account(relay, chain_id), writable=True), AccountRole(program), AccountRole(ASSOCIATED),
        AccountRole(SYSTEM), AccountRole(TELLS), AccountRole(SPOKE),
    )  # fmt: skip
    told = digest + b"\x01" + _relay_data(relay) + pack("<I", len(relay.message)) + relay.message
    data = told + b"\x01" + repayment[:8] + b"\x01" + repayment[8:]
    return approval, SvmInstruction(SPOKE, roles, anchored("global", "fill_relay") + data)


def refunding(relay: Relay, owner: str, token_program: str) -> SvmInstruction:
    """Return the instruction by which the sandbox's pool refunds a deposit, without a root bundle."""
    mint, depositor = encode_address(relay.input_token), encode_address(relay.depositor)
    roles = (
        AccountRole(owner, True, True), AccountRole(STATE),
        AccountRole(associated_token_address(STATE, mint, token_program), writable=True), AccountRole(mint),
        AccountRole(token_program), AccountRole(ASSOCIATED),
        AccountRole(associated_token_address(depositor, mint, token_program), writable=True), AccountRole(TELLS),
        AccountRole(SPOKE),
    )  # fmt: skip
    data = pack("<Q32sII", relay.input_amount, relay.depositor, 1, 0)
    return SvmInstruction(SPOKE, roles, anchored("global", "execute_relayer_refund_leaf") + data)


def events(executed: ExecutedTransaction, name: str) -> Iterator[bytes]:
    """Yield the bodies of the pool's events with this name in a transaction."""
    told = EVENT + anchored("event", name)
    for each in executed.inner or ():
        call = each.instruction if each.program == SPOKE else None
        if call is not None and call.data.startswith(told) and call.accounts[0].address == TELLS:
            yield call.data[len(told) :]


def read_deposited(chain_id: int, executed: ExecutedTransaction) -> list[Relayed]:
    """Read the deposits of a transaction."""
    found = []
    for body in events(executed, "FundsDeposited"):
        sold, bought, amount, output, destination, number, _, fill, exclusivity, *rest = _DEPOSITED.unpack_from(body)
        depositor, recipient, exclusive, _ = rest
        relay = Relay(
            *(depositor, recipient, exclusive, sold, bought, amount, int.from_bytes(output), chain_id),
            *(int.from_bytes(number), fill, exclusivity, body[_DEPOSITED.size :]),
        )
        found.append(Relayed(relay, destination, executed.signature))
    return found


def _relay_data(relay: Relay) -> bytes:
    accounts = (relay.depositor, relay.recipient, relay.exclusive_relayer, relay.input_token, relay.output_token)
    numbers = relay.input_amount.to_bytes(32) + pack("<QQ", relay.output_amount, relay.origin_chain)
    return (
        b"".join(accounts)
        + numbers
        + relay.deposit_id.to_bytes(32)
        + pack("<II", relay.fill_deadline, relay.exclusivity_deadline)
    )
