"""The token accounts of a swap: what a node says of both tokens and of wrapped SOL, and the instructions around it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, Known
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account
from rhumbline.gateways.svm.wrapped_sol import Wrapping, wrapped_account, wrapping_in, wrapping_out


@dataclass(frozen=True)
class SwapAccounts:
    """The mints of a request's swap: ``programs`` are the token programs of input and output.

    ``wrapped`` is the wallet's account of wrapped SOL, None where there is none.
    """

    request: QuoteRequest
    programs: tuple[str, str]
    wrapped: TokenAccount | None = None

    @cached_property
    def mints(self) -> tuple[str, str]:
        """What goes in and what comes out, SOL as its wrapping."""
        return self.request.pair(WRAPPED_SOL)

    @cached_property
    def source(self) -> str:
        """The wallet's account that the input is taken of."""
        return associated_token_address(self.request.sender, self.mints[0], self.programs[0])

    @cached_property
    def own(self) -> str:
        """The wallet's account of what comes out."""
        return associated_token_address(self.request.sender, self.mints[1], self.programs[1])

    @cached_property
    def destination(self) -> str:
        """The receiver's account of what comes out."""
        return associated_token_address(self.request.payout_address, self.mints[1], self.programs[1])


async def read_swap_accounts(rpc: SvmRpc, request: QuoteRequest) -> SwapAccounts:
    """Ask a node; raise UpstreamFailed if it does not answer, NoRoute for a token that cannot be swapped."""
    mints, account = request.pair(WRAPPED_SOL), wrapped_account(request.sender)
    try:
        found = (await SharedState(rpc).page([*(mint for mint in mints if mint != WRAPPED_SOL), account])).found
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed(f"cannot be asked: {rpc.name}'s node does not tell what the tokens are") from error
    programs = _program(mints[0], found.get(mints[0])), _program(mints[1], found.get(mints[1]))
    return SwapAccounts(request, programs, _wrapped(request.sender, account, found[account]))


def with_accounts(
    swap: SvmInstruction, accounts: SwapAccounts, making: Iterable[SvmInstruction] = ()
) -> tuple[SvmInstruction, ...]:
    """Return a swap of mints with all that it needs: wrapping, the receiver's account, and the accounts of ``making``.

    An account that is made twice is made once.
    """
    request, around = accounts.request, Wrapping()
    if request.sells_native:
        around = wrapping_in(request.sender, request.amount, accounts.wrapped)
    elif request.buys_native:
        around = wrapping_out(request.sender, accounts.wrapped)
    paid = CreateTokenAccount.of(request.sender, request.payout_address, accounts.mints[1], accounts.programs[1])
    return (*dict.fromkeys((*around.before, paid.encode(), *making)), swap, *around.after)


def made_for_swap(made: Known | None, request: QuoteRequest) -> SvmInstruction | None:
    """Return what makes a token account at the wallet's cost, as this service writes it; None for anything else.

    The account is the wallet's own, of any token (a route may go through it), or the receiver's of the output.
    """
    owner = request.sender
    if not isinstance(made, CreateTokenAccount) or made.payer != owner or made.extra:
        return None
    if made.owner != owner and (made.owner, made.mint) != (request.payout_address, request.pair(WRAPPED_SOL)[1]):
        return None
    wanted = CreateTokenAccount.of(owner, made.owner, made.mint, made.program)
    return wanted.encode() if wanted.account == made.account else None


def _program(address: str, account: Account | None) -> str:
    if address == WRAPPED_SOL:
        return SPL
    try:
        mint: Mint = read_mint(address, account)
    except NoToken:
        raise NoRoute("is not asked about an address that is no token") from None
    obstacle = mint.obstacle()
    if obstacle is not None:
        raise NoRoute(f"is not asked: {obstacle}")
    return mint.program


def _wrapped(owner: str, address: str, account: Account | None) -> TokenAccount | None:
    if account is None or account.owner != SPL:
        # Lamports sent to the address do not make it a token account.
        return None
    try:
        held = read_token_account(address, account)
    except NoToken:
        return None
    if held.owner != owner or held.close_authority not in (None, owner) or held.frozen:
        raise NoRoute("cannot use the wallet's account of wrapped SOL, which is not the wallet's alone")
    return held
