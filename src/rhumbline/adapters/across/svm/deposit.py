"""The deposit on Solana that is answered; the API's own transaction is only compared with it."""

from base64 import b64decode
from binascii import Error

from rhumbline.adapters.across.calldata import DepositCall
from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.svm.program import decode, delegate_of, deposit_instruction, state_of, vault_of
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.svm.address import associated_token_address, encode_address
from rhumbline.gateways.svm.decompiler import Decompiled, Unreadable, decompile
from rhumbline.gateways.svm.instructions import CreateTokenAccount, TokenApproval
from rhumbline.gateways.svm.instructions import decode as recognised
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, MEMO, MEMO_OF_OLD
from rhumbline.gateways.svm.tokens import Mint

MEMOS = frozenset({MEMO, MEMO_OF_OLD})
"""The memo program, by which the API tags deposits; the older one is still in use."""


def draft(chain_id: int, place: Deployment, call: DepositCall, mint: Mint, expires_at: int | None) -> SvmDraft:
    """Return the deposit, after an approval of exactly its input for the one address that can take it for this deposit.

    Raise UpstreamFailed unless the instruction is what was requested.
    """
    pool, token = place.spoke_pool, encode_address(call.input_token)
    instruction = deposit_instruction(pool, call, mint.program)
    try:
        same = decode(instruction.data) == call
    except MalformedAnswer:
        same = False
    if not same:
        raise UpstreamFailed("the deposit does not say what was asked")
    delegate = delegate_of(pool, call)
    return SvmDraft(
        chain_id,
        pool,
        (_approval(call, delegate, mint.program, mint.decimals).encode(), instruction),
        frozenset({pool}),
        delegate=delegate,
        expires_at=expires_at,
        deposit=BridgeDeposit(token, call.input_amount, (vault_of(pool, token, mint.program),)),
    )


def read_transaction(text: str, pool: str, depositor: str, decimals: int) -> DepositCall:
    """Decode the API's transaction (base64, unsigned): one deposit and what it needs; raise MalformedAnswer.

    Only the depositor signs it, and it does nothing else but: create the pool's vault if there is none, approve exactly
    the input for exactly the deposit, and leave a memo (createDepositInstruction of across-protocol/sdk, and the API's
    source, read 2026-11-22).
    """
    try:
        found = decompile(b64decode(text, validate=True))
    except (Error, Unreadable, ValueError) as error:
        raise MalformedAnswer(f"no transaction ({error})") from None
    if found.signers != (depositor,) or found.signatures or found.forged:
        raise MalformedAnswer("somebody else signs")
    deposits = [each for each in found.instructions if each.program == pool]
    if len(deposits) != 1:
        raise MalformedAnswer("not one deposit")
    call = decode(deposits[0].data)
    _expect_nothing_else(found, deposits[0], call, decimals)
    return call


def _expect_nothing_else(found: Decompiled, deposit: SvmInstruction, call: DepositCall, decimals: int) -> None:
    """Compare accounts by their addresses: which are written is the whole message's to say, and the program's."""
    token_program = deposit.accounts[6].address if len(deposit.accounts) == 11 else ""
    expected = deposit_instruction(deposit.program, call, token_program) if token_program else None
    if expected is None or _addresses(expected) != _addresses(deposit):
        raise MalformedAnswer("a deposit with other accounts")
    depositor, token = encode_address(call.depositor), encode_address(call.input_token)
    approval = _approval(call, delegate_of(deposit.program, call), token_program, decimals)
    making = CreateTokenAccount.of(depositor, state_of(deposit.program), token, token_program)
    rest = [each for each in found.instructions if each is not deposit and each.program not in MEMOS | {COMPUTE_BUDGET}]
    known = [recognised(each) for each in rest]
    if known.count(approval) != 1 or any(each not in (approval, making) for each in known):
        raise MalformedAnswer("something besides a deposit and its approval")


def _approval(call: DepositCall, delegate: str, token_program: str, decimals: int) -> TokenApproval:
    depositor, token = encode_address(call.depositor), encode_address(call.input_token)
    source = associated_token_address(depositor, token, token_program)
    return TokenApproval(token_program, source, delegate, depositor, call.input_amount, token, decimals)


def _addresses(instruction: SvmInstruction) -> list[str]:
    return [role.address for role in instruction.accounts]
