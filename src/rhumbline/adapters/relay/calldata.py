"""Decodes the transactions that Relay makes: deposits and calls of its router.

Source, read 2026-11-21: relay-depository (``RelayDepository.sol``), relay-periphery v3 (``RelayRouterV3.sol``,
``RelayApprovalProxyV3.sol``), and a transaction that Relay made in 2026-10. Relay marks a router call with the order's
ID, after the arguments; nothing unknown may follow them. The router's calls to exchanges are not decoded, because there
are many exchanges. What the router does after them is rewritten in ``router_call``.
"""

from dataclasses import dataclass, replace
from typing import Any

from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import same
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function

APPROVE = Function("approve(address,uint256)")
DEPOSIT_NATIVE = Function("depositNative(address,bytes32)")
DEPOSIT_TOKEN = Function("depositErc20(address,address,uint256,bytes32)")
DEPOSIT_ALLOWANCE = Function("depositErc20(address,address,bytes32)")
"""Deposits the whole allowance: sound only if the router sets it in the same call."""
PROXIED = Function(
    "transferAndMulticall(address[],uint256[],(address,bool,uint256,bytes)[],address,address,bytes)",
)
MULTICALL = Function("multicall((address,bool,uint256,bytes)[],address,address,bytes)")
CLEAN_TOKENS = Function("cleanupErc20s(address[],address[],uint256[],bytes)")
CLEAN_NATIVE = Function("cleanupNative(uint256,address,bytes)")
CLEAN_TOKENS_INTO = Function("cleanupErc20sViaCall(address[],address[],bytes[],uint256[])")
CLEAN_NATIVE_INTO = Function("cleanupNativeViaCall(uint256,address,bytes)")


@dataclass(frozen=True, slots=True)
class Deposit:
    """A deposit into the depository; ``amount`` is None if it is whatever a swap has left in the router."""

    depositor: str
    token: str
    amount: int | None
    identifier: bytes


@dataclass(frozen=True, slots=True)
class Start:
    """A decoded transaction: ``token`` and ``amount`` are taken from the caller (in raw units).

    ``refund_to`` gets what native currency the router has left (None without the router); ``paid`` are all to whom the
    router pays; ``deposit`` ends the call where there is one.
    """

    token: str
    amount: int
    refund_to: str | None = None
    paid: tuple[str, ...] = ()
    deposit: Deposit | None = None


def read_start(to: str, value: int, data: bytes, place: Deployment, marks: tuple[bytes, ...]) -> Start:
    """Decode a transaction to one of the pinned contracts; raise UpstreamFailed for an unknown one.

    ``marks`` may follow the arguments of a router call, each of 32 bytes.
    """
    try:
        if same(to, place.depository):
            deposit = _deposit(value, data)
            if deposit.amount is None:
                raise MalformedAnswer("takes a whole allowance")
            return Start(deposit.token, deposit.amount, deposit=deposit)
        if same(to, place.approval_proxy):
            tokens, amounts, calls, refund_to, _, _ = arguments(PROXIED, data, marks)
            (token,), (amount,) = tokens, amounts
            return _through_router(checksummed(token), amount, calls, refund_to, place)
        calls, refund_to, _, _ = arguments(MULTICALL, data, marks)
        return _through_router(NATIVE_EVM, value, calls, refund_to, place)
    except (MalformedAnswer, ValueError) as error:
        raise UpstreamFailed("answered a transaction that is not understood") from error


def read_approval(data: bytes) -> str:
    """Return the spender of an ``approve``; raise UpstreamFailed for any other call."""
    try:
        spender, _ = APPROVE.decode(data)
        return checksummed(spender)
    except MalformedAnswer as error:
        raise UpstreamFailed("answered an approval that is not understood") from error


def _through_router(token: str, amount: int, calls: tuple[Any, ...], refund_to: str, place: Deployment) -> Start:
    paid: list[str] = []
    deposits: list[Deposit] = []
    for target, may_fail, value, data in calls:
        if may_fail:
            raise MalformedAnswer("a call inside may fail")
        if deposits:
            raise MalformedAnswer("goes on after the deposit")
        if same(target, place.router):
            deposits += _cleaned(data, place, paid)
        elif same(target, place.depository):
            deposits.append(_deposit(value, data))
    if len(deposits) > 1:
        raise MalformedAnswer("deposits more than once")
    return Start(token, amount, checksummed(refund_to), tuple(paid), deposits[0] if deposits else None)


def _cleaned(data: bytes, place: Deployment, paid: list[str]) -> list[Deposit]:
    """Decode what the router does with its balances: add to ``paid``, and return deposits."""
    if data[:4] == CLEAN_TOKENS.selector:
        _, recipients, _, _ = CLEAN_TOKENS.decode(data)
        paid += map(checksummed, recipients)
        return []
    if data[:4] == CLEAN_NATIVE.selector:
        _, recipient, _ = CLEAN_NATIVE.decode(data)
        paid.append(checksummed(recipient))
        return []
    if data[:4] == CLEAN_NATIVE_INTO.selector:
        amount, to, call = CLEAN_NATIVE_INTO.decode(data)
        return [_forwarded(NATIVE_EVM, amount, to, call, place)]
    tokens, targets, datas, amounts = CLEAN_TOKENS_INTO.decode(data)
    return [_forwarded(*each, place) for each in zip(tokens, amounts, targets, datas, strict=True)]


def _forwarded(token: str, amount: int, to: str, call: bytes, place: Deployment) -> Deposit:
    if not same(to, place.depository):
        raise MalformedAnswer("hands what is left to a stranger")
    deposit = _deposit(0, call)
    if deposit.token != checksummed(token):
        raise MalformedAnswer("deposits another token than it hands over")
    if token != NATIVE_EVM and deposit.amount is not None:
        return deposit
    # What the router transfers is what is deposited; 0 means all that it has.
    return replace(deposit, amount=amount or None)


def _deposit(value: int, data: bytes) -> Deposit:
    token, amount = NATIVE_EVM, value
    if data[:4] == DEPOSIT_NATIVE.selector:
        depositor, identifier = DEPOSIT_NATIVE.decode(data)
    elif data[:4] == DEPOSIT_TOKEN.selector:
        depositor, token, amount, identifier = DEPOSIT_TOKEN.decode(data)
    else:
        depositor, token, identifier = DEPOSIT_ALLOWANCE.decode(data)
        return Deposit(checksummed(depositor), checksummed(token), None, identifier)
    return Deposit(checksummed(depositor), checksummed(token), amount, identifier)


def arguments(function: Function, data: bytes, marks: tuple[bytes, ...]) -> tuple[Any, ...]:
    """Return the arguments of a router call; raise MalformedAnswer where anything but one of ``marks`` follows."""
    values, rest = function.decode_first(data)
    if rest not in (b"", *marks):
        raise MalformedAnswer("something unknown follows the arguments")
    return values
