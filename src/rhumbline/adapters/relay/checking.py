"""Compares Relay's answer with the request, field by field, and computes its fees."""

from collections.abc import Sequence

from rhumbline.adapters.relay.calldata import Deposit, Start, read_approval, read_start
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.gas_topup import payouts
from rhumbline.adapters.relay.order import order_id, signer_of
from rhumbline.adapters.relay.wire import (
    Call,
    Currency,
    Details,
    Fees,
    Order,
    Protocol,
    Refund,
    Step,
)
from rhumbline.domain.amount import share_down
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of, expect_within
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.upstreams.spec import read_answer

APPROVE = "approve"
MAIN = frozenset({"deposit", "swap"})
"""The names of the one transaction; others in the documentation need a signature, or pay somebody directly."""

_LONGEST_NAME = 20
LONGEST_ORDER_S = 8 * 86_400
"""Relay's orders and refunds end after seven days (a quote of 2026-10-03)."""


def check_terms(details: Details, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> int:
    """Compare the terms with the request, and return the least output that they guarantee (raw units).

    Raise UpstreamFailed where they differ, or guarantee less than the request's slippage lets be lost, rounded down.
    """
    sold, bought = details.currency_in, details.currency_out
    expect("sender", details.sender, request.sender)
    expect("receiver", details.recipient, request.payout_address)
    expect("origin chain", sold.currency.chain_id, places[0].relay_id)
    expect("destination chain", bought.currency.chain_id, places[1].relay_id)
    tokens = request.pair(places[0].native, places[1].native)
    expect("input token", sold.currency.address, tokens[0])
    expect("output token", bought.currency.address, tokens[1])
    expect("amount", sold.amount, request.amount)
    if bought.minimum_amount is None:
        raise UpstreamFailed("answered without a minimum")
    expect_at_least("minimum", bought.minimum_amount, share_down(bought.amount, 1 - request.slippage))
    expect_at_least("output", bought.amount, bought.minimum_amount)
    return bought.minimum_amount


def main_call(steps: Sequence[Step], request: QuoteRequest, place: Deployment) -> tuple[Step, Call]:
    """Return the one transaction to make, and its step; raise UpstreamFailed for more, or for other steps.

    Approvals may precede it, if they approve only the contract that it calls.
    """
    items = [(step, item) for step in steps for item in step.items]
    calls = []
    for step, item in items:
        if step.kind != "transaction" or step.id not in MAIN | {APPROVE}:
            raise UpstreamFailed("asks for a step that is not supported")
        call = read_answer(Call, item.data)
        expect("chain", call.chain_id, place.relay_id)
        calls.append((step, call))
    main = [(step, call) for step, call in calls if step.id in MAIN]
    if len(main) != 1 or calls[-1] != main[0]:
        raise UpstreamFailed("asks for other steps than approvals and one transaction")
    step, call = main[0]
    for _, approval in calls[:-1]:
        expect("token of an approval", approval.to, request.origin_token.address)
        expect("native value", approval.value, 0)
        expect("spender", read_approval(approval.data), call.to)
    return step, call


def check_call(call: Call, request: QuoteRequest, place: Deployment, marks: tuple[bytes, ...]) -> Start:
    """Decode the transaction and compare its input with the request; raise UpstreamFailed if they differ.

    ``marks`` may follow the arguments of a router call.
    """
    native = request.sells_native
    entries = {place.depository, place.router if native else place.approval_proxy}
    expect_one_of("contract", call.to, frozenset(entries))
    expect("native value", call.value, request.amount if native else 0)
    start = read_start(call.to, call.value, call.data, place, marks)
    expect("input token", start.token, request.origin_token.address)
    expect("amount", start.amount, request.amount)
    return start


async def check_transfer(
    start: Start,
    protocol: Protocol,
    request: QuoteRequest,
    places: tuple[Deployment, Deployment],
    minimum: int,
    now: int,
) -> None:
    """Compare the deposit with the order, the order with its signature, and its terms with the request.

    ``minimum`` is in raw units of the destination token, ``now`` in Unix seconds. Raise UpstreamFailed where they
    differ.
    """
    if start.deposit is None:
        raise UpstreamFailed("answered a transfer without a deposit")
    identifier = order_id(protocol.order_data)
    expect("order", protocol.order_id, "0x" + identifier.hex())
    expect("order of the deposit", start.deposit.identifier, identifier)
    expect("depositor", start.deposit.depositor, request.sender)
    if start.refund_to is not None:
        named = frozenset({request.sender, request.refund_address, places[0].solver})
        expect_one_of("refund address", start.refund_to, named)
    for payee in start.paid:
        # What a swap before the deposit leaves over is the wallet's.
        expect("receiver of what is left", payee, request.sender)
    expect("solver", protocol.order_data.solver, places[0].solver)
    expect("signer of the order", await signer_of(protocol), places[0].solver)
    _check_order(protocol.order_data, start.deposit, request, places, minimum)
    _check_times(protocol.order_data, now)
    _check_deposited(start, start.deposit, protocol.order_data.inputs[0].payment.amount, request)


def check_swap(start: Start, request: QuoteRequest, place: Deployment) -> None:
    """Compare a swap on one chain with the request; raise UpstreamFailed if they differ.

    The router pays only the caller, which forwards the output in the same transaction, and the wallet.
    """
    if start.deposit is not None or start.refund_to is None:
        raise UpstreamFailed("answered a deposit, not a swap")
    allowed = frozenset({request.sender, request.payout_address})
    expect_one_of("refund address", start.refund_to, allowed | {place.solver})
    for payee in start.paid:
        expect_one_of("receiver", payee, allowed)


def _check_deposited(start: Start, deposit: Deposit, ordered: int, request: QuoteRequest) -> None:
    """Require that all that is taken is deposited, or what a swap makes of it: no less than the order counts on.

    What needs no swap has no business in the router, where others may be paid before the deposit.
    """
    if start.refund_to is None:
        expect("amount of the order", ordered, request.amount)
    elif deposit.token == request.origin_token.address:
        raise UpstreamFailed("answered a call of the router where there is nothing to swap")
    elif deposit.amount is not None:
        expect_at_least("deposit", deposit.amount, ordered)


def _check_order(
    order: Order, deposit: Deposit, request: QuoteRequest, places: tuple[Deployment, Deployment], minimum: int
) -> None:
    origin, destination = places
    expect("version", order.version, "v1")
    if len(order.inputs) != 1 or order.output.calls or order.fees:
        raise UpstreamFailed("answered an order of another kind")
    (taken,), (paid, gas) = order.inputs, payouts(order, request, places)
    expect("origin chain", taken.payment.chain_id, origin.name)
    expect("token of the order", taken.payment.currency, deposit.token)
    if not any(refund.chain_id == origin.name for refund in taken.refunds):
        raise UpstreamFailed("answered an order without a refund")
    for refund in taken.refunds:
        _check_refund(refund, request, places)
    expect("destination chain", order.output.chain_id, destination.name)
    expect("receiver", paid.recipient, request.receiver)
    expect("output token", paid.currency, request.pair(origin.native, destination.native)[1])
    expect_at_least("minimum", paid.minimum_amount, minimum)
    # Nobody fills an order above the expected input, and a refund must not require more than was deposited.
    expect_at_most("minimum", paid.minimum_amount, paid.expected_amount)
    if gas is not None:
        expect_at_least("amount of native on arrival", gas.minimum_amount, request.destination_gas)
    for refund in taken.refunds:
        expect_at_most("minimum of a refund", refund.minimum_amount, taken.payment.amount)
    if not taken.payment.amount:
        raise UpstreamFailed("answered an order for nothing")


def _check_times(order: Order, now: int) -> None:
    """Require that an order expires within days, and a refund after that, within the same days."""
    expect_within("deadline of the order", order.output.deadline, now, now + LONGEST_ORDER_S)
    for refund in order.inputs[0].refunds:
        ends = order.output.deadline
        expect_within("deadline of a refund", refund.deadline, ends, now + LONGEST_ORDER_S)


def _check_refund(refund: Refund, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> None:
    """Require that refunds go to the wallet or whom the request names; on the destination also to the receiver."""
    if refund.chain_id == places[0].name:
        expect("refund address", refund.recipient, request.refund_address)
    else:
        expect("chain of a refund", refund.chain_id, places[1].name)
        expect_one_of("refund address", refund.recipient, frozenset({request.refund_address, request.receiver}))


def read_fees(fees: Fees, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> tuple[FeeItem, ...]:
    """Return the fees already deducted from the output.

    They are the relayer's two parts, or their sum if one is negative (a subsidy), and an app's fee. The API's ``gas``
    is the origin's transaction, which the wallet pays.
    """
    parts = ((FeeType.RELAYER_GAS, fees.relayer_gas), (FeeType.RELAYER_SERVICE, fees.relayer_service))
    stated = [(kind, fee) for kind, fee in parts if fee is not None]
    if len(stated) < len(parts) or any(fee.amount < 0 for _, fee in stated):
        stated = [] if fees.relayer is None else [(FeeType.RELAYER, fees.relayer)]
    if fees.app is not None:
        stated.append((FeeType.APP, fees.app))
    tokens = [(kind, fee.amount, _token(fee.currency, request, places)) for kind, fee in stated if fee.amount > 0]
    return tuple(FeeItem(kind, int(amount), token) for kind, amount, token in tokens if token is not None)


def _token(currency: Currency, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> Token | None:
    """Return the token of a fee, with our own metadata if it is one of ours; None for one of a third chain."""
    chains = (request.origin, request.destination)
    here = [sides for sides in zip(places, chains, strict=True) if sides[0].relay_id == currency.chain_id]
    for place, chain in here:
        if currency.address == place.native:
            return chain.native
        for token in (request.origin_token, request.destination_token):
            if token.chain_id == chain.id and token.address.lower() == currency.address.lower():
                return token
    if not here or not is_address(currency.address):
        return None
    symbol, name = currency.symbol[:_LONGEST_NAME], currency.name[:_LONGEST_NAME]
    return Token(here[0][1].id, checksummed(currency.address), symbol, currency.decimals, name, listed=False)
