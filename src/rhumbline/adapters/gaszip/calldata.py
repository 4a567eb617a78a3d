"""Deposits, written as the contract and as the plain address take them.

Source, read 2026-11-21: the verified ``GasZipV2`` and the documentation's page on calldata. A short ID has two bytes.
An EVM address stands at the left of 32 bytes in the contract's call; the plain form says the sender by one byte.
"""

from rhumbline.gateways.evm.calldata import Function

DEPOSIT = Function("deposit(uint256,bytes32)")
_TO_SENDER, _TO_EVM = b"\x01", b"\x02"


def contract_call(short: int, receiver: str) -> bytes:
    """Return the contract's call that pays ``receiver`` on the chain of this short ID."""
    return DEPOSIT.encode(short, _address(receiver).ljust(32, b"\0"))


def plain_calls(short: int, sender: str, receiver: str) -> frozenset[bytes]:
    """Return the data that would say the same at the plain address, in each way that it can be said."""
    chain, named = short.to_bytes(2), _TO_EVM + _address(receiver)
    own = {_TO_SENDER + chain} if _address(sender) == _address(receiver) else set()
    return frozenset({named + chain, *own})


def _address(text: str) -> bytes:
    return bytes.fromhex(text[2:])
