"""What is compared before anything of Jupiter's leaves. Pure: it can be run on any answer, as often as one likes."""

from collections.abc import Iterable
from dataclasses import dataclass

from rhumbline.adapters.jupiter.route import Route, read_route, shared_authority
from rhumbline.adapters.jupiter.wire import BuildAnswer
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address, event_authority
from rhumbline.gateways.svm.instructions import CloseAccount, SyncNative, SystemTransfer, decode
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, SPL
from rhumbline.gateways.svm.wrapped_sol import wrapped_account
from rhumbline.gateways.upstreams.svm.swap_accounts import made_for_swap

EXACT_IN = "ExactIn"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a swap has to be: mints and their token programs, raw units; ``wraps`` and ``unwraps`` the native asset.

    ``user`` signs and pays, ``receiver`` has the output in its associated token account.
    """

    program: str
    user: str
    receiver: str
    mint_in: str
    mint_out: str
    program_in: str
    program_out: str
    amount: int
    slippage_bps: int
    wraps: bool = False
    unwraps: bool = False

    def source(self) -> str:
        return associated_token_address(self.user, self.mint_in, self.program_in)

    def own(self) -> str:
        """Return the user's own account of the token that comes out."""
        return associated_token_address(self.user, self.mint_out, self.program_out)

    def wrapping(self) -> tuple[SystemTransfer, SyncNative]:
        """Return what wraps the input."""
        account = wrapped_account(self.user)
        return SystemTransfer(self.user, account, self.amount), SyncNative(SPL, account)

    def destination(self) -> str:
        return associated_token_address(self.receiver, self.mint_out, self.program_out)


@dataclass(frozen=True, slots=True)
class CheckedSwap:
    """What is taken of an answer: the least that arrives, and what makes token accounts and swaps."""

    minimum: int
    making: tuple[SvmInstruction, ...]
    swap: SvmInstruction
    tables: tuple[str, ...]


def check_answer(found: BuildAnswer, terms: Terms) -> CheckedSwap:
    """Return what is taken of an answer; raise UpstreamFailed unless all of it is what was asked."""
    expect("input token", found.input_mint, terms.mint_in)
    expect("output token", found.output_mint, terms.mint_out)
    expect("amount", found.in_amount, terms.amount)
    expect("mode", found.swap_mode, EXACT_IN)
    expect("slippage", found.slippage_bps, terms.slippage_bps)
    for each in found.compute_budget_instructions:
        expect("program", each.program_id, COMPUTE_BUDGET)
    if found.other_instructions or found.tip_instruction is not None:
        raise UpstreamFailed("answered instructions that nobody asked for")
    swap = found.swap_instruction.instruction()
    route = check_swap(swap, terms)
    expect("output", route.arguments.quoted, found.out_amount)
    expect_at_least("minimum", found.other_amount_threshold, route.minimum)
    expect_at_most("minimum", found.other_amount_threshold, found.out_amount)
    making = check_making([each.instruction() for each in found.setup_instructions], terms)
    if found.cleanup_instruction is not None:
        check_closing(found.cleanup_instruction.instruction(), terms)
    return CheckedSwap(route.minimum, making, swap, tuple(found.addresses_by_lookup_table_address or {}))


def check_swap(instruction: SvmInstruction, terms: Terms) -> Route:
    """Return a swap; raise UpstreamFailed unless it sells exactly that of the user's own account for that receiver."""
    expect("program", instruction.program, terms.program)
    route = read_route(instruction)
    expect("user", route.user, terms.user)
    _check_signers(instruction, terms.user)
    source, own, destination = terms.source(), terms.own(), terms.destination()
    expect("source", route.source, source)
    expect("receiver", route.receiving, destination)
    expect_one_of("account for the output", route.through, frozenset({own, destination}))
    expect("pair of tokens", route.tokens, (terms.mint_in, terms.mint_out, terms.program_in, terms.program_out))
    expect("program", route.program, terms.program)
    expect("event authority", route.event_authority, event_authority(terms.program))
    if route.shared_id is not None:
        expect("authority", route.authority, shared_authority(terms.program, route.shared_id))
    told = route.arguments
    expect("amount", told.amount, terms.amount)
    expect("slippage", told.slippage_bps, terms.slippage_bps)
    expect("fee", (told.platform_fee_bps, told.positive_slippage_bps), (0, 0))
    expect_at_least("number of steps", told.steps, 1)
    return route


def check_making(instructions: Iterable[SvmInstruction], terms: Terms) -> tuple[SvmInstruction, ...]:
    """Return what makes token accounts, as this service writes it; raise UpstreamFailed for what is not expected.

    Accounts are the user's own, of any token on the way, or the receiver's of the output. What wraps the input is
    compared and left out: the service wraps by itself.
    """
    made: list[SvmInstruction] = []
    wrapping = terms.wrapping() if terms.wraps else ()
    for instruction in instructions:
        account = made_for_swap(instruction, terms.user, terms.receiver, terms.mint_out)
        if account is not None:
            made.append(account)
        elif decode(instruction) not in wrapping:
            raise UpstreamFailed("answered instructions before the swap that are not expected")
    return tuple(dict.fromkeys(made))


def check_closing(instruction: SvmInstruction, terms: Terms) -> None:
    """Raise UpstreamFailed unless an instruction closes the user's account of wrapped SOL to the user."""
    wanted = CloseAccount(SPL, wrapped_account(terms.user), terms.user, terms.user)
    if not (terms.wraps or terms.unwraps) or decode(instruction) != wanted:
        raise UpstreamFailed("answered an instruction after the swap that is not expected")


def _check_signers(instruction: SvmInstruction, user: str) -> None:
    for role in instruction.accounts:
        if role.signer and role.address != user:
            raise UpstreamFailed("answered a swap that somebody else has to sign")
