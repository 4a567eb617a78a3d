"""Transactions of version 1, as a wallet's library makes them."""

from collections.abc import Sequence

from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import MessageV1, TransactionConfig
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import SvmInstruction


def message_v1(
    payer: str, calls: Sequence[SvmInstruction], blockhash: str, config: TransactionConfig | None = None
) -> MessageV1:
    made = [
        Instruction(
            Pubkey.from_string(each.program), each.data,
            [AccountMeta(Pubkey.from_string(role.address), role.signer, role.writable) for role in each.accounts],
        )
        for each in calls
    ]  # fmt: skip
    return MessageV1.try_compile(Pubkey.from_string(payer), made, Hash.from_string(blockhash), config)


def signed_v1(
    signer: Keypair, calls: Sequence[SvmInstruction], blockhash: str, config: TransactionConfig | None = None
) -> bytes:
    message = message_v1(str(signer.pubkey()), calls, blockhash, config)
    return bytes(VersionedTransaction(message, [signer]))
