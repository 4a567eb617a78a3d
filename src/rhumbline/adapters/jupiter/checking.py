"""The checks of Jupiter's answers, including its swap instructions, which are decoded again. Pure.

The program's interface description on the chain, as in public clients (read 2026-11-22): `route_v2` goes through the
wallet's own accounts of the intermediate tokens, `shared_accounts_route_v2` through Jupiter's. Both take ``in_amount``
and fail unless the last account gains ``quoted_out_amount`` less the slippage. Printed answers of 2026-09 promise that
minimum rounded up; the program's rounding is not published, so here it is rounded down. After the arguments comes the
plan, whose steps only Jupiter knows: it determines the pools, not the receiver.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from struct import Struct, error
from typing import NamedTuple

from rhumbline.adapters.jupiter.deployments import Deployment
from rhumbline.adapters.jupiter.wire import EXACT_OUT, BuildAnswer, QuoteAnswer
from rhumbline.domain.amount import less_bps, slippage_bps
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import LookupTable, SvmInstruction
from rhumbline.gateways.svm.address import event_authority, program_address
from rhumbline.gateways.svm.instructions import CloseAccount, SyncNative, SystemTransfer, decode
from rhumbline.gateways.svm.messages import LARGEST, MOST_ACCOUNTS, MOST_ENTRIES, TooManyAccounts, measure
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, SPL
from rhumbline.gateways.svm.wrapped_sol import wrapped_account
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts, made_for_swap

EXACT_IN = "ExactIn"
RESERVED_BYTES = 233
"""The bytes of compute budget, two fees and tracking (measured on a genuine route, 2026-11-22)."""
ASSERTED_BYTES = 62
"""The most bytes of the first assertion, with its program's address, if the account is already named."""
RESERVED_ACCOUNTS = 5
"""The compute budget's program, two wallets for fees, the reference key and the transaction's ID as a key."""
ROUTE = bytes.fromhex("bb64facc31c4af14")
SHARED_ROUTE = bytes.fromhex("d19853937cfed8e9")
_ARGUMENTS = Struct("<QQHHHI")
"""Of `Arguments`: two of 64 bits, three of 16, and how long the plan is."""


class Arguments(NamedTuple):
    """The arguments of a swap, in raw units and bps."""

    amount: int
    quoted: int
    slippage_bps: int
    platform_fee_bps: int
    positive_slippage_bps: int
    steps: int


@dataclass(frozen=True, slots=True)
class Route:
    """A decoded swap: addresses by their positions.

    ``through`` is the account that the plan's last step pays, ``receiving`` the one that gets the output and for which
    the minimum is enforced; usually they are the same. ``tokens`` are the mints of input and output, and their token
    programs. ``authority`` signs for Jupiter's own accounts, by the number ``shared_id``; None without.
    """

    user: str
    source: str
    through: str
    receiving: str
    tokens: tuple[str, str, str, str]
    event_authority: str
    program: str
    arguments: Arguments
    authority: str | None = None
    shared_id: int | None = None

    @property
    def minimum(self) -> int:
        """Return what at least arrives, rounded down."""
        return less_bps(self.arguments.quoted, self.arguments.slippage_bps)


@dataclass(frozen=True, slots=True)
class CheckedSwap:
    """The used parts of an answer: the minimum, and the instructions that create token accounts and swap."""

    minimum: int
    making: tuple[SvmInstruction, ...]
    swap: SvmInstruction
    tables: tuple[str, ...]


def checked_input(found: QuoteAnswer, mints: tuple[str, str], output: int) -> int:
    """Return the input of an answer to a question for ``output`` raw units; raise UpstreamFailed for another answer."""
    expect("mode", found.swap_mode, EXACT_OUT)
    expect("input token", found.input_mint, mints[0])
    expect("output token", found.output_mint, mints[1])
    expect_at_least("output", found.out_amount, output)
    return found.in_amount


def check_answer(found: BuildAnswer, accounts: SwapAccounts, place: Deployment) -> CheckedSwap:
    """Return the checked parts of an answer; raise UpstreamFailed unless all of it is what was requested."""
    request = accounts.request
    expect("input token", found.input_mint, accounts.mints[0])
    expect("output token", found.output_mint, accounts.mints[1])
    expect("amount", found.in_amount, request.amount)
    expect("mode", found.swap_mode, EXACT_IN)
    expect("slippage", found.slippage_bps, slippage_bps(request.slippage))
    for each in found.compute_budget_instructions:
        expect("program", each.program_id, COMPUTE_BUDGET)
    if found.other_instructions or found.tip_instruction is not None:
        raise UpstreamFailed("answered instructions that nobody asked for")
    swap = found.swap_instruction.instruction()
    route = check_swap(swap, accounts, place.program)
    expect("output", route.arguments.quoted, found.out_amount)
    minimum = route.minimum
    expect_at_least("minimum", found.other_amount_threshold, minimum)
    expect_at_most("minimum", found.other_amount_threshold, found.out_amount)
    making = check_making([each.instruction() for each in found.setup_instructions], request)
    if found.cleanup_instruction is not None:
        check_closing(found.cleanup_instruction.instruction(), request)
    return CheckedSwap(minimum, making, swap, tuple(found.addresses_by_lookup_table_address or {}))


def check_swap(instruction: SvmInstruction, accounts: SwapAccounts, program: str) -> Route:
    """Return a swap; raise UpstreamFailed unless it sells exactly the amount of the user's account for the receiver."""
    request = accounts.request
    expect("program", instruction.program, program)
    route = read_route(instruction)
    expect("user", route.user, request.sender)
    if any(role.signer and role.address != request.sender for role in instruction.accounts):
        raise UpstreamFailed("answered a swap that somebody else has to sign")
    source, own, destination = accounts.source, accounts.own, accounts.destination
    expect("source", route.source, source)
    expect("receiver", route.receiving, destination)
    expect_one_of("account for the output", route.through, frozenset({own, destination}))
    expect("pair of tokens", route.tokens, (*accounts.mints, *accounts.programs))
    expect("program", route.program, program)
    expect("event authority", route.event_authority, event_authority(program))
    if route.shared_id is not None:
        expect("authority", route.authority, shared_authority(program, route.shared_id))
    arguments = route.arguments
    expect("amount", arguments.amount, request.amount)
    expect("slippage", arguments.slippage_bps, slippage_bps(request.slippage))
    expect("fee", (arguments.platform_fee_bps, arguments.positive_slippage_bps), (0, 0))
    expect_at_least("number of steps", arguments.steps, 1)
    return route


def check_making(instructions: Iterable[SvmInstruction], request: QuoteRequest) -> tuple[SvmInstruction, ...]:
    """Return the creation of token accounts, encoded by this service; raise UpstreamFailed for anything unexpected.

    Accounts are the user's own, of any token on the path, or the receiver's of the output. Instructions that wrap the
    input are compared and left out: the service wraps by itself.
    """
    made: list[SvmInstruction] = []
    wraps, wrapped = request.sells_native, wrapped_account(request.sender)
    wrapping = SystemTransfer(request.sender, wrapped, request.amount), SyncNative(SPL, wrapped)
    for known in [decode(instruction) for instruction in instructions]:
        account = made_for_swap(known, request)
        if account is not None:
            made.append(account)
        elif not wraps or known not in wrapping:
            raise UpstreamFailed("answered instructions before the swap that are not expected")
    return tuple(dict.fromkeys(made))


def check_closing(instruction: SvmInstruction, request: QuoteRequest) -> None:
    """Raise UpstreamFailed unless an instruction closes the user's account of wrapped SOL to the user."""
    expected = CloseAccount(SPL, wrapped_account(request.sender), request.sender, request.sender)
    if not (request.sells_native or request.buys_native) or decode(instruction) != expected:
        raise UpstreamFailed("answered an instruction after the swap that is not expected")


def read_route(instruction: SvmInstruction) -> Route:
    """Read a swap by its places and arguments; raise UpstreamFailed for any other instruction."""
    at = [role.address for role in instruction.accounts]
    kind, data = instruction.data[:8], instruction.data[8:]
    try:
        if kind == ROUTE:
            receiving = at[2] if at[7] == instruction.program else at[7]
            tokens = at[3], at[4], at[5], at[6]
            return Route(at[0], at[1], at[2], receiving, tokens, at[8], at[9], _arguments(data))
        if kind == SHARED_ROUTE:
            tokens = at[6], at[7], at[8], at[9]
            return Route(at[1], at[2], at[5], at[5], tokens, at[10], at[11], _arguments(data[1:]), at[0], data[0])
    except (IndexError, error):
        pass
    raise UpstreamFailed("answered an instruction that is not a swap of its program")


def shared_authority(program: str, number: int) -> str:
    return program_address([b"authority", bytes([number])], program)


def _arguments(data: bytes) -> Arguments:
    return Arguments(*_ARGUMENTS.unpack_from(data))


def fits(
    request: QuoteRequest, instructions: tuple[SvmInstruction, ...], found: BuildAnswer, *, asserted: bool
) -> bool:
    """Return whether a transaction has room, if the tables hold what Jupiter says; the composer checks that again.

    ``asserted`` asks for room for one assertion too.
    """
    addresses_by_table = found.addresses_by_lookup_table_address or {}
    tables = [
        LookupTable(address, dict(enumerate(entries)))
        for address, entries in addresses_by_table.items()
        if len(entries) <= MOST_ENTRIES
    ]
    try:
        size = measure(request.sender, instructions, tables)
    except (TooManyAccounts, ValueError):
        return False
    reserved = RESERVED_BYTES + request.reserved + (ASSERTED_BYTES if asserted else 0)
    return size.bytes_used + reserved <= LARGEST and size.accounts + RESERVED_ACCOUNTS <= MOST_ACCOUNTS
