"""Deposits on Solana: one instruction of Relay's depository, encoded here and compared with Relay's.

Source, read 2026-11-22: relay-depository at 8c46f72d (``solana-vm/programs/relay-depository``), and a step that Relay
made for a deposit of SOL, whose accounts are those. The program takes the amount from the signer, tokens from the
signer's associated account, into its own vault, and fails if it cannot take all of it. Only this instruction is
returned: lookup tables are for longer transactions. A deposit with a swap before it is refused: if the swap yielded
less, the deposit would take the difference from the wallet's other balance.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.adapters.relay.calldata import Deposit, Start
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.wire import SolanaCall, SolanaInstruction, Step
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_one_of
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address, program_address
from rhumbline.gateways.svm.programs import ASSOCIATED, COMPUTE_BUDGET, SPL_PROGRAMS, SYSTEM
from rhumbline.gateways.upstreams.spec import read_answer

DEPOSIT_NATIVE = bytes.fromhex("0d9e0ddf5fd51c06")
DEPOSIT_TOKEN = bytes.fromhex("0b9c60da27a3b413")
_DATA = struct.Struct("<8sQ32s")
"""The discriminator, the amount in raw units, and the order's ID."""
_TOKEN_PROGRAM_AT = 7


@dataclass(frozen=True, slots=True)
class SolanaDeposit:
    """A deposit as it will be made; ``holder`` is the account that it goes into."""

    instruction: SvmInstruction
    amount: int
    identifier: bytes
    holder: str

    def start(self, request: QuoteRequest) -> Start:
        """Return it in the words that orders are compared with."""
        token = request.origin_token.address
        return Start(token, self.amount, deposit=Deposit(request.sender, token, self.amount, self.identifier))

    def draft(self, request: QuoteRequest, reference: str, expires_at: int) -> SvmDraft:
        """Return the transaction; ``reference`` is the request's ID."""
        program = self.instruction.program
        return SvmDraft(
            request.origin.id,
            program,
            (self.instruction,),
            frozenset({program}),
            reference=reference,
            deposit=BridgeDeposit(request.origin_token.address, self.amount, (self.holder,)),
            expires_at=expires_at,
        )


def read_solana(steps: Sequence[Step], request: QuoteRequest, place: Deployment) -> tuple[Step, SolanaDeposit]:
    """Return the one step that there is, and its deposit of the request's amount by its sender.

    Raise UpstreamFailed for anything else. Under which order it is made is not compared here.
    """
    items = [(step, item) for step in steps for item in step.items]
    if len(items) != 1 or (items[0][0].kind, items[0][0].id) != ("transaction", "deposit"):
        raise UpstreamFailed("asks for other steps than a deposit")
    step, item = items[0]
    found = _only(read_answer(SolanaCall, item.data).instructions)
    expect("program", found.program_id, place.depository)
    try:
        called, amount, identifier = _DATA.unpack(bytes.fromhex(found.data))
    except struct.error:
        raise UpstreamFailed("answered a deposit that is not understood") from None
    expect("amount", amount, request.amount)
    deposit = _written(found, request, place.depository, identifier)
    expect("kind of deposit", called, deposit.instruction.data[:8])
    accounts = [role.address for role in deposit.instruction.accounts]
    expect("list of accounts", [key.pubkey for key in found.keys], accounts)
    return step, deposit


def _only(instructions: Sequence[SolanaInstruction]) -> SolanaInstruction:
    """Return the instruction beside the compute budget, which the service sets itself."""
    found = [each for each in instructions if each.program_id != COMPUTE_BUDGET]
    if len(found) != 1:
        raise UpstreamFailed("answered another transaction than one deposit")
    return found[0]


def _written(found: SolanaInstruction, request: QuoteRequest, program: str, identifier: bytes) -> SolanaDeposit:
    """Encode the requested deposit; only the mint's token program is taken from the answer."""
    sender, token, amount = request.sender, request.origin_token.address, request.amount
    state, vault = (program_address([seed], program) for seed in (b"relay_depository", b"vault"))
    who = (AccountRole(state), AccountRole(sender, signer=True, writable=True), AccountRole(sender))
    if token == NATIVE_SVM:
        native = (*who, AccountRole(vault, writable=True), AccountRole(SYSTEM))
        data = _DATA.pack(DEPOSIT_NATIVE, amount, identifier)
        return SolanaDeposit(SvmInstruction(program, native, data), amount, identifier, vault)
    token_program = found.keys[_TOKEN_PROGRAM_AT].pubkey if len(found.keys) > _TOKEN_PROGRAM_AT else ""
    expect_one_of("token program", token_program, SPL_PROGRAMS)
    own, holder = (associated_token_address(owner, token, token_program) for owner in (sender, vault))
    tokens = (
        *who,
        AccountRole(vault),
        AccountRole(token),
        AccountRole(own, writable=True),
        AccountRole(holder, writable=True),
        AccountRole(token_program),
        AccountRole(ASSOCIATED),
        AccountRole(SYSTEM),
    )
    data = _DATA.pack(DEPOSIT_TOKEN, amount, identifier)
    return SolanaDeposit(SvmInstruction(program, tokens, data), amount, identifier, holder)
