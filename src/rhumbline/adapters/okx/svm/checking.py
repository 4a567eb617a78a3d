"""The checks of OKX's answers for Solana. Pure."""

from dataclasses import dataclass

from rhumbline.adapters.okx.deployments import OLDER, Deployment
from rhumbline.adapters.okx.svm.route import MOST_TRIM, Route, read_route
from rhumbline.adapters.okx.svm.wire import SolanaSwap
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_one_of
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import event_authority
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import decode
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, WRAPPED_SOL
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts, made_for_swap
from rhumbline.gateways.upstreams.svm.transaction import budget_of

MOST_BPS = 9_999
"""The most slippage: on Solana requests must ask for less than everything."""


@dataclass(frozen=True, slots=True)
class CheckedSwap:
    """The used parts of an answer: the output, its compute budget, and the instructions for accounts and swap."""

    route: Route
    making: tuple[SvmInstruction, ...]
    swap: SvmInstruction
    budget: ComputeBudget
    tables: tuple[str, ...]

    @property
    def enforces(self) -> bool:
        """Return whether the program's published source fails below the minimum."""
        return self.swap.program == OLDER


def check_answer(found: SolanaSwap, accounts: SwapAccounts, place: Deployment) -> CheckedSwap:
    """Return the checked parts of an answer; raise an AdapterError unless all of it is what was requested."""
    result, request, programs = found.router_result, accounts.request, frozenset(place.routers)
    if result.from_token.is_honey_pot or result.to_token.is_honey_pot:
        raise NoRoute("calls a token a honeypot")
    expect("chain", str(result.chain_index), place.index or str(request.origin.id))
    expect_one_of("input token", result.from_token.token_contract_address, _named(accounts.mints[0]))
    expect_one_of("output token", result.to_token.token_contract_address, _named(accounts.mints[1]))
    expect("amount", result.from_token_amount, request.amount)
    swaps, making = [], []
    instructions = found.instructions(programs)
    for each in instructions:
        if each.program in programs:
            swaps.append(each)
        elif each.program != COMPUTE_BUDGET:
            made = made_for_swap(decode(each), request)
            if made is None:
                raise UpstreamFailed("answered instructions beside the swap that are not expected")
            making.append(made)
    if len(swaps) != 1:
        raise UpstreamFailed("answered with another number of swaps than one")
    route = check_swap(swaps[0], accounts, programs)
    expect("output", route.expected, result.to_token_amount)
    expect_at_least("minimum", found.tx.min_receive_amount, route.minimum)
    budget = budget_of(instructions)
    tables = dict.fromkeys(found.address_lookup_table_account or ())
    return CheckedSwap(route, tuple(dict.fromkeys(making)), swaps[0], budget, tuple(tables))


def check_swap(instruction: SvmInstruction, accounts: SwapAccounts, programs: frozenset[str]) -> Route:
    """Return a swap; raise an AdapterError unless it sells exactly the user's amount for that receiver."""
    request = accounts.request
    expect_one_of("program", instruction.program, programs)
    route = read_route(instruction)
    if any(role.signer and role.address != request.sender for role in instruction.accounts):
        raise UpstreamFailed("answered a swap that somebody else has to sign")
    expect("user", route.payer, request.sender)
    expect("source", route.source, accounts.source)
    expect("receiver", route.destination, accounts.destination)
    expect("pair of tokens", (route.mint_in, route.mint_out), accounts.mints)
    if route.programs is not None:
        # An account that is left out is the program's own address.
        for found, token_program in zip(route.programs, accounts.programs, strict=True):
            expect_one_of("token program", found, frozenset({token_program, instruction.program}))
    if route.event_authority is not None:
        expect("event authority", route.event_authority, event_authority(instruction.program))
    expect("amount", route.amount, request.amount)
    if route.slippage_bps is not None:
        expect("slippage", route.slippage_bps, slippage_bps(request.slippage, MOST_BPS))
    expect("fee", (route.commission, route.platform_fee), (0, 0))
    expect("way to be paid", route.closes, False)
    expect_at_most("share for OKX", route.trim, MOST_TRIM)
    expect_at_most("minimum", route.minimum, route.expected)
    return route


def _named(mint: str) -> frozenset[str]:
    """Return how OKX may name a token: wrapped SOL also as the native asset."""
    return frozenset({mint, NATIVE_SVM}) if mint == WRAPPED_SOL else frozenset({mint})
