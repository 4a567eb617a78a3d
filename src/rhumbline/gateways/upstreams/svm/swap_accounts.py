"""Token accounts of a swap: what a node says of both tokens and of wrapped SOL, and the instructions around it."""

from collections.abc import Iterable
from dataclasses import dataclass

from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.instructions import CreateTokenAccount, decode
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account
from rhumbline.gateways.svm.wrapped_sol import Wrapping, wrapped_account, wrapping_in, wrapping_out


@dataclass(frozen=True, slots=True)
class SwapAccounts:
    """The token programs of what goes in and out, and the wallet's account of wrapped SOL, None where there is none."""

    programs: tuple[str, str]
    wrapped: TokenAccount | None

    def expect_programs(self, before: tuple[str, str]) -> None:
        """Raise UpstreamFailed where a node said otherwise of the tokens before."""
        if self.programs != before:
            raise UpstreamFailed("cannot tell what a token is: its node has changed its mind")


async def read_swap_accounts(rpc: SvmRpc, owner: str, mint_in: str, mint_out: str) -> SwapAccounts:
    """Ask a node; raise UpstreamFailed where it does not answer, NoRoute for what is no token that can be swapped."""
    account = wrapped_account(owner)
    try:
        found = (await rpc.accounts((mint_in, mint_out, account))).found
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed(f"cannot be asked: {rpc.name}'s node does not tell what the tokens are") from error
    programs = _program(mint_in, found[mint_in]), _program(mint_out, found[mint_out])
    return SwapAccounts(programs, _wrapped(owner, account, found[account]))


def with_accounts(
    swap: SvmInstruction, request: QuoteRequest, accounts: SwapAccounts, making: Iterable[SvmInstruction] = ()
) -> tuple[SvmInstruction, ...]:
    """Return a swap of mints with all that it needs: wrapping, the receiver's account, and the accounts of ``making``.

    An account that is made twice is made once.
    """
    around = Wrapping()
    if request.sells_native:
        around = wrapping_in(request.sender, request.amount, accounts.wrapped)
    elif request.buys_native:
        around = wrapping_out(request.sender, accounts.wrapped)
    mint, program = request.pair(WRAPPED_SOL)[1], accounts.programs[1]
    paid = CreateTokenAccount.of(request.sender, request.payout_address, mint, program).encode()
    return (*dict.fromkeys((*around.before, paid, *making)), swap, *around.after)


def made_for_swap(instruction: SvmInstruction, owner: str, receiver: str, mint_out: str) -> SvmInstruction | None:
    """Return what makes a token account at the owner's cost, as this service writes it; None for anything else.

    The account is the owner's own, of any token (a route may go through it), or the receiver's of the output.
    """
    made = decode(instruction)
    if not isinstance(made, CreateTokenAccount) or made.payer != owner or made.extra:
        return None
    if made.owner != owner and (made.owner, made.mint) != (receiver, mint_out):
        return None
    wanted = CreateTokenAccount.of(owner, made.owner, made.mint, made.program)
    return wanted.encode() if wanted.account == made.account else None


def _program(address: str, account: Account | None) -> str:
    if address == WRAPPED_SOL:
        return SPL
    try:
        mint: Mint = read_mint(address, account)
    except NoToken:
        raise NoRoute("is not asked about what is no token") from None
    obstacle = mint.obstacle()
    if obstacle is not None:
        raise NoRoute(f"is not asked: {obstacle}")
    return mint.program


def _wrapped(owner: str, address: str, account: Account | None) -> TokenAccount | None:
    if account is None or account.owner != SPL:
        # Lamports that somebody sent there make no token account.
        return None
    try:
        held = read_token_account(address, account)
    except NoToken:
        return None
    if held.owner != owner or held.close_authority not in (None, owner) or held.frozen:
        raise NoRoute("cannot use the wallet's account of wrapped SOL, which is not the wallet's alone")
    return held
