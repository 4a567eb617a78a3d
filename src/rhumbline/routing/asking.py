"""From a caller's request to the question that adapters are asked: tokens, form, fees, deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import Integrator
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, NodeRefused, NodeUnavailable, StoreUnavailable
from rhumbline.domain.nobody import is_nobodys, is_placeholder
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteRequest, RouteWarning
from rhumbline.domain.token import Token
from rhumbline.routing.evm.router_call import name_word
from rhumbline.routing.fees import FeeSettings, FeeTerms, Intake, divide, fee_skipped, gross_for
from rhumbline.routing.slippage import PairKind, pair_kind, permitted_loss

_MOST_SLIPPAGE = Fraction(9_999, 10_000)
"""What upstreams are asked for at the most: with all of it a minimum of nothing would be promised, which is none."""
_NOBODYS = "receiverAddress: must be a wallet that somebody has"

SYSTEM_ACCOUNT_SKIPPED = "SOLANA_SYSTEM_ACCOUNT_SKIPPED"
IntegratorReader = Callable[[str], Awaitable[Integrator | None]]
"""Finds a registered integrator by name; None when there is none. Raises StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request with everything settled before an adapter is asked.

    ``routed`` asks for a transaction that the service's contracts make, net of fees; None where the chain has none.
    ``plain`` asks for the upstream's own transaction, made by the wallet (the direct form); None where that would give
    away protection: on one chain the contracts hold the minimum. ``integrator`` is the name to attribute as registered.
    """

    request: RouteRequest
    origin_token: Token
    destination_token: Token
    routed: QuoteRequest | None
    plain: QuoteRequest | None
    kind: PairKind
    intake: Intake
    terms: FeeTerms
    integrator: str | None

    @property
    def warnings(self) -> tuple[RouteWarning, ...]:
        """What the answer must say whoever gives it."""
        if self.request.receiver != NATIVE_SVM:
            return ()
        return (
            RouteWarning(
                SYSTEM_ACCOUNT_SKIPPED,
                "The receiver is Solana's System Program, nobody's wallet: the answer can be shown and not executed.",
            ),
        )

    @property
    def forms(self) -> tuple[QuoteRequest, ...]:
        """The ways to ask, the better one first."""
        return tuple(form for form in (self.routed, self.plain) if form is not None)

    def is_direct(self, asked: QuoteRequest) -> bool:
        """Tell whether a request is in the direct form."""
        return asked != self.routed

    def intake_of(self, asked: QuoteRequest) -> Intake:
        """Return how the input is divided in a form."""
        return _untouched(self.request) if self.is_direct(asked) else self.intake

    def forgoes(self, asked: QuoteRequest) -> bool:
        """Tell whether a form leaves out a fee that was asked for and can be taken on this chain."""
        return bool(self.intake.charges) and self.is_direct(asked)

    def gross_for(self, net: int, *, direct: bool) -> int:
        """Return the amount before fees of which ``net`` is left."""
        return net if direct else gross_for(net, self.request.origin, self.terms)


async def pose(
    request: RouteRequest,
    tokens: TokenCatalog,
    integrators: IntegratorReader,
    fees: FeeSettings,
    deadline: int,
    patience_s: float,
) -> Question:
    """Settle a request; ``deadline`` in Unix seconds, ``patience_s`` how long the chains' nodes are awaited.

    Raise NotFound for a token that does not exist, InvalidRequest for what cannot be, AdaptersFailed when a node that
    is needed to know a token does not answer, StoreUnavailable when an integrator's fee needs the store.
    """
    (origin_token, destination_token), integrator = await asyncio.gather(
        _resolve(request, tokens, patience_s), _integrator(request, integrators)
    )
    if origin_token == destination_token:
        raise InvalidRequest(["destinationCurrency: must be another token than originCurrency"])
    chain = request.origin
    contracts = chain.type is ChainType.EVM and chain.diamond is not None and chain.executor is not None
    crossing = chain.id != request.destination.id
    refused = frozenset(
        address
        for address in (NATIVE_EVM, chain.diamond, chain.executor, origin_token.address, destination_token.address)
        if address is not None
    )
    name = request.integrator if integrator is None else integrator.name
    name_word(name or "", "integrator")
    terms = FeeTerms(fees, request.caller.rule or fees.rule, request.fee_share or Fraction(0), integrator, refused)
    _check_receiver(request, refused)
    # The service's contracts refuse to pay a placeholder, a bridge's own transaction would.
    lost = pays_nobody(request) and not nobody_sends(request) and (crossing or chain.type is ChainType.EVM)
    if lost and not contracts:
        raise InvalidRequest([_NOBODYS])
    kind = pair_kind(chain, origin_token, destination_token)
    intake = divide(request.amount, chain, terms) if contracts else _untouched(request)
    plain = QuoteRequest(
        origin=chain,
        destination=request.destination,
        origin_token=origin_token,
        destination_token=destination_token,
        amount=request.amount,
        sender=request.sender,
        receiver=request.receiver,
        caller=request.sender,
        recipient=request.receiver,
        slippage=min(permitted_loss(request, kind, None), _MOST_SLIPPAGE),
        deadline=deadline,
    )
    executor = chain.executor or request.sender
    recipient = request.receiver if crossing else executor
    routed = replace(plain, amount=intake.net, caller=executor, recipient=recipient) if contracts else None
    return Question(
        request,
        origin_token,
        destination_token,
        routed,
        plain if (crossing or routed is None) and not lost else None,
        kind,
        intake,
        terms,
        name,
    )


def nobody_sends(request: RouteRequest) -> bool:
    """Tell whether the sender is a placeholder: what is built for it is shown and never executed."""
    return request.origin.type is ChainType.EVM and is_nobodys(request.sender)


def pays_nobody(request: RouteRequest) -> bool:
    """Tell whether the receiver is a placeholder: what is built for it is shown, and reverts if it is executed."""
    return is_placeholder(request.destination.type, request.receiver)


def _check_receiver(request: RouteRequest, refused: frozenset[str]) -> None:
    """Refuse receivers that would lose the output; as the sender's own they are placeholders, and harmless."""
    if request.receiver == request.sender or request.destination.type is not ChainType.EVM:
        return
    if request.receiver in refused - {NATIVE_EVM}:
        raise InvalidRequest(["receiverAddress: must be a wallet, not a token of the route or the service's contract"])


def _untouched(request: RouteRequest) -> Intake:
    """Take nothing: in the direct form there is nobody to take it."""
    if not request.fee_share:
        return Intake(request.amount)
    return Intake(request.amount, warnings=(fee_skipped("this route does not go through the service's contract"),))


async def _resolve(request: RouteRequest, tokens: TokenCatalog, patience_s: float) -> tuple[Token, Token]:
    try:
        async with asyncio.timeout(patience_s):
            return await asyncio.gather(
                tokens.resolve(request.origin, request.origin_token),
                tokens.resolve(request.destination, request.destination_token),
            )
    except (TimeoutError, NodeUnavailable, NodeRefused) as error:
        raise AdaptersFailed("A chain's node does not answer, so a token is not known now; try again") from error


async def _integrator(request: RouteRequest, integrators: IntegratorReader) -> Integrator | None:
    """Find the integrator; without a fee the store is not worth failing for."""
    if request.integrator is None:
        return None
    own = request.caller.integrator
    if own is not None and own.name.casefold() == request.integrator.casefold():
        return own
    try:
        return await integrators(request.integrator)
    except StoreUnavailable:
        if request.fee_share:
            raise
        return None
