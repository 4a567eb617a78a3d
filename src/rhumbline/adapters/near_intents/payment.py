"""The payment to a deposit address on an EVM chain, of the native asset or a token, without a memo."""

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import CallKind, EvmTransaction


def evm_payment(request: QuoteRequest, address: str, ends: int) -> EvmTransaction:
    """Return the payment of native currency as it is, of a token as a typed one."""
    native = request.sells_native
    return EvmTransaction(
        request.origin.id,
        address,
        request.amount if native else 0,
        b"",
        kind=CallKind.CALL if native else CallKind.PAY,
        reference=address,
        expires_at=ends,
        deposit=BridgeDeposit(request.origin_token.address, request.amount, (address,)),
    )
