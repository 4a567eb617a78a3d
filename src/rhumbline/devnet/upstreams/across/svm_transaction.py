"""The transaction of Across's Swap API that begins on Solana, honest or with a lie.

Built like ``api/_dexes/utils.ts`` of across-protocol/frontend and ``createDepositInstruction`` of across-protocol/sdk,
read 2026-11-22: the pool's vault if there is none, the approval of the input, the deposit, the integrator's memo.
"""

from base64 import b64encode

from rhumbline.devnet.upstreams.across.svm_spoke import STATE, deposit, deposit_data, deposit_delegate
from rhumbline.devnet.upstreams.across.terms import Terms, lied, word
from rhumbline.devnet.upstreams.behaviour import Fails, Lie
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise

MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"


async def solana_transaction(node: SvmNode, honest: Terms, lie: Lie | None, integrator: str | None) -> str:
    """Return the unsigned transaction in base64; raise Fails for an unknown token."""
    token = honest.origin.token.address
    mint = (await SvmState(node.rpc).mints([token]))[token]
    if mint is None:
        raise Fails("token_not_found")
    signer, terms = honest.depositor, lied(honest, lie)
    data = deposit_data(
        word(terms.depositor), word(terms.recipient), word(token), word(terms.destination.token.address),
        (terms.amount, terms.output), terms.destination.chain.id, word(terms.exclusive_relayer),
        (terms.timestamp, terms.fill_deadline, terms.exclusivity), terms.message,
    )  # fmt: skip
    source = associated_token_address(signer, token, mint.program)
    delegate = node.solver if lie is Lie.OTHER_SPENDER else deposit_delegate(data)
    approved = terms.amount * 2 if lie is Lie.MORE_VALUE else terms.amount
    instructions = [
        CreateTokenAccount.of(signer, STATE, token, mint.program).encode(),
        TokenApproval(mint.program, source, delegate, signer, approved, token, mint.decimals).encode(),
        deposit(signer, data, mint.program),
    ]
    if lie is Lie.OTHER_ENTRY:
        # It looks like the real one, with an additional transfer to a stranger.
        theirs = associated_token_address(node.solver, token, mint.program)
        stolen = TokenTransfer(mint.program, source, theirs, signer, 1, token, mint.decimals)
        instructions.append(stolen.encode())
    if integrator is not None:
        instructions.append(SvmInstruction(MEMO, (), integrator.encode()))
    message = compile_v0(signer, instructions, (), (await node.rpc.latest_blockhash()).value)
    return b64encode(serialise(message, [signer], {})).decode()
