"""Checks that a transaction of DFlow's does what was requested and nothing else.

The program now creates token accounts and wraps SOL within its swap; formerly separate instructions did both, so these
may still be beside it, in known forms. The position of the wallet's accounts in a swap depends on the venues, so they
are searched for; everything readable is compared, and a simulation measures the rest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from rhumbline.adapters.dflow.actions import Form, Swap, read_swap
from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.amount import less_bps
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_within
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address, event_authority
from rhumbline.gateways.svm.compute_budget import MOST_UNITS
from rhumbline.gateways.svm.decompiler import Decompiled
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    Known,
    SyncNative,
    SystemTransfer,
    decode,
)
from rhumbline.gateways.svm.programs import ASSOCIATED, COMPUTE_BUDGET, SPL, SYSTEM, WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount

WRAP_SOL = bytes.fromhex("2f3e9bac83cd25c9")
UNWRAP_SOL = bytes.fromhex("63280e692d6bacc9")


@dataclass(frozen=True)
class Expected:
    """What a transaction must do. ``mints`` and ``token_programs`` are those of input and output."""

    request: QuoteRequest
    program: str
    mints: tuple[str, str]
    token_programs: tuple[str, str]

    @cached_property
    def source(self) -> str:
        """The account from which the input is taken."""
        return associated_token_address(self.request.sender, self.mints[0], self.token_programs[0])

    @cached_property
    def target(self) -> str:
        """The token account in which the output arrives."""
        return associated_token_address(self.request.payout_address, self.mints[1], self.token_programs[1])

    @cached_property
    def wrapped(self) -> str | None:
        """The wallet's account of wrapped SOL, if SOL is traded; otherwise None."""
        if not self.request.sells_native and not self.request.buys_native:
            return None
        return associated_token_address(self.request.sender, WRAPPED_SOL, SPL)


@dataclass(frozen=True, slots=True)
class Checked:
    """A transaction that does what was requested: its instructions without the compute budget, and its swap.

    ``unwraps``: it closes the wallet's account of wrapped SOL.
    """

    instructions: tuple[SvmInstruction, ...]
    swap: Swap
    unwraps: bool


@dataclass(slots=True)
class _Wrapping:
    """How much SOL is wrapped, and how often all of it is unwrapped."""

    lamports: int = 0
    unwrapped: int = 0


def check_order(found: Order, request: QuoteRequest, slippage_bps: int) -> int:
    """Return what an answer guarantees, rounded down; raise an AdapterError unless it is about the request."""
    token_in, token_out = request.pair(WRAPPED_SOL)
    expect("input token", found.input_mint, token_in)
    expect("output token", found.output_mint, token_out)
    expect("amount", found.in_amount, request.amount)
    expect("slippage", found.slippage_bps, slippage_bps)
    expect("execution mode", found.execution_mode, "sync")
    expect("platform fee", found.platform_fee, None)
    if found.compute_unit_limit is not None:
        expect_within("limit of compute units", found.compute_unit_limit, 0, MOST_UNITS)
    minimum = less_bps(found.out_amount, slippage_bps)
    if minimum == 0:
        raise BelowMinimum("gives too little for any minimum")
    expect_at_least("minimum", found.min_out_amount, minimum)
    expect_at_least("output", found.out_amount, found.min_out_amount)
    return minimum


def check_message(message: Decompiled, expected: Expected) -> Checked:
    """Return what a message does; raise UpstreamFailed if it differs from the request, NoRoute for unknown steps.

    Who signs is the caller's to check.
    """
    instructions = tuple(each for each in message.instructions if each.program != COMPUTE_BUDGET)
    wrapping, swap = _Wrapping(), None
    for each in instructions:
        if each.program == expected.program and each.data[:8] not in (WRAP_SOL, UNWRAP_SOL):
            if swap is not None:
                raise UpstreamFailed("answered two swaps")
            swap = read_swap(each.data)
            _check_swap(each, swap, expected)
        else:
            _check_beside(each, expected, wrapping)
    if swap is None:
        raise UpstreamFailed("answered a transaction without a swap")
    wrapping.lamports += sum(swap.wrapped)
    wrapping.unwrapped += swap.unwrapped
    _check_wrapping(swap, wrapping, expected)
    return Checked(instructions, swap, wrapping.unwrapped > 0)


def check_holdings(message: Decompiled, expected: Expected, found: Mapping[str, TokenAccount | None]) -> None:
    """Raise NoRoute if the swap could reach tokens of the wallet in another account than the input's.

    ``found`` are the token accounts among ``others``. An empty one is a station of the route.
    """
    sender = expected.request.sender
    for address in others(message, expected):
        account = found.get(address)
        if account is None or not account.amount:
            continue
        if sender in (account.owner, account.delegate, account.close_authority):
            raise NoRoute("has only a route through another account in which the wallet holds tokens")


def others(message: Decompiled, expected: Expected) -> tuple[str, ...]:
    """Return which accounts may be written, but the wallet's of input and output."""
    known = {expected.request.sender, expected.source, expected.target}
    return tuple(role.address for role in message.accounts if role.writable and role.address not in known)


def _check_swap(instruction: SvmInstruction, swap: Swap, expected: Expected) -> None:
    request, accounts = expected.request, [role.address for role in instruction.accounts]
    named: tuple[frozenset[str], ...] = ()
    if swap.form is Form.TO_ACCOUNT:
        # The program's own address marks an account that is left out.
        left_out = expected.program
        named = (
            frozenset({expected.target}), frozenset({request.payout_address, left_out}),
            frozenset({expected.mints[1], left_out}),
        )  # fmt: skip
    elif swap.form is Form.TO_WALLET:
        expect("output token", request.destination_token.address, NATIVE_SVM)
        named = (frozenset({request.payout_address}),)
    else:
        expect("receiver", request.sender, request.payout_address)
        _expect_written(instruction, expected.target, "receiver")
    fixed = [SPL, ASSOCIATED, SYSTEM, request.sender]
    expect("fixed accounts", accounts[:4], fixed)
    for place, allowed in enumerate(named, 4):
        if accounts[place : place + 1] == [] or accounts[place] not in allowed:
            raise UpstreamFailed("answered with another receiver than was asked for")
    rest = 4 + len(named)
    expect("fixed accounts", accounts[rest : rest + 2], [event_authority(expected.program), expected.program])
    _expect_written(instruction, expected.source, "source")
    expect("platform fee", swap.platform_fee_bps, 0)
    # What goes into the first venues; what comes out of them goes into the next, and is named in ways of its own.
    if request.amount not in accumulate(swap.legs):
        raise UpstreamFailed("answered with another amount than was asked for")


def _expect_written(instruction: SvmInstruction, address: str, what: str) -> None:
    if not any(role.address == address and role.writable for role in instruction.accounts):
        raise UpstreamFailed(f"answered with another {what} than was asked for")


def _check_wrapping(swap: Swap, wrapping: _Wrapping, expected: Expected) -> None:
    request = expected.request
    native_in, native_out = request.sells_native, request.buys_native
    expect("amount of wrapped SOL", wrapping.lamports, request.amount if native_in else 0)
    if wrapping.unwrapped and not (native_in or native_out):
        raise UpstreamFailed("answered a swap that unwraps what it need not")
    if native_out and swap.form is not Form.TO_WALLET and not wrapping.unwrapped:
        raise UpstreamFailed("answered a swap that leaves SOL wrapped")


def _check_beside(instruction: SvmInstruction, expected: Expected, wrapping: _Wrapping) -> None:
    """Take an instruction beside the swap; raise UpstreamFailed unless it makes an account, wraps or unwraps."""
    sender, wrapped = expected.request.sender, expected.wrapped
    if instruction.program == expected.program:
        _check_own(instruction, expected, wrapping)
        return
    known = decode(instruction)
    match known:
        case CreateTokenAccount() if known in _accounts(expected):
            pass
        case SystemTransfer(extra=()) if (known.source, known.destination) == (sender, wrapped):
            wrapping.lamports += known.lamports
        case SyncNative(extra=()) if (known.program, known.account) == (SPL, wrapped):
            pass
        case CloseAccount(extra=()) if known == CloseAccount(SPL, str(wrapped), sender, sender):
            wrapping.unwrapped += 1
        case _:
            raise UpstreamFailed("answered an instruction that has nothing to do with the swap")


def _accounts(expected: Expected) -> Iterable[Known]:
    """Return the accounts that may be made, at the wallet's cost."""
    sender, receiver = expected.request.sender, expected.request.payout_address
    for mint, program in zip(expected.mints, expected.token_programs, strict=True):
        for owner in dict.fromkeys((sender, receiver)):
            yield CreateTokenAccount.of(sender, owner, mint, program)


def _check_own(instruction: SvmInstruction, expected: Expected, wrapping: _Wrapping) -> None:
    """Take one of the program's own instructions that wrap or unwrap."""
    sender = expected.request.sender
    accounts, data = [role.address for role in instruction.accounts], instruction.data
    if expected.wrapped is None:
        raise UpstreamFailed("answered an instruction that has nothing to do with the swap")
    if data[:8] == WRAP_SOL and len(data) == 16:
        expect("accounts", accounts, [sender, expected.wrapped, WRAPPED_SOL, SPL, ASSOCIATED, SYSTEM])
        wrapping.lamports += int.from_bytes(data[8:], "little")
    elif data == UNWRAP_SOL:
        expect("accounts", accounts, [sender, expected.wrapped, SPL])
        wrapping.unwrapped += 1
    else:
        raise UpstreamFailed("answered an instruction that cannot be read")
