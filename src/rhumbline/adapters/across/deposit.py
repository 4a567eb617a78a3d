"""How a run of a deposit shows what the SpokePool took."""

from types import MappingProxyType

from rhumbline.adapters.across.bytes32 import evm_address
from rhumbline.adapters.across.calldata import DepositCall
from rhumbline.adapters.across.logs import FUNDS_DEPOSITED
from rhumbline.domain.deposit import BridgeDeposit, LogPattern

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
