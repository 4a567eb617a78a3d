"""Both ends of a deposit, its tokens, and the terms that Across set."""

from dataclasses import dataclass

from rhumbline.adapters.across.deployments import Deployment
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.address import is_address


@dataclass(frozen=True, slots=True)
class Route:
    """Both ends of a request. The tokens are the bridged ones: the wrapped token for the native asset."""

    origin: Deployment
    destination: Deployment
    input_token: str
    output_token: str


@dataclass(frozen=True, slots=True)
class DepositTerms:
    """The payload of a quote: Across's terms for the deposit. Times in Unix seconds.

    ``expires_at`` is until when the API honours it, None when it does not say.
    """

    output_amount: int
    quote_timestamp: int
    fill_deadline: int
    exclusive_relayer: bytes
    exclusivity: int
    expires_at: int | None = None


def route_of(request: QuoteRequest, places: tuple[Deployment, Deployment] | None) -> Route | None:
    """Return the route of a request between two chains, None without one: native EVM assets are bridged, SOL is not.

    Messages go to EVM chains only; on Solana the wallet itself deposits.
    """
    if places is None or request.origin.id == request.destination.id:
        return None
    if request.message and request.destination.type is not ChainType.EVM:
        return None
    by_wallet = request.taker == request.sender and is_address(request.sender)
    if request.origin.type is ChainType.SVM and not by_wallet:
        return None
    input_token = _bridged(request.origin, request.origin_token)
    output_token = _bridged(request.destination, request.destination_token)
    return None if input_token is None or output_token is None else Route(*places, input_token, output_token)


def arrives_wrapped_or_native(request: QuoteRequest) -> bool | None:
    """Return whether the output is the token that a pool unwraps for some receivers; None if the pool must be asked.

    On some chains that token is not known here.
    """
    chain = request.destination
    if chain.type is not ChainType.EVM:
        return False
    if request.destination_token.address in (NATIVE_EVM, chain.wrapped_native):
        return True
    return None if chain.wrapped_native is None else False


def _bridged(chain: Chain, token: Token) -> str | None:
    """Return the token that a deposit moves, for the native asset its wrapped token; None if unknown."""
    if token.address == NATIVE_SVM:
        return None
    return chain.wrapped_native if token.address == NATIVE_EVM else token.address
