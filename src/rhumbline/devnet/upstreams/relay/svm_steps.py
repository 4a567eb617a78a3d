"""Relay's step on Solana, its lies, and the deposits of its program.

Accounts, data and event: relay-depository at 8c46f72d (packages/solana-vm); the form of a step is that of one recorded
by a client in 2026; read 2026-11-22. The program is ``devnet/svm/program/relay_depository.c``.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.solver import Deposit
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address, program_address
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SYSTEM

PROGRAM = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2"
TABLE = "Hm9fUgcn7qwDaiNTFiGh6pNtVATgnaRcmK6Bbx6EMZfP"
STRANGER = "7v54NWdBtkjuAFJrLGsS2SXnuk8nKam81mZJeeYxVFi9"
_NATIVE, _TOKEN = "0d9e0ddf5fd51c06", "0b9c60da27a3b413"
_STATE, _VAULT = (program_address([seed], PROGRAM) for seed in (b"relay_depository", b"vault"))
_SENDER, _DEPOSITOR, _MINT = 1, 2, 4


@dataclass(frozen=True, slots=True)
class SolanaRequest:
    """What a step is made from: the wallet's ``token`` and ``amount``; ``other_token`` is another mint."""

    user: str
    token: str
    amount: int
    request_id: str
    other_token: str


def solana_steps(asked: SolanaRequest, identifier: bytes, lie: Lie | None) -> list[dict[str, Any]]:
    """Return the step of a transfer whose input goes into the depository as it is."""
    instructions = [_deposit(asked, identifier, lie)]
    if lie is Lie.MORE_VALUE:
        instructions.append(SystemTransfer(asked.user, STRANGER, 1).encode())
    data = {
        "instructions": [_written(each) for each in instructions],
        "addressLookupTableAddresses": [TABLE],
    }
    endpoint = f"/intents/status/v3?requestId={asked.request_id}"
    return [
        {
            "id": "deposit",
            "action": "Confirm transaction in your wallet",
            "description": "Depositing funds to the relayer to execute the swap",
            "kind": "transaction",
            "items": [{"status": "incomplete", "data": data, "check": {"endpoint": endpoint, "method": "GET"}}],
            "requestId": asked.request_id,
            "depositAddress": "",
        }
    ]


async def solana_deposits(chain_id: int, node: SvmNode) -> AsyncIterator[Deposit]:
    """Yield the program's deposits from now on, called by transactions directly."""
    async for executed in node.transactions(PROGRAM):
        for each in executed.message.instructions:
            if each.program == PROGRAM:
                yield _read(chain_id, each, executed.signature)


def _read(chain_id: int, found: SvmInstruction, signature: str) -> Deposit:
    native = found.data[:8].hex() == _NATIVE
    token = NATIVE_SVM if native else found.accounts[_MINT].address
    amount, reference = int.from_bytes(found.data[8:16], "little"), "0x" + found.data[16:48].hex()
    depositor = found.accounts[_DEPOSITOR].address
    return Deposit(chain_id, PROGRAM, reference, depositor, token, amount, b"", signature)


def _deposit(asked: SolanaRequest, identifier: bytes, lie: Lie | None) -> SvmInstruction:
    token = asked.other_token if lie is Lie.OTHER_TOKEN else asked.token
    amount = asked.amount // 2 if lie is Lie.OTHER_AMOUNT else asked.amount
    depositor = STRANGER if lie is Lie.OTHER_REFUND else asked.user
    vault = STRANGER if lie is Lie.OTHER_RECEIVER else _VAULT
    who = (AccountRole(_STATE), AccountRole(asked.user, signer=True, writable=True), AccountRole(depositor))
    roles: tuple[AccountRole, ...]
    if token == NATIVE_SVM:
        head, roles = _NATIVE, (*who, AccountRole(vault, writable=True), AccountRole(SYSTEM))
    else:
        source, holder = (associated_token_address(owner, token, SPL) for owner in (asked.user, vault))
        head, roles = _TOKEN, (
            *who, AccountRole(vault), AccountRole(token), AccountRole(source, writable=True),
            AccountRole(holder, writable=True), AccountRole(SPL), AccountRole(ASSOCIATED), AccountRole(SYSTEM),
        )  # fmt: skip
    if lie is Lie.OTHER_SPENDER:
        # It would require another signer, and could do anything.
        roles = (*roles, AccountRole(STRANGER, signer=True))
    data = bytes.fromhex(head) + amount.to_bytes(8, "little") + identifier
    return SvmInstruction(STRANGER if lie is Lie.OTHER_ENTRY else PROGRAM, roles, data)


def _written(instruction: SvmInstruction) -> dict[str, Any]:
    keys = [
        {"pubkey": role.address, "isSigner": role.signer, "isWritable": role.writable} for role in instruction.accounts
    ]
    return {"keys": keys, "programId": instruction.program, "data": instruction.data.hex()}
