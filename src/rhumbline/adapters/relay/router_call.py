"""Rewrites a call of Relay's router: at least a minimum is deposited, and the remainder goes to the wallet.

Source, read 2026-11-22: relay-periphery v3 at b0357856 (``RelayRouterV3.sol``, ``Multicall3.sol``) and relay-depository
at 8c46f72d (``RelayDepository.sol``). A failing inner call reverts the whole; an amount of 0 means all that the router
has; its remaining native currency goes to ``refundTo`` at the end.

The order's own amount is the *expected* output of the swap (in an order of 2026-10 the origin's slippage, stated beside
it, is exactly one percent of it), and for a smaller deposit Relay pays less on the destination (api_core_concepts,
surplus-and-shortage). So the whole output of the swap is deposited, as Relay writes it, and before that the router pays
the least deposit to itself, which fails if it has less. If Relay names an amount, the larger of that and the least is
deposited, and the rest goes to the wallet.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from rhumbline.adapters.relay.calldata import (
    APPROVE,
    CLEAN_NATIVE,
    CLEAN_NATIVE_INTO,
    CLEAN_TOKENS,
    CLEAN_TOKENS_INTO,
    DEPOSIT_ALLOWANCE,
    DEPOSIT_NATIVE,
    DEPOSIT_TOKEN,
    MULTICALL,
    PROXIED,
    Deposit,
    Start,
    arguments,
)
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.expectations import same
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.calldata import Function

NATIVE_DEPOSITED = topic("RelayNativeDeposit(address,uint256,bytes32)")
TOKEN_DEPOSITED = topic("RelayErc20Deposit(address,address,uint256,bytes32)")
"""The depository's events; none of their arguments is indexed."""
_Call: TypeAlias = tuple[str, bool, int, bytes]


def with_refund_address(to: str, data: bytes, place: Deployment, marks: tuple[bytes, ...], wallet: str) -> bytes:
    """Return a router call that was understood with ``wallet`` as its refund address; any other call as it is."""
    if same(to, place.depository):
        return data
    function, mark, (*before, _, receiver, metadata) = _read(to, data, place, marks)
    return function.encode(*before, wallet, receiver, metadata) + mark


def hold(
    to: str, data: bytes, place: Deployment, marks: tuple[bytes, ...], start: Start, deposit: Deposit, least: int
) -> bytes:
    """Return a router call, read as ``start``, that reverts unless it deposits ``least`` (raw units, below 2**256).

    Upstream's calls before the deposit stay as they are; the deposit and what follows it are ours. The depositor has
    all that the router has left of both tokens, and of the native currency.
    """
    function, mark, (*before, calls, _, receiver, metadata) = _read(to, data, place, marks)
    written = [*calls[:-1], *_deposited(deposit, place, least), *_left(start, deposit, place)]
    return function.encode(*before, written, deposit.depositor, receiver, metadata) + mark


def _read(to: str, data: bytes, place: Deployment, marks: tuple[bytes, ...]) -> tuple[Function, bytes, tuple[Any, ...]]:
    function = PROXIED if same(to, place.approval_proxy) else MULTICALL
    values = arguments(function, data, marks)
    return function, data.removeprefix(function.encode(*values)), values


def deposit_evidence(deposit: Deposit, place: Deployment, least: int, *, swapped: bool) -> BridgeDeposit:
    """Return how a simulation shows the deposit: the depository's gain, and its event with order, depositor and token.

    For the zero address the depository logs its caller, so the event's depositor has no meaning.
    """
    depositor, token = evm_word(deposit.depositor), evm_word(deposit.token)
    named = {0: depositor} if any(depositor) else {}
    if deposit.token == NATIVE_EVM:
        log = LogPattern(place.depository, (NATIVE_DEPOSITED,), {**named, 2: deposit.identifier}, amount_at=1)
    else:
        words = {**named, 1: token, 3: deposit.identifier}
        log = LogPattern(place.depository, (TOKEN_DEPOSITED,), words, amount_at=2)
    return BridgeDeposit(deposit.token, least, (place.depository,), log, swapped)


def _deposited(deposit: Deposit, place: Deployment, least: int) -> Sequence[_Call]:
    """Return the calls that deposit ``least`` or more, or revert: a named amount, or all if that is enough."""
    token, wallet, name = deposit.token, deposit.depositor, deposit.identifier
    if deposit.amount is not None:
        amount = max(deposit.amount, least)
        if token == NATIVE_EVM:
            return ((place.depository, False, amount, DEPOSIT_NATIVE.encode(wallet, name)),)
        return (
            # An allowance left behind stops some tokens from being approved; others refuse one of 0.
            (token, True, 0, APPROVE.encode(place.depository, 0)),
            (token, False, 0, APPROVE.encode(place.depository, amount)),
            (place.depository, False, 0, DEPOSIT_TOKEN.encode(wallet, token, amount, name)),
        )
    if token == NATIVE_EVM:
        there = CLEAN_NATIVE.encode(least, place.router, b"")
        into = CLEAN_NATIVE_INTO.encode(0, place.depository, DEPOSIT_NATIVE.encode(wallet, name))
    else:
        there = CLEAN_TOKENS.encode([token], [place.router], [least], b"")
        whole = DEPOSIT_ALLOWANCE.encode(wallet, token, name)
        into = CLEAN_TOKENS_INTO.encode([token], [place.depository], [whole], [0])
    return (place.router, False, 0, there), (place.router, False, 0, into)


def _left(start: Start, deposit: Deposit, place: Deployment) -> Sequence[_Call]:
    """Return the clean-ups: of the native currency the router makes one itself."""
    tokens = [token for token in dict.fromkeys((deposit.token, start.token)) if token != NATIVE_EVM]
    if not tokens:
        return ()
    data = CLEAN_TOKENS.encode(tokens, [deposit.depositor] * len(tokens), [0] * len(tokens), b"")
    return ((place.router, False, 0, data),)
