"""The checks of OKX's answers for EVM chains. Pure."""

from rhumbline.adapters.okx.calldata import RouterSwap, read_swap
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.wire import EXACT_OUT, RouterResult, SwapData
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.upstreams.fields import EvmAddress


def check_answer(found: SwapData, request: QuoteRequest, place: Deployment, clock: Clock) -> RouterSwap:
    """Return the call of an answer; raise an AdapterError unless all of both is what was requested.

    The caller checks its router and its minimum.
    """
    result, tx, (token_in, token_out) = found.router_result, found.tx, request.pair(place.native)
    if result.from_token.is_honey_pot or result.to_token.is_honey_pot:
        raise NoRoute("calls a token a honeypot")
    expect("chain", str(result.chain_index), str(request.origin.id))
    expect("input token", result.from_token.token_contract_address, token_in)
    expect("output token", result.to_token.token_contract_address, token_out)
    expect("amount", result.from_token_amount, request.amount)
    expect("caller", tx.sender, request.taker)
    expect("native value", tx.value, request.amount if request.sells_native else 0)
    swap = read_swap(tx.data)
    if swap.token_out is None and request.taker == request.sender:
        raise NoRoute("has only a route whose call does not say which token comes out")
    expect("input token", swap.token_in or token_in, token_in)
    expect("output token", swap.token_out or token_out, token_out)
    expect("amount", swap.amount, request.amount)
    expect("receiver", swap.receiver or request.taker, request.payout_address)
    if swap.trimmed_above is not None:
        expect_at_least("amount without a share for OKX", swap.trimmed_above, swap.minimum)
    if swap.deadline is not None and swap.deadline <= clock().timestamp():
        raise UpstreamFailed("answered a call whose deadline has passed")
    return swap


def checked_input(found: RouterResult[EvmAddress], request: QuoteRequest, place: Deployment, output: int) -> int:
    """Return the input of an answer to a question for ``output`` raw units; raise UpstreamFailed for another answer."""
    token_in, token_out = request.pair(place.native)
    expect("mode", found.swap_mode, EXACT_OUT)
    expect("chain", str(found.chain_index), str(request.origin.id))
    expect("input token", found.from_token.token_contract_address, token_in)
    expect("output token", found.to_token.token_contract_address, token_out)
    expect_at_least("output", found.to_token_amount, output)
    return found.from_token_amount


def sweep_tokens(swap: RouterSwap, request: QuoteRequest, place: Deployment) -> tuple[str, ...]:
    """Return the tokens that the call may leave with its caller besides the input: empty pools return the rest."""
    native = place.native.lower()
    ends = {token.lower() for token in request.pair(native)}
    wrapped = (request.origin.wrapped_native,) if native in ends and request.origin.wrapped_native is not None else ()
    tokens = [checksummed(token) for token in swap.passed if token not in ends | {native}]
    return tuple(dict.fromkeys((*tokens, *wrapped)))
