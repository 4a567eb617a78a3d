"""Deposits, written as the contract and as the plain address take them, and how a run shows one.

Source, read 2026-11-21: the verified ``GasZipV2`` and the documentation's page on calldata. A short ID has two bytes.
An EVM address stands at the left of 32 bytes in the contract's call, a Solana address fills them; the plain form says
the sender by one byte.
"""

from types import MappingProxyType

from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.svm.address import decode_address

DEPOSIT = Function("deposit(uint256,bytes32)")
DEPOSITED = topic("Deposit(address,uint256,uint256,bytes32)")
"""``from``, ``chains``, ``amount`` and ``to``, none of them indexed."""
_TO_SENDER, _TO_EVM, _TO_SOLANA = b"\x01", b"\x02", b"\x03"


def contract_call(short: int, receiver: str) -> bytes:
    """Return the contract's call that pays ``receiver`` on the chain of this short ID."""
    return DEPOSIT.encode(short, _padded(receiver))


def deposit_of(contract: str, short: int, request: QuoteRequest) -> BridgeDeposit:
    """Return the deposit of a contract's call by the wallet itself: it keeps the native asset."""
    words = {0: _address(request.sender).rjust(32, b"\0"), 1: short.to_bytes(32), 3: _padded(request.receiver)}
    log = LogPattern(contract, (DEPOSITED,), MappingProxyType(words), amount_at=2)
    return BridgeDeposit(request.origin_token.address, request.amount, (contract,), log)


def plain_calls(short: int, sender: str, receiver: str) -> frozenset[bytes]:
    """Return the data that would say the same at the plain address, in each way that it can be said."""
    chain, to = short.to_bytes(2), _address(receiver)
    if len(to) == 32:
        return frozenset({_TO_SOLANA + to + chain})
    own = {_TO_SENDER + chain} if _address(sender) == to else set()
    return frozenset({_TO_EVM + to + chain, *own})


def _padded(receiver: str) -> bytes:
    return _address(receiver).ljust(32, b"\0")


def _address(text: str) -> bytes:
    return bytes.fromhex(text[2:]) if is_address(text) else decode_address(text)
