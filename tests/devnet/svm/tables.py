"""Lookup tables, made on the chain."""

from collections.abc import Sequence
from struct import pack

from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.programs import LOOKUP_TABLES, SYSTEM


def made_table(chain: SvmChain, owner: Keypair, addresses: Sequence[Pubkey]) -> Pubkey:
    """Make a table with up to 20 addresses, which serves in the slot that the chain is at then."""
    slot, key = chain.slots.slot - 1, owner.pubkey()
    table, bump = Pubkey.find_program_address([bytes(key), pack("<Q", slot)], LOOKUP_TABLES)
    roles = [
        AccountMeta(table, is_signer=False, is_writable=True),
        AccountMeta(key, is_signer=True, is_writable=False),
        AccountMeta(key, is_signer=True, is_writable=True),
        AccountMeta(SYSTEM, is_signer=False, is_writable=False),
    ]
    calls = [
        Instruction(LOOKUP_TABLES, pack("<IQB", 0, slot, bump), roles),
        Instruction(LOOKUP_TABLES, pack("<IQ", 2, len(addresses)) + b"".join(map(bytes, addresses)), roles),
    ]
    message = MessageV0.try_compile(key, calls, [], chain.blockhash())
    executed = chain.send(VersionedTransaction(message, [owner]))
    assert executed.error is None, executed.meta["logMessages"]
    chain.advance()
    return table
