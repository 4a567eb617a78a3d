"""A request with everything settled before an adapter is asked: tokens, forms, fees, deadline. Pure."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rhumbline.domain.chain import ChainType
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
    """What is sold and what is bought, and what kind of pair that is."""

    origin: Token
    destination: Token
    kind: PairKind


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask for a request. ``request`` is what adapters are asked, ``intake`` how the input is divided for it.

    In a ``direct`` form the wallet makes the upstream's own transaction, of which nobody takes a fee: there are no
    ``terms``. ``forgoes_fee`` tells that a fee was asked for which another form takes: it must never win by that.
    """

    request: QuoteRequest
    intake: Intake
    terms: FeeTerms | None
    forgoes_fee: bool = False

    @property
    def direct(self) -> bool:
        return self.terms is None

    def gross_for(self, net: int) -> int:
        return net if self.terms is None else gross_for(net, self.request.origin, self.terms)


@dataclass(frozen=True)
class QuoteContext:
    """A request as it was prepared: ``forms`` to ask in, the better one first; ``integrator`` as it is registered.

    ``prices`` are those that its whole answer is made with.
    """

    request: RouteRequest
    pair: TokenPair
    forms: tuple[Form, ...]
    integrator: str | None
    prices: PriceReader = no_prices

    @cached_property
    def crossing(self) -> bool:
        return self.request.origin.id != self.request.destination.id

    @cached_property
    def shown_only(self) -> bool:
        """Tell whether a placeholder sends or receives: what is built is there to be shown, and nothing is kept."""
        return sends_nobody(self.request) or pays_nobody(self.request)

    @property
    def warnings(self) -> tuple[RouteWarning, ...]:
        """Say that an address of Solana that is nobody's stands for a wallet, where it does."""
        ends = {"sender": self.request.sender, "receiver": self.request.receiver}
        named = " and the ".join(end for end, wallet in ends.items() if is_placeholder(ChainType.SVM, wallet))
        if not named:
            return ()
        shown = "is nobody's wallet (Solana's System Program or incinerator): the answer can be shown, not executed."
        return (RouteWarning(SYSTEM_ACCOUNT_SKIPPED, f"The {named} {shown}"),)

    def form_of(self, asked: QuoteRequest) -> Form:
        return next(form for form in self.forms if form.request == asked)


def sends_nobody(request: RouteRequest) -> bool:
    """Tell whether the sender is a placeholder: what is built for it is shown and never executed."""
    return is_placeholder(request.origin.type, request.sender)


def pays_nobody(request: RouteRequest) -> bool:
    """Tell whether the receiver is a placeholder: what is built for it is shown, and reverts if it is executed."""
    return is_placeholder(request.destination.type, request.receiver)


_MOST_SLIPPAGE = Fraction(9_999, 10_000)
"""What upstreams are asked for at the most: with all of it a minimum of nothing would be promised, which is none."""


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
    )
