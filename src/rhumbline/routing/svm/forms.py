"""How adapters are asked on Solana: the state of the accounts, and the fees that can be paid."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import structlog

from rhumbline.domain.chain import NATIVE_SVM, Chain
from rhumbline.domain.errors import InvalidRequest, NodeUnavailable
from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteRequest, RouteWarning
from rhumbline.domain.token import Token
from rhumbline.domain.unowned_addresses import is_placeholder, stand_in
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.account import Account, Rent
from rhumbline.gateways.svm.address import associated_token_address, is_on_curve
from rhumbline.gateways.svm.programs import SPL, SPL_2022, SPL_PROGRAMS, SYSTEM, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import Mint, NoToken, TokenAccount, read_mint, read_token_account
from rhumbline.routing.fees import FeeTerms, Intake, divide
from rhumbline.routing.quote_context import Form, TokenPair, pays_nobody, sends_nobody, wallets_own
from rhumbline.routing.svm.chosen_terms import bytes_of, terms_faults

INSUFFICIENT = "SOLANA_INSUFFICIENT_BALANCE"
NOT_ACTIVATED = "INTEGRATOR_SOLANA_WALLET_NOT_ACTIVATED_FEE_SKIPPED"
MOST_AMOUNT = 2**64 - 1


async def settled(rpc: SvmRpc, request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int) -> Form:
    """Return the way to ask; ``deadline`` in Unix seconds.

    Raise InvalidRequest for what cannot be on this chain, SvmRpcError or NodeUnavailable where it does not tell.
    """
    if request.amount > MOST_AMOUNT:
        raise InvalidRequest([f"amount: must be at most {MOST_AMOUNT} on {request.origin.name}"])
    intake = divide(request.amount, request.origin, terms)
    no_sender, no_receiver = sends_nobody(request), pays_nobody(request)
    quote_request = wallets_own(request, pair, deadline)
    if no_sender or no_receiver:
        quote_request = _by_stand_ins(quote_request, pays_nobody=no_receiver)
    if not is_on_curve(quote_request.sender):
        raise InvalidRequest(["senderAddress: belongs to a program, which cannot sign; name a wallet"])
    if quote_request.refund_to is not None and not is_on_curve(quote_request.refund_to):
        raise InvalidRequest(["refundTo: belongs to a program, which a bridge may not pay; name a wallet"])
    seen = await _look(rpc, quote_request, {charge.recipient for charge in intake.charges})
    faults = await terms_faults(rpc, request.solana)
    if faults := [*_token_faults(quote_request, seen), *_wallet_faults(quote_request, seen), *faults]:
        raise InvalidRequest(faults)
    intake, terms = _payable(intake, request, quote_request.origin_token, terms, seen)
    shortage = None if no_sender or no_receiver else _shortage(request, quote_request, seen)
    quote_request = replace(quote_request, amount=intake.net, reserved=bytes_of(request.solana))
    return Form(quote_request, replace(intake, shortage=shortage), terms)


def _by_stand_ins(quote_request: QuoteRequest, *, pays_nobody: bool) -> QuoteRequest:
    """Replace placeholders by stand-ins, so that the transaction looks like a real one.

    The stand-in is the sender if either of the two is a placeholder: nobody can sign as it, so nothing is lost.
    """
    sender = stand_in(quote_request.origin.type)
    receiver = stand_in(quote_request.destination.type) if pays_nobody else quote_request.receiver
    return replace(quote_request, sender=sender, taker=sender, receiver=receiver, payout_address=receiver)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Accounts at one slot, by address, and the mints among them; ``rent`` only where lamports are sold."""

    accounts: Mapping[str, Account | None]
    mints: Mapping[str, Mint]
    rent: Rent | None

    def holding(self, owner: str, token: Token) -> TokenAccount | None:
        """Return an owner's balance of a token in the associated account; None if that does not exist."""
        found = self.associated(owner, token)
        return None if found is None or found.owner != owner else found

    def associated(self, owner: str, token: Token) -> TokenAccount | None:
        """Return an owner's associated account of a token, or of wrapped SOL, even where it has been given away."""
        mint, name, program = self.mints.get(token.address), token.address, SPL
        if name == NATIVE_SVM:
            name = WRAPPED_SOL
        elif mint is None:
            return None
        else:
            program = mint.program
        address = associated_token_address(owner, name, program)
        try:
            found = read_token_account(address, self.accounts.get(address))
        except NoToken:
            return None
        return found if found.mint == name else None


async def _look(rpc: SvmRpc, quote_request: QuoteRequest, fee_wallets: Iterable[str]) -> _Seen:
    tokens = [token for token in _here(quote_request) if token.address != NATIVE_SVM]
    addresses = [quote_request.sender, *(token.address for token in tokens), *fee_wallets]
    owners = {quote_request.sender, *fee_wallets}
    if quote_request.destination == quote_request.origin:
        addresses.append(quote_request.receiver)
        owners.add(quote_request.receiver)
    elif quote_request.refund_to is not None:
        addresses.append(quote_request.refund_to)
    for token in tokens:
        addresses += [
            associated_token_address(owner, token.address, program) for owner in owners for program in (SPL, SPL_2022)
        ]
    # The native asset is wrapped or unwrapped in the sender's account of wrapped SOL; adapters ask for it as well.
    addresses.append(associated_token_address(quote_request.sender, WRAPPED_SOL, SPL))
    state = SharedState(rpc)
    found = (await state.page(addresses)).found
    rent = await state.rent() if quote_request.origin_token.address == NATIVE_SVM else None
    return _Seen(found, dict(_mints(tokens, found)), rent)


def _mints(tokens: Iterable[Token], accounts: Mapping[str, Account | None]) -> Iterator[tuple[str, Mint]]:
    for token in tokens:
        with suppress(NoToken):
            yield token.address, read_mint(token.address, accounts[token.address])


def _shortage(request: RouteRequest, quote_request: QuoteRequest, seen: _Seen) -> RouteWarning | None:
    """Warn if the wallet has less of the input than the amount; None if it has enough, whatever else it lacks."""
    if quote_request.origin_token.address == NATIVE_SVM:
        account = seen.accounts.get(quote_request.sender)
        has = 0 if account is None else account.lamports
    else:
        holding = seen.holding(quote_request.sender, quote_request.origin_token)
        has = 0 if holding is None else holding.amount
    if has >= request.amount:
        return None
    words = f"The wallet cannot execute this now: it has {has} of the input token, and {request.amount} are needed"
    return RouteWarning(INSUFFICIENT, words)


def _here(quote_request: QuoteRequest) -> tuple[Token, ...]:
    if quote_request.destination == quote_request.origin:
        return quote_request.origin_token, quote_request.destination_token
    return (quote_request.origin_token,)


def _token_faults(quote_request: QuoteRequest, seen: _Seen) -> list[str]:
    faults = []
    for name, token in zip(("originCurrency", "destinationCurrency"), _here(quote_request), strict=False):
        mint = seen.mints.get(token.address)
        if token.address == NATIVE_SVM:
            continue
        if mint is None and token.listed:
            # A node that is far behind, on another cluster, or answers half: it is not the caller's to mend.
            raise NodeUnavailable(f"the node does not know {token.symbol}, which is on the list")
        if mint is None:
            faults.append(f"{name}: there is no token at this address on {quote_request.origin.name}")
        elif (obstacle := mint.obstacle()) is not None:
            faults.append(f"{name}: {obstacle}, so no route of it can be promised")
    return faults


def _wallet_faults(quote_request: QuoteRequest, seen: _Seen) -> list[str]:
    sold = seen.holding(quote_request.sender, quote_request.origin_token)
    faults = []
    if sold is not None and sold.frozen:
        faults.append("senderAddress: its account of this token is frozen, so nothing can be sent from it")
    if quote_request.destination != quote_request.origin:
        return faults + _refund_faults(quote_request, seen) + _right_faults(quote_request, seen)
    if sold is not None and sold.cpi_guarded:
        faults.append("senderAddress: its account of this token lets no program take from it; switch its CPI guard off")
    account = seen.accounts.get(quote_request.receiver)
    if account is not None and (account.executable or account.owner in SPL_PROGRAMS):
        faults.append("receiverAddress: must be a wallet, not a program, a token or a token account")
    bought, mint = (
        seen.holding(quote_request.receiver, quote_request.destination_token),
        seen.mints.get(quote_request.destination_token.address),
    )
    obstacle = None if bought is None else bought.obstacle_to_receiving()
    if bought is None and mint is not None and mint.starts_frozen:
        obstacle = "new accounts of this token begin frozen, and it has none yet"
    if obstacle is not None:
        faults.append(f"receiverAddress: cannot receive this token: {obstacle}")
    return faults + _right_faults(quote_request, seen)


def _refund_faults(quote_request: QuoteRequest, seen: _Seen) -> list[str]:
    account = None if quote_request.refund_to is None else seen.accounts.get(quote_request.refund_to)
    if account is not None and (account.executable or account.owner in SPL_PROGRAMS):
        return ["refundTo: must be a wallet, not a program, a token or a token account"]
    return []


def _right_faults(quote_request: QuoteRequest, seen: _Seen) -> list[str]:
    """Return who else has rights to an account of the trade: they could take what is in it."""
    faults = []
    for name, owner, token in _used(quote_request):
        account = seen.associated(owner, token)
        if account is None:
            continue
        what = f"its account of {'wrapped SOL' if token.address == NATIVE_SVM else token.symbol}"
        if account.owner != owner:
            faults.append(f"{name}: {what} belongs to somebody else ({account.owner}); name another wallet")
        elif account.taker is not None:
            faults.append(f"{name}: {account.taker} may take from {what}; revoke that approval first")
        elif account.closer is not None:
            faults.append(f"{name}: {account.closer} may close {what}; set its close authority back first")
    return faults


def _used(quote_request: QuoteRequest) -> Iterator[tuple[str, str, Token]]:
    """Yield the wallets' accounts in a trade: the field that names the wallet, the wallet, the token."""
    yield "senderAddress", quote_request.sender, quote_request.origin_token
    if quote_request.destination != quote_request.origin:
        return
    if quote_request.destination_token.address != NATIVE_SVM:
        yield "receiverAddress", quote_request.receiver, quote_request.destination_token
    elif quote_request.receiver == quote_request.sender:
        yield "senderAddress", quote_request.sender, quote_request.destination_token


def _payable(
    intake: Intake, request: RouteRequest, token: Token, terms: FeeTerms, seen: _Seen
) -> tuple[Intake, FeeTerms]:
    """Divide the input among the wallets that can be paid: a fee that cannot would fail the whole transaction."""
    chain = request.origin
    unpayable = [charge for charge in intake.charges if not _is_payable(charge, chain, token, seen)]
    if not unpayable:
        return intake, terms
    skipped = {charge.kind for charge in unpayable}
    if FeeKind.SERVICE in skipped:
        reason = "the service's wallet has no account of this token, or too little to be kept"
        structlog.get_logger().warning("service_fee_left_out", chain=chain.key, token=token.address, reason=reason)
    refused = terms.refused | {charge.recipient for charge in unpayable}
    terms = replace(terms, refused=frozenset(refused))
    intake = divide(request.amount, chain, terms)
    if FeeKind.INTEGRATOR not in skipped:
        return intake, terms
    what = "cannot be paid lamports" if token.address == NATIVE_SVM else "has no account of this token"
    warning = RouteWarning(NOT_ACTIVATED, f"The integrator's fee is not taken: its Solana wallet {what}.")
    return replace(intake, warnings=(warning,)), terms


def _is_payable(charge: Charge, chain: Chain, token: Token, seen: _Seen) -> bool:
    if is_placeholder(chain.type, charge.recipient):
        return False
    if seen.rent is None:
        account = seen.holding(charge.recipient, token)
        return account is not None and account.obstacle_to_receiving() is None
    wallet = seen.accounts.get(charge.recipient)
    if wallet is None:
        return seen.rent.keeps(charge.amount)
    return wallet.owner == SYSTEM and seen.rent.keeps(wallet.lamports + charge.amount, len(wallet.data))
