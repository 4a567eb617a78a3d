"""Mayan's calls on Solana: the wallet pays into the order's own token account, then a program starts the order.

Source, read 2026-11-22: swap-sdk 15.2.0 (https://github.com/mayan-finance/swap-sdk, commit cd5a34c), and a transaction
of 2026-09-21 (slot 449137703) that placed an order of SWIFT. As in the SDK, every call goes through Mayan's proxy,
whose first account is the program to call. There is no swap before, and only the wallet signs: Circle's burn is made by
a relayer, who is paid out of the order's account (the SDK's ``forceSkipCctpInstructions``).
"""

from collections.abc import Sequence

from rhumbline.adapters.mayan.bytes32 import NATIVE
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Ledger, Order
from rhumbline.adapters.mayan.wire import MayanQuote
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.gateways.svm.account import Rent
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, TokenTransfer, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL

DEAREST_BYTE = 6960
"""The past cost of an account per byte, in lamports; it has only become less (5,080 in 2026-09)."""
RENT = "SysvarRent111111111111111111111111111111111"


def mint_of(token: str) -> str:
    """Return the mint of a token in Mayan's spelling: the native asset travels wrapped."""
    return WRAPPED_SOL if token == NATIVE else token


def holder_of(owner: str, token: str) -> str:
    """Return the token account of an owner; the token is in Mayan's spelling."""
    return associated_token_address(owner, mint_of(token), SPL)


def kept(size: int) -> int:
    """Return the most, in lamports, that it takes to keep an account of ``size`` bytes."""
    return Rent(DEAREST_BYTE).minimum(size)


def proxied(call: SvmInstruction, proxy: str) -> SvmInstruction:
    """Return a call that the proxy passes on as it is."""
    return SvmInstruction(proxy, (AccountRole(call.program), *call.accounts), call.data)


def expect_unswapped(reply: MayanQuote, taken: str) -> None:
    """Raise NoRoute where what the program takes is not the input: what swaps it is not ours to check."""
    if taken != reply.from_token.contract:
        raise NoRoute("offers to swap on Solana first, which is not done here")


def draft_of(order: Order, ledger: Ledger, sender: str, here: Deployment, chain_id: int) -> SvmDraft:
    """Return the transaction of an order: its account is made and paid into, then its program is called."""
    holder = holder_of(ledger.owner, order.input_token)
    calls = [*_paid_in(order, ledger, sender, holder), ledger.call]
    return SvmDraft(
        chain_id,
        here.proxy,
        tuple(proxied(call, here.proxy) for call in calls),
        frozenset({here.proxy, order.contract}),
        here.tables,
        reference=order.reference,
        deposit=BridgeDeposit(mint_of(order.input_token), order.amount, (holder,)),
        expires_at=order.deadline,
    )


def _paid_in(order: Order, ledger: Ledger, sender: str, holder: str) -> Sequence[SvmInstruction]:
    mint = mint_of(order.input_token)
    # The sysvar is not read any more, but the SDK still names it.
    made = CreateTokenAccount(sender, holder, ledger.owner, mint, SPL, extra=(AccountRole(RENT),)).encode()
    if order.input_token == NATIVE:
        return made, *wrap_sol(sender, holder, order.amount)
    source = holder_of(sender, order.input_token)
    return made, TokenTransfer(SPL, source, holder, sender, order.amount).encode()
