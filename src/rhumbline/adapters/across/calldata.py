"""Deposits into a SpokePool, written and read back.

Source: SpokePool.sol of @across-protocol/contracts 5.0.27 (``deposit``, ``depositV3``) and ``api/_integrator-id.ts`` of
the API's source (what it appends to calldata), both read 2026-11-21.
"""

import re
from dataclasses import dataclass
from typing import Any

from rhumbline.adapters.across.bytes32 import evm_address, is_evm, to_word
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function

_REST = "uint256,uint256,uint256,{account},uint32,uint32,uint32,bytes"
DEPOSIT = Function(f"deposit(bytes32,bytes32,bytes32,bytes32,{_REST.format(account='bytes32')})")
"""Accounts in 32 bytes: for any destination."""
DEPOSIT_V3 = Function(f"depositV3(address,address,address,address,{_REST.format(account='address')})")
"""The same between EVM chains, in less calldata."""

_TAGS = re.compile(rb"(\x1d\xc0\xde..)?(\x73\xc0\xde)?", re.DOTALL)
"""Tags that the API appends: an integrator's of two bytes, and the Swap API's own."""


@dataclass(frozen=True, slots=True)
class DepositCall:
    """A deposit's arguments: accounts in 32 bytes, amounts in raw units, times in Unix seconds.

    ``destination`` is Across's number of the chain. ``exclusivity`` is a span in seconds up to a year, a time above.
    """

    depositor: bytes
    recipient: bytes
    input_token: bytes
    output_token: bytes
    input_amount: int
    output_amount: int
    destination: int
    exclusive_relayer: bytes
    quote_timestamp: int
    fill_deadline: int
    exclusivity: int
    message: bytes = b""


def encode(call: DepositCall) -> bytes:
    """Write a deposit: ``depositV3`` where every account is an EVM address, else ``deposit``."""
    accounts = (call.depositor, call.recipient, call.input_token, call.output_token)
    amounts = (call.input_amount, call.output_amount, call.destination)
    terms = (call.quote_timestamp, call.fill_deadline, call.exclusivity, call.message)
    if all(map(is_evm, (*accounts, call.exclusive_relayer))):
        return DEPOSIT_V3.encode(*map(evm_address, accounts), *amounts, evm_address(call.exclusive_relayer), *terms)
    return DEPOSIT.encode(*accounts, *amounts, call.exclusive_relayer, *terms)


def decode(data: bytes) -> DepositCall:
    """Read calldata that is exactly a deposit; raise MalformedAnswer for any other."""
    function = DEPOSIT_V3 if data[:4] == DEPOSIT_V3.selector else DEPOSIT
    return _read(function.decode(data))


def decode_tagged(data: bytes) -> DepositCall:
    """Read the API's calldata: a deposit and nothing after it but the marks it is known to append."""
    function = DEPOSIT_V3 if data[:4] == DEPOSIT_V3.selector else DEPOSIT
    values = function.decode_loosely(data)
    exact = function.encode(*values)
    if not data.startswith(exact) or not _TAGS.fullmatch(data[len(exact) :]):
        raise MalformedAnswer("a deposit with something unknown after it")
    return _read(values)


def _read(values: tuple[Any, ...]) -> DepositCall:
    *accounts, input_amount, output_amount, destination, relayer, quoted, fill, exclusivity, message = values
    # One function has addresses, the other 32 bytes.
    depositor, recipient, input_token, output_token, relayer = (
        each if isinstance(each, bytes) else to_word(each) for each in (*accounts, relayer)
    )
    return DepositCall(
        *(depositor, recipient, input_token, output_token, input_amount, output_amount, destination, relayer),
        *(quoted, fill, exclusivity, message),
    )
