"""What a node says of both tokens of a swap, and of the wallet's account of wrapped SOL, in one question."""

from dataclasses import dataclass

from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.gateways.svm.accounts import Account
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.svm.rpc import SvmRpc
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account
from rhumbline.gateways.svm.wrapping import wrapped_account


@dataclass(frozen=True, slots=True)
class SwapAccounts:
    """The token programs of what goes in and out, and the wallet's account of wrapped SOL, None where there is none."""

    programs: tuple[str, str]
    wrapped: TokenAccount | None


async def read_swap_accounts(rpc: SvmRpc | None, owner: str, mint_in: str, mint_out: str) -> SwapAccounts:
    """Ask a node; raise UpstreamFailed where it does not answer, NoRoute for what is no token that can be swapped."""
    if rpc is None:
        raise UpstreamFailed("cannot be asked without a node of the chain")
    account = wrapped_account(owner)
    try:
        found = (await rpc.accounts((mint_in, mint_out, account))).found
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed("cannot be asked: the node does not tell what the tokens are") from error
    programs = _program(mint_in, found[mint_in]), _program(mint_out, found[mint_out])
    return SwapAccounts(programs, _wrapped(owner, account, found[account]))


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
