"""The context of a request, settled before an adapter is asked: tokens, forms, fees, deadline. Pure."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rhumbline.domain.chain import ChainType
from rhumbline.domain.pauses import NOTHING_PAUSED, Pauses
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteRequest, RouteWarning
from rhumbline.domain.token import Token
from rhumbline.domain.unowned_addresses import is_placeholder
from rhumbline.routing.fees import FeeTerms, Intake, gross_for
from rhumbline.routing.quote_prices import PriceReader, no_prices
from rhumbline.routing.slippage import PairKind, permitted_loss

SYSTEM_ACCOUNT_SKIPPED = "SOLANA_SYSTEM_ACCOUNT_SKIPPED"


@dataclass(frozen=True, slots=True)
class TokenPair:
    """The tokens that are sold and bought, and the kind of the pair."""

    origin: Token
    destination: Token
    kind: PairKind


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask for a request. ``request`` goes to the adapters, ``intake`` is the input's division for it.

    In a ``direct`` form the wallet makes the upstream's own transaction, which takes no fees: there are no ``terms``.
    ``forgoes_fee``: a fee was requested which another form takes, so this one must not win by its absence.
    """

    request: QuoteRequest
    intake: Intake
    terms: FeeTerms | None
    forgoes_fee: bool = False

    def gross_for(self, net: int) -> int:
        return net if self.terms is None else gross_for(net, self.request.origin, self.terms)


@dataclass(frozen=True)
class QuoteContext:
    """A prepared request: ``forms`` to ask in, best first; ``integrator`` as registered.

    ``prices`` and ``pauses``, the operator's, are used for the whole answer.
    """

    request: RouteRequest
    pair: TokenPair
    forms: tuple[Form, ...]
    integrator: str | None
    prices: PriceReader = no_prices
    pauses: Pauses = NOTHING_PAUSED

    @cached_property
    def crossing(self) -> bool:
        return self.request.origin.id != self.request.destination.id

    @cached_property
    def shown_only(self) -> bool:
        """Return whether a placeholder sends or receives: the answer is for display, and nothing is stored."""
        request = self.request
        ends = ((request.origin, request.sender), (request.destination, request.receiver))
        return any(is_placeholder(chain.type, wallet) for chain, wallet in ends)

    @property
    def warnings(self) -> tuple[RouteWarning, ...]:
        """Warn if a Solana address that nobody owns is used as a wallet."""
        if not self.shown_only:
            return ()
        ends = {"sender": self.request.sender, "receiver": self.request.receiver}
        named = " and the ".join(end for end, wallet in ends.items() if is_placeholder(ChainType.SVM, wallet))
        if not named:
            return ()
        shown = "is not a wallet (Solana's System Program or incinerator): the answer is for display only."
        return (RouteWarning(SYSTEM_ACCOUNT_SKIPPED, f"The {named} {shown}"),)

    def form_of(self, quote_request: QuoteRequest) -> Form:
        return next(form for form in self.forms if form.request == quote_request)


def sends_nobody(request: RouteRequest) -> bool:
    """Return whether the sender is a placeholder: the transaction is for display only."""
    return is_placeholder(request.origin.type, request.sender)


def pays_nobody(request: RouteRequest) -> bool:
    """Return whether the receiver is a placeholder: the transaction is for display, and reverts if executed."""
    return is_placeholder(request.destination.type, request.receiver)


_MOST_SLIPPAGE = Fraction(9_999, 10_000)
"""The largest slippage in requests to upstreams: with 100 % the minimum would be 0, which protects nothing."""


def wallets_own(request: RouteRequest, pair: TokenPair, deadline: int) -> QuoteRequest:
    """Return the question for a wallet that makes the upstream's transaction itself; ``deadline`` in Unix seconds."""
    return QuoteRequest(
        origin=request.origin,
        destination=request.destination,
        origin_token=pair.origin,
        destination_token=pair.destination,
        amount=request.amount,
        sender=request.sender,
        receiver=request.receiver,
        taker=request.sender,
        payout_address=request.receiver,
        slippage=min(permitted_loss(request, pair.kind, None), _MOST_SLIPPAGE),
        deadline=deadline,
        destination_gas=request.destination_gas,
        calls_on_arrival=request.destination_call is not None,
        refund_to=request.refund_to,
    )
