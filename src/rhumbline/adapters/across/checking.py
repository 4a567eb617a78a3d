"""Compares a quote, in either form of the API, with the request, and makes the deposit of it.

Pure; with the deposit goes how a run of it shows what the pool took.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.across.bytes32 import evm_address, to_word
from rhumbline.adapters.across.calldata import DepositCall, decode, decode_tagged, encode
from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.logs import FUNDS_DEPOSITED
from rhumbline.adapters.across.route import DepositTerms, Route
from rhumbline.adapters.across.svm.deposit import read_transaction
from rhumbline.adapters.across.wire import Approval, Place, SuggestedFees
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_most
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.upstreams.estimates import estimated_seconds

KEY = "ACROSS"
GAS_UNITS: Mapping[ChainType, int] = MappingProxyType({ChainType.EVM: 120_000, ChainType.SVM: 80_000})
"""The approximate gas of a deposit."""
_BARE = "bridgeableToBridgeable"
_NOBODY = bytes(32)
_INPUT_AMOUNT = 2
"""The words of the event's data by their number: tokens, amounts, times, recipient, relayer, the message's length."""


def quote_of_fees(request: QuoteRequest, route: Route, fees: SuggestedFees) -> Quote[DepositTerms]:
    """Make a quote of ``/suggested-fees``; raise BelowMinimum, NoRoute or UpstreamFailed."""
    if fees.is_amount_too_low or request.amount < fees.limits.min_deposit:
        least = fees.limits.min_deposit
        # A route that would be unsuitable anyway is not the reason.
        raise BelowMinimum("the amount is too low for the fees", least if least > request.amount else None)
    if request.amount > fees.limits.max_deposit:
        raise NoRoute("the amount is above what the route takes")
    _expect_place("input token", fees.input_token, route.input_token, route.origin)
    _expect_place("output token", fees.output_token, route.output_token, route.destination)
    expect("SpokePool", fees.spoke_pool, route.origin.spoke_pool)
    expect("destination SpokePool", fees.destination_spoke_pool, route.destination.spoke_pool)
    terms = DepositTerms(
        fees.output_amount, fees.timestamp, fees.fill_deadline, fees.exclusive_relayer, fees.exclusivity
    )
    parts = ((FeeType.LP, fees.lp.total), (FeeType.CAPITAL, fees.capital.total), (FeeType.RELAYER_GAS, fees.gas.total))
    return _quote(request, terms, parts, fees.fill_time)


def quote_of_approval(request: QuoteRequest, route: Route, answer: Approval) -> Quote[DepositTerms]:
    """Make a quote of ``/swap/approval``, reading the terms out of its calldata; raise NoRoute or UpstreamFailed.

    The transaction is compared with the request although it is not handed out: an API that errs in it errs.
    """
    steps, bridge, pool = answer.steps, answer.steps.bridge, route.origin.spoke_pool
    if bridge.provider != "across" or steps.origin_swap is not None or steps.destination_swap is not None:
        raise NoRoute("only by way of a swap or another bridge")
    if answer.cross_swap_type != _BARE:
        raise NoRoute("only by way of another contract")
    _expect_place("input token", answer.input_token, route.input_token, route.origin)
    _expect_place("refund token", answer.refund_token, route.input_token, route.origin)
    _expect_place("input token", bridge.token_in, route.input_token, route.origin)
    _expect_place("output token", bridge.token_out, route.output_token, route.destination)
    # Of the native asset the API's documents show the wrapped token's address too.
    native = request.buys_native and answer.output_token.address == NATIVE_EVM
    _expect_place("output token", answer.output_token, NATIVE_EVM if native else route.output_token, route.destination)
    for amount in (answer.input_amount, bridge.input_amount):
        expect("amount", amount, request.amount)
    expect("entry", answer.swap_tx.to, pool)
    expect("spender", answer.checks.allowance.spender, pool)
    expect("chain", answer.swap_tx.chain_id, route.origin.chain_id)
    expect("value", answer.swap_tx.value or 0, 0)
    try:
        # The API's transaction, in its form on the origin's type of chain.
        call = (
            read_transaction(answer.swap_tx.data, pool, request.sender, request.origin_token.decimals)
            if request.origin.type is ChainType.SVM
            else decode_tagged(answer.swap_tx.calldata())
        )
    except (MalformedAnswer, ValueError) as error:
        raise UpstreamFailed("answered a transaction that is no deposit") from error
    _expect_call(request, route, call)
    for output in (answer.expected_output, answer.min_output, bridge.output_amount):
        expect("output", call.output_amount, output)
    terms = DepositTerms(
        call.output_amount,
        call.quote_timestamp,
        call.fill_deadline,
        call.exclusive_relayer,
        call.exclusivity,
        answer.expiry or None,
    )
    details = bridge.fees.details
    parts: tuple[tuple[FeeType, int], ...] = ((FeeType.RELAYER, bridge.fees.amount),)
    if details is not None:
        parts = (
            (FeeType.LP, details.lp.raw),
            (FeeType.CAPITAL, details.capital.raw),
            (FeeType.RELAYER_GAS, details.gas.raw),
        )
    return _quote(request, terms, parts, answer.fill_time)


def deposit_of(request: QuoteRequest, route: Route, terms: DepositTerms) -> DepositCall:
    """Return the deposit of a quote: exactly what was asked, on Across's terms."""
    return DepositCall(
        to_word(request.refund_address),
        to_word(request.payout_address),
        to_word(route.input_token),
        to_word(route.output_token),
        request.amount,
        terms.output_amount,
        route.destination.chain_id,
        terms.exclusive_relayer,
        terms.quote_timestamp,
        terms.fill_deadline,
        terms.exclusivity,
        request.message,
    )


def evm_deposit(request: QuoteRequest, route: Route, terms: DepositTerms) -> EvmTransaction:
    """Return the transaction of a deposit; raise UpstreamFailed if its calldata differs from the request.

    There is no reference: the pool numbers its deposits when they are mined.
    """
    pool, call = route.origin.spoke_pool, deposit_of(request, route, terms)
    data = encode(call)
    try:
        same = decode(data) == call
    except MalformedAnswer:
        same = False
    if not same:
        raise UpstreamFailed("the deposit does not say what was asked")
    native = request.sells_native
    paid = DestinationCall(request.payout_address, route.output_token, call.output_amount, call.message)
    return EvmTransaction(
        request.origin.id,
        pool,
        request.amount if native else 0,
        data,
        spender=None if native else pool,
        expires_at=terms.expires_at,
        deposit=_bridge_deposit(pool, call),
        destination_call=paid if request.message else None,
    )


def _bridge_deposit(pool: str, call: DepositCall) -> BridgeDeposit:
    """Return a deposit as the pool's event shows it, without its number: exactly the call's amount.

    Given the native asset, the pool wraps it and gains the wrapped token.
    """
    words = {
        0: call.input_token,
        1: call.output_token,
        3: call.output_amount.to_bytes(32),
        4: call.quote_timestamp.to_bytes(32),
        5: call.fill_deadline.to_bytes(32),
        7: call.recipient,
        8: call.exclusive_relayer,
        10: len(call.message).to_bytes(32),
    }
    log = LogPattern(
        pool,
        (FUNDS_DEPOSITED, call.destination.to_bytes(32), None, call.depositor),
        MappingProxyType(words),
        _INPUT_AMOUNT,
    )
    return BridgeDeposit(evm_address(call.input_token), call.input_amount, (pool,), log)


def _quote(
    request: QuoteRequest, terms: DepositTerms, parts: tuple[tuple[FeeType, int], ...], seconds: int
) -> Quote[DepositTerms]:
    if not terms.output_amount:
        raise BelowMinimum("the output would be less than one unit")
    # No relayer fills at a loss: such a deposit would stay until it expires.
    expect_at_most("output", terms.output_amount, _in_output_units(request))
    if terms.exclusivity and terms.exclusive_relayer == _NOBODY:
        raise UpstreamFailed("answered an exclusivity for nobody")
    return Quote(
        KEY,
        request,
        terms.output_amount,
        terms,
        min_output_amount=terms.output_amount,
        fees=tuple(FeeItem(kind, amount, request.origin_token) for kind, amount in parts),
        seconds=estimated_seconds(seconds),
        gas_units=GAS_UNITS[request.origin.type],
        # It is in the deposit, and a fill with less is none.
        assured_output=terms.output_amount,
    )


def _in_output_units(request: QuoteRequest) -> int:
    """Return the input counted in the output token's units, rounded down; both are one asset."""
    origin_unit, destination_unit = (
        int(10**token.decimals) for token in (request.origin_token, request.destination_token)
    )
    return request.amount * destination_unit // origin_unit


def _expect_place(what: str, found: Place, token: str, deployment: Deployment) -> None:
    expect(what, found.address, token)
    expect(f"chain of the {what}", found.chain_id, deployment.chain_id)


def _expect_call(request: QuoteRequest, route: Route, call: DepositCall) -> None:
    expect("depositor", call.depositor, to_word(request.refund_address))
    expect("recipient", call.recipient, to_word(request.payout_address))
    expect("input token", call.input_token, to_word(route.input_token))
    expect("output token", call.output_token, to_word(route.output_token))
    expect("amount", call.input_amount, request.amount)
    expect("destination", call.destination, route.destination.chain_id)
    expect("message", call.message, b"")
