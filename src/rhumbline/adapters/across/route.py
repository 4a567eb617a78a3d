"""Both ends of a deposit, what moves between them, and what Across decided about it."""

from dataclasses import dataclass

from rhumbline.adapters.across.deployments import Deployment
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.address import is_address


@dataclass(frozen=True, slots=True)
class Route:
    """Both ends of a request. The tokens are those that are bridged: the wrapped one where the native was asked for."""

    origin: Deployment
    destination: Deployment
    input_token: str
    output_token: str


@dataclass(frozen=True, slots=True)
class DepositTerms:
    """The payload of a quote: what Across decided about the deposit. Times in Unix seconds.

    ``expires_at`` is until when the API honours it, None when it does not say.
    """

    output_amount: int
    quote_timestamp: int
    fill_deadline: int
    exclusive_relayer: bytes
    exclusivity: int
    expires_at: int | None = None


def route_of(request: QuoteRequest, places: tuple[Deployment, Deployment] | None) -> Route | None:
    """Return the route of a request between two chains, None where there is none: native EVM assets go, SOL does not.

    Messages go to EVM chains only; on Solana the wallet itself deposits.
    """
    if places is None or request.origin.id == request.destination.id:
        return None
    if request.message and request.destination.type is not ChainType.EVM:
        return None
    by_wallet = request.taker == request.sender and is_address(request.sender)
    if request.origin.type is ChainType.SVM and not by_wallet:
        return None
    given = _bridged(request.origin, request.origin_token)
    wanted = _bridged(request.destination, request.destination_token)
    return None if given is None or wanted is None else Route(*places, given, wanted)


def arrives_wrapped_or_native(request: QuoteRequest) -> bool | None:
    """Tell whether the output is the token that a pool unwraps for some receivers; None where the pool has to say it.

    Which one that is is not known here of every chain.
    """
    chain = request.destination
    if chain.type is not ChainType.EVM:
        return False
    if request.destination_token.address in (NATIVE_EVM, chain.wrapped_native):
        return True
    return None if chain.wrapped_native is None else False


def _bridged(chain: Chain, token: Token) -> str | None:
    """Return the token that a deposit moves, for the native asset its wrapping; None where none is known."""
    if token.address == NATIVE_SVM:
        return None
    return chain.wrapped_native if token.address == NATIVE_EVM else token.address
