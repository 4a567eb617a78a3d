"""The payment to a deposit address on Solana, which is a wallet, of SOL or a token, without a memo."""

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import BelowMinimum, NodeRefused, NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SYSTEM
from rhumbline.gateways.svm.tokens import Mint


async def svm_payment(rpc: SvmRpc, request: QuoteRequest, address: str, ends: int) -> SvmDraft:
    """Return the payment to a new wallet, whose token account the payer creates.

    Raise NoRoute for a token that cannot be paid plainly, BelowMinimum for less SOL than a new wallet must hold.
    """
    token = request.origin_token.address
    try:
        if request.sells_native:
            await _expect_kept(rpc, address, request.amount)
            transfer = SystemTransfer(request.sender, address, request.amount)
            return _draft(request, address, ends, (transfer,), address)
        mint = (await SharedState(rpc).mints([token]))[token]
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed(str(error)) from error
    program = _payable(request, mint).program
    making = CreateTokenAccount.of(request.sender, address, token, program)
    source = associated_token_address(request.sender, token, program)
    decimals = request.origin_token.decimals
    paying = TokenTransfer(program, source, making.account, request.sender, request.amount, token, decimals)
    return _draft(request, address, ends, (making, paying), making.account)


def _draft(
    request: QuoteRequest,
    address: str,
    ends: int,
    parts: tuple[SystemTransfer | CreateTokenAccount | TokenTransfer, ...],
    holder: str,
) -> SvmDraft:
    instructions = tuple(part.encode() for part in parts)
    return SvmDraft(
        request.origin.id,
        instructions[-1].program,
        instructions,
        frozenset(),
        reference=address,
        expires_at=ends,
        deposit=BridgeDeposit(request.origin_token.address, request.amount, (holder,)),
    )


def _payable(request: QuoteRequest, mint: Mint | None) -> Mint:
    """Return the mint if the full amount arrives: the service holds less than the quote's input until its deadline."""
    if mint is None:
        raise NoRoute("the token is not on its chain")
    obstacle = mint.obstacle()
    if obstacle is None and mint.transfer_fees is not None:
        obstacle = "a transfer of this token may leave a part of it behind"
    if obstacle is None and mint.starts_frozen:
        obstacle = "a new account of this token cannot receive"
    if obstacle is not None:
        raise NoRoute(obstacle)
    expect("number of decimals", mint.decimals, request.origin_token.decimals)
    return mint


async def _expect_kept(rpc: SvmRpc, address: str, amount: int) -> None:
    account = await rpc.account(address)
    if account is not None and account.owner != SYSTEM:
        raise UpstreamFailed("answered with a deposit address that is no wallet")
    least = (await SharedState(rpc).rent()).minimum(0)
    if account is None and amount < least:
        raise BelowMinimum("the amount is less than a new wallet must hold", least)
