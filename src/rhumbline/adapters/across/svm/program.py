"""The SvmSpoke, Across's pool on Solana: encodes and decodes its addresses, its deposit and its relays.

Source: https://github.com/across-protocol/contracts, programs/svm-spoke at ``8ab0730`` of 2026-06-11
(``instructions/deposit.rs``, ``utils/delegate_utils.rs``, ``utils/merkle_proof_utils.rs``, ``state``), read 2026-11-22.
"""

from struct import Struct

from eth_utils.crypto import keccak

from rhumbline.adapters.across.calldata import DepositCall
from rhumbline.adapters.across.logs import Relay
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.svm.address import (
    anchor_name,
    associated_token_address,
    encode_address,
    event_authority,
    program_address,
)
from rhumbline.gateways.svm.programs import ASSOCIATED, SYSTEM

DEPOSIT = anchor_name("global", "deposit")
_DEPOSIT = Struct("<8s32s32s32s32sQ32sQ32sIIII")
_RELAY = Struct("<32s32s32s32s32s32sQQ32sII32sQ")


def state_of(program: str) -> str:
    """Return the address of the pool's settings, which own the vaults."""
    return program_address([b"state", bytes(8)], program)


def vault_of(program: str, mint: str, token_program: str) -> str:
    """Return the token account that deposits of a mint go to."""
    return associated_token_address(state_of(program), mint, token_program)


def fill_of(program: str, relay_hash: bytes) -> str:
    """Return the address at which the pool stores whether a relay was filled."""
    return program_address([b"fills", relay_hash], program)


def delegate_of(program: str, call: DepositCall) -> str:
    """Return who must be allowed to take the input of exactly this deposit: any other argument gives another."""
    return program_address([b"delegate", keccak(encode(call)[len(DEPOSIT) :])], program)


def relay_hash(relay: Relay, destination: int) -> bytes:
    """Return the key of a relay to Across's chain ``destination``; the output has at most 64 bits."""
    packed = _RELAY.pack(
        *(relay.depositor, relay.recipient, relay.exclusive_relayer, relay.input_token, relay.output_token),
        *(relay.input_amount.to_bytes(32), relay.output_amount, relay.origin, relay.deposit_id.to_bytes(32)),
        *(relay.fill_deadline, relay.exclusivity_deadline, relay.message_hash, destination),
    )
    return keccak(packed)


def encode(call: DepositCall) -> bytes:
    """Write a deposit; the input and the chain's number have at most 64 bits."""
    fixed = _DEPOSIT.pack(
        *(DEPOSIT, call.depositor, call.recipient, call.input_token, call.output_token, call.input_amount),
        *(call.output_amount.to_bytes(32), call.destination, call.exclusive_relayer),
        *(call.quote_timestamp, call.fill_deadline, call.exclusivity, len(call.message)),
    )
    return fixed + call.message


def decode(data: bytes) -> DepositCall:
    """Read data that is exactly a deposit; raise MalformedAnswer for any other."""
    if not data.startswith(DEPOSIT) or len(data) < _DEPOSIT.size:
        raise MalformedAnswer("not a deposit")
    _, *accounts, input_amount, output_amount, destination, relayer, quoted, fill, exclusivity, length = (
        _DEPOSIT.unpack_from(data)
    )
    depositor, recipient, input_token, output_token = accounts
    message = data[_DEPOSIT.size :]
    if len(message) != length:
        raise MalformedAnswer("a deposit with something unknown after it")
    return DepositCall(
        *(
            depositor,
            recipient,
            input_token,
            output_token,
            input_amount,
            int.from_bytes(output_amount),
            destination,
            relayer,
        ),
        *(quoted, fill, exclusivity, message),
    )


def deposit_instruction(program: str, call: DepositCall, token_program: str) -> SvmInstruction:
    """Return the call of the pool by which a depositor, who signs, pays from the account that all wallets have."""
    depositor, mint = encode_address(call.depositor), encode_address(call.input_token)
    roles = (
        AccountRole(depositor, signer=True, writable=True),
        AccountRole(state_of(program), writable=True),
        AccountRole(delegate_of(program, call)),
        AccountRole(associated_token_address(depositor, mint, token_program), writable=True),
        AccountRole(vault_of(program, mint, token_program), writable=True),
        AccountRole(mint),
        AccountRole(token_program),
        AccountRole(ASSOCIATED),
        AccountRole(SYSTEM),
        AccountRole(event_authority(program)),
        AccountRole(program),
    )
    return SvmInstruction(program, roles, encode(call))
