"""The deposit into a SpokePool on an EVM chain, and how a run of it shows what the pool took."""

from types import MappingProxyType

from rhumbline.adapters.across.bytes32 import evm_address
from rhumbline.adapters.across.calldata import DepositCall, decode, encode
from rhumbline.adapters.across.checking import deposit_of
from rhumbline.adapters.across.logs import FUNDS_DEPOSITED
from rhumbline.adapters.across.route import DepositTerms, Route
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import MalformedAnswer

_INPUT_AMOUNT = 2
"""The words of the event's data by their number: tokens, amounts, times, recipient, relayer, the message's length."""


def bridge_deposit(pool: str, call: DepositCall) -> BridgeDeposit:
    """Return a deposit as the pool's event tells it, but for its number: exactly the call's amount.

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


def evm_deposit(request: QuoteRequest, route: Route, terms: DepositTerms) -> EvmTransaction:
    """Return the transaction of a deposit; raise UpstreamFailed where its calldata does not say what was asked.

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
        deposit=bridge_deposit(pool, call),
        destination_call=paid if request.message else None,
    )
