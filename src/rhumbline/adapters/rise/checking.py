"""Decodes a whole transaction of Rise: its instruction, and what else is in it.

Only the instruction itself is handed out; accounts and wrapping are made by ours. What else the transaction has must be
of the kinds that such a trade needs, all the same: an answer with anything more is not an answer to our question.
Source: github.com/riserich/rise-docs, idl/idl.json and docs/PROGRAM.md of 2026-06-13.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rhumbline.adapters.rise.client import Trade
from rhumbline.adapters.rise.deployments import Deployment
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_within
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import event_authority
from rhumbline.gateways.svm.decompiler import Decompiled
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SyncNative, SystemTransfer, decode
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, SPL
from rhumbline.gateways.svm.wrapped_sol import wrapped_account
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts


@dataclass(frozen=True, slots=True)
class Layout:
    """An instruction: its first bytes, its data, its number of accounts, and the positions of the relevant ones."""

    head: bytes
    size: int
    count: int
    places: Mapping[str, int]


def _layout(head: str, size: int, names: str) -> Layout:
    listed = names.split()
    return Layout(bytes.fromhex(head), size, len(listed), MappingProxyType({name: i for i, name in enumerate(listed)}))


BUY = _layout(
    "35f85f1436a292f7",
    88,
    "wallet tenant market cash_escrow may_tenant may_group market_meta may_market tenant_seed token main target source "
    "vault rev_group rev_tenant main_program token_program mayflower log creator team events program",
)
SELL = _layout(
    "1b8d626dc5a86854",
    24,
    "wallet tenant market cash_escrow may_tenant may_group market_meta may_market token main source target "
    "vault rev_group rev_tenant main_program token_program mayflower log creator team events program",
)


_TERMS = 24
NO_RAISE = bytes(8 + 16 + 16) + (100_000_000).to_bytes(8, "little") + bytes(16)
"""A purchase's last five numbers, by which it may raise the market's floor: a shoulder of 0 prevents that.

So purchases are made by others who trade there (read 2026-11-23): new shoulder, ratio of increase, greatest floor,
tolerated shrinkage, least liquidity.
"""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a transaction must do; its minimum is from ``minimum`` to the ``output`` that was quoted, in raw units."""

    place: Deployment
    trade: Trade
    accounts: SwapAccounts
    minimum: int
    output: int

    @property
    def wallet(self) -> str:
        return self.accounts.request.sender


def checked_trade(message: Decompiled, expected: Expected) -> SvmInstruction:
    """Return Rise's instruction; raise UpstreamFailed unless it is exactly the trade, with nothing unknown beside it.

    A purchase is returned as one that does not raise the floor: nobody orders that, and its numbers are unbounded.
    """
    if message.signers != (expected.wallet,) or message.signatures or message.forged:
        raise UpstreamFailed("answered a transaction that not the wallet alone signs")
    listed = [each for each in message.instructions if each.program != COMPUTE_BUDGET]
    own = [each for each in listed if each.program == expected.place.program]
    for each in listed:
        if each not in own and not _is_harmless(each, expected):
            raise UpstreamFailed("answered an instruction that has nothing to do with the trade")
    if len(own) != 1:
        raise UpstreamFailed("answered a transaction without one trade")
    _check(own[0], expected)
    return replace(own[0], data=own[0].data[:_TERMS] + NO_RAISE) if expected.trade.buys else own[0]


def _check(instruction: SvmInstruction, expected: Expected) -> None:
    layout = BUY if expected.trade.buys else SELL
    data, accounts = instruction.data, expected.accounts
    if data[:8] != layout.head or len(data) != layout.size or len(instruction.accounts) != layout.count:
        raise UpstreamFailed("answered an instruction that cannot be read")
    expect("amount", int.from_bytes(data[8:16], "little"), expected.trade.amount)
    expect_within("minimum", int.from_bytes(data[16:24], "little"), expected.minimum, expected.output)
    source, target, mints, programs = accounts.source, accounts.own, accounts.mints, accounts.programs
    token, main = (1, 0) if expected.trade.buys else (0, 1)
    for name, address in {
        "wallet": expected.wallet, "token": mints[token], "main": mints[main], "source": source,
        "target": target, "token_program": programs[token], "main_program": programs[main],
        "mayflower": expected.place.mayflower, "program": expected.place.program,
        "events": event_authority(expected.place.program),
    }.items():  # fmt: skip
        expect(name.replace("_", " "), instruction.accounts[layout.places[name]].address, address)
    others = {expected.wallet, source, target}
    if sum(role.address in others for role in instruction.accounts) != len(others):
        raise UpstreamFailed("answered an instruction that names the wallet's accounts twice")


def _is_harmless(instruction: SvmInstruction, expected: Expected) -> bool:
    wallet, wrapped = expected.wallet, wrapped_account(expected.wallet)
    own = (expected.accounts.source, expected.accounts.own, wrapped)
    match decode(instruction):
        case CreateTokenAccount(extra=()) as made:
            return (made.payer, made.owner) == (wallet, wallet) and made.account in own
        case SystemTransfer(extra=()) as paid:
            return (paid.source, paid.destination) == (wallet, wrapped) and paid.lamports <= expected.trade.amount
        case SyncNative(extra=()) as synced:
            return synced.account == wrapped
        case CloseAccount() as closed:
            return closed == CloseAccount(SPL, wrapped, wallet, wallet)
    return False
