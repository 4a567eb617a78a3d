"""Quotes and transactions of OKX DEX."""

from dataclasses import dataclass, field, replace
from typing import Any

from rhumbline.adapters.okx import solana
from rhumbline.adapters.okx.calldata import RouterSwap, read_swap
from rhumbline.adapters.okx.client import Seal, find_swap
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.percent import BPS, impact_bps, slippage_bps_of
from rhumbline.adapters.okx.routers import RouterProof
from rhumbline.adapters.okx.wire import SwapData
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_gas
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.upstreams.spec import AdapterContext

KEY = "OKX"
LOGO = "https://web3.okx.com/favicon.ico"
UNPROVABLE = (
    "OKX sets the deadline of its calls itself, and some have none: through the service's contract the contract's own "
    "deadline holds, in the direct form the later one does.",
    "Whether a route hangs on a market maker's offer cannot be read of its packed form: OKX is asked to have none.",
    "What a route's pools and their adapters do with the input, and who gets the share of what is above the quote: "
    "both are addresses in the call that only OKX knows. On EVM chains it can cost no more than the promise less the "
    "minimum; on Solana what else they take with the wallet's signature shows in the run, and is bounded at the "
    "transaction's end where there is room to assert it.",
    "On Solana, that the newest program fails below the minimum: its source is not published, so what arrives is "
    "asserted at the transaction's end, and without room for that believed by the run alone.",
)


@dataclass(frozen=True, slots=True)
class OkxAdapter:
    """The ``Adapter`` of OKX DEX: swaps on one chain, to anybody. Its upstream signs calls."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""
    proof: RouterProof = field(init=False, repr=False)
    """What chains say of routers that are not pinned."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "proof", RouterProof(self.context.clock))
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "OKX DEX", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of one chain with a deployment, but wrapping; on Solana by the wallet itself."""
        by_wallet = request.origin.type is ChainType.EVM or solana.supports(request)
        return request.origin.id in self.context.deployments and by_wallet and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Any]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the call guarantees, ``output_amount`` at most that above which OKX has a share.
        What pools keep is off already and is not itemised by the upstream.
        """
        place = self._place(request)
        if request.amount <= 0:
            raise RequestRejected("amount: it must be positive")
        if request.origin.type is ChainType.SVM:
            return await solana.quote(self.context, request)
        slippage = slippage_bps_of(request.slippage)
        found = await find_swap(self.context.http, request, _pair(request, place), slippage)
        swap, told = self._checked(found, request, place), found.router_result.to_token_amount
        await self._admit(found.tx.to, request, place)
        expect_at_most("minimum", swap.minimum, told)
        least = told * (BPS - slippage) // BPS
        if least == swap.minimum == 0:
            raise BelowMinimum("gives too little for a minimum", None)
        expect_at_least("minimum", swap.minimum, max(least, 1))
        output = told if swap.trimmed_above is None else min(told, swap.trimmed_above)
        return Quote(
            self.context.key,
            request,
            output,
            found,
            min_output_amount=swap.minimum,
            gas_units=_gas_units(found.router_result.estimate_gas_fee),
            price_impact_bps=impact_bps(found.router_result.price_impact_percent),
        )

    async def build(self, quote: Quote[Any], /) -> EvmTransaction | SvmDraft:
        """Return the quote's own call, read back once more; it asks nothing of OKX.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = quote.request, self._place(quote.request), quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        if request.origin.type is ChainType.SVM:
            return await solana.build(self.context, quote)
        found: SwapData = quote.payload
        swap = self._checked(found, request, place)
        if swap.minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        await self._admit(found.tx.to, request, place)
        native = request.origin_token.address == NATIVE_EVM
        earlier = swap.deadline is not None and swap.deadline < request.deadline
        return EvmTransaction(
            request.origin.id,
            found.tx.to,
            found.tx.value,
            found.tx.data,
            None if native else checksummed(place.token_approve),
            sweep_tokens=_sweep_tokens(swap, request, place),
            expires_at=swap.deadline if earlier else None,
        )

    def _place(self, request: QuoteRequest) -> Deployment:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]

    async def _admit(self, router: str, request: QuoteRequest, place: Deployment) -> None:
        """Raise UpstreamFailed unless a router is pinned, or on the list of what is approved, by the chain itself."""
        if router.lower() in {each.lower() for each in place.routers}:
            return
        rpc, approve = self.context.rpcs.get(request.origin.id), place.token_approve
        if rpc is None or not await self.proof.is_listed(request.origin.id, rpc, approve, router):
            raise UpstreamFailed("answered with a router that is not among those known")

    def _checked(self, found: SwapData, request: QuoteRequest, place: Deployment) -> RouterSwap:
        """Return the call of an answer; raise an AdapterError unless all of both is what was asked."""
        result, tx, (token_in, token_out) = found.router_result, found.tx, _pair(request, place)
        if result.from_token.is_honey_pot or result.to_token.is_honey_pot:
            raise NoRoute("calls a token a honeypot")
        native = request.origin_token.address == NATIVE_EVM
        expect("chain", str(result.chain_index), str(request.origin.id))
        expect("input token", result.from_token.token_contract_address, token_in)
        expect("output token", result.to_token.token_contract_address, token_out)
        expect("amount", result.from_token_amount, request.amount)
        expect("caller", tx.sender, request.taker)
        expect("native value", tx.value, request.amount if native else 0)
        swap = read_swap(tx.data)
        _check_call(swap, request, token_in, token_out)
        if swap.deadline is not None and swap.deadline <= self.context.clock().timestamp():
            raise UpstreamFailed("answered a call whose deadline has passed")
        return swap


def okx_adapter(context: AdapterContext[Deployment]) -> OkxAdapter:
    """Make the adapter of parts whose credentials have the ``secret``; its calls are signed."""
    return OkxAdapter(sealed(context))


def sealed(context: AdapterContext[Deployment]) -> AdapterContext[Deployment]:
    """Return the parts with an upstream that signs."""
    return replace(context, http=replace(context.http, sign=Seal(context.credentials["secret"], context.clock)))


def _gas_units(said: object) -> int | None:
    """Read an amount of gas, which only weighs quotes: whatever else is there is left alone."""
    units = int(said) if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) < 19 else None
    return expect_gas(units)


def _pair(request: QuoteRequest, place: Deployment) -> tuple[str, str]:
    def own(token: Token) -> str:
        return (place.native if token.address == NATIVE_EVM else token.address).lower()

    return own(request.origin_token), own(request.destination_token)


def _check_call(swap: RouterSwap, request: QuoteRequest, token_in: str, token_out: str) -> None:
    """Raise UpstreamFailed unless a call sells all of that for that receiver; its minimum is the caller's to judge."""
    if swap.token_out is None and request.taker == request.sender:
        raise NoRoute("has only a route whose call does not say which token comes out")
    expect("input token", swap.token_in or token_in, token_in)
    expect("output token", swap.token_out or token_out, token_out)
    expect("amount", swap.amount, request.amount)
    expect("receiver", swap.receiver or request.taker, request.payout_address)
    if swap.trimmed_above is not None:
        expect_at_least("amount without a share for OKX", swap.trimmed_above, swap.minimum)


def _sweep_tokens(swap: RouterSwap, request: QuoteRequest, place: Deployment) -> tuple[str, ...]:
    """Return what the call may leave with its caller besides what it sold: pools that run dry give back the rest."""
    ends = set(_pair(request, place))
    native = place.native.lower() in ends
    wrapped = (request.origin.wrapped_native,) if native and request.origin.wrapped_native is not None else ()
    tokens = [checksummed(token) for token in swap.passed if token not in ends | {place.native.lower()}]
    return tuple(dict.fromkeys((*tokens, *wrapped)))
