"""The wallet's transaction on Solana: fees, the adapter's instructions, the tracking instruction, assertions. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.fee import Charge
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.solana_terms import NOTHING_CHOSEN
from rhumbline.domain.svm import SvmDraft, SvmInstruction, SvmSealed
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.compute_budget import MOST_UNITS, ComputeBudget, network_fee
from rhumbline.gateways.svm.decompiler import Decompiled, decompile_message
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of, sealed_fingerprint
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.jito import tip_account, without_tip_accounts
from rhumbline.gateways.svm.messages import TooLarge, Unfit, compile_v0, serialise
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET
from rhumbline.gateways.svm.signatures import public_key, signed_by, with_unit_limit
from rhumbline.gateways.svm.tracking_instruction import reference_key, tracking_instruction
from rhumbline.routing.fees import Intake, fee_skipped
from rhumbline.routing.offer import BuiltQuote, Offer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.svm.assertions import (
    assertions,
    exposes,
    holds_output,
    lamports_left,
    limits,
    most_rent,
    network_costs,
    written_by,
)
from rhumbline.routing.svm.chain_facts import ChainFacts
from rhumbline.routing.svm.chosen_costs import costs_of, payments, priority_fee_of
from rhumbline.routing.svm.network_price import price_within
from rhumbline.routing.svm.permitted_instructions import Permission, check
from rhumbline.routing.svm.sponsor import sponsored
from rhumbline.routing.transaction_id import direct_id
from rhumbline.simulation.svm.task import SvmSimulationTask

LEAST_TIME_S = 15
"""The time that a wallet needs to sign; half of a blockhash's life if that is less than twice as long."""


def drafted(context: QuoteContext, offer: Offer, draft: SvmDraft, facts: ChainFacts, key: bytes) -> BuiltQuote:
    """Return the transaction of a draft under a new ID that ``key`` signs.

    Raise UpstreamFailed where its instructions are not those of such a route, NoRoute where they do not fit.
    """
    quote, quote_request = offer.quote, offer.quote.request
    permission = _permission(quote, draft, frozenset(map(public_key, draft.co_signers)))
    check(draft.instructions, permission)
    last = facts.blockhash.last_valid_block_height
    deadline = _deadline(quote_request, draft, facts, last)
    identifier = direct_id(context, quote, draft.reference, deadline, key)
    amount, before, terms = context.request.amount, facts.before, facts.terms
    payer = terms.fee_payer or quote_request.sender
    paid = sponsored(draft.instructions, quote_request.sender, terms.fee_payer, before)
    work = (
        *(_fee_transfer(quote_request, charge, facts) for charge in offer.form.intake.charges),
        *paid.instructions,
        *([SystemTransfer(payer, tip_account(identifier), terms.tip).encode()] if terms.tip else ()),
        tracking_instruction(quote_request.sender, reference_key(key), identifier),
    )
    plain = _with_budget(draft, MOST_UNITS, facts.unit_price, work)
    budget = plain[: -len(work)]
    written = written_by(quote_request.sender, draft)
    rent = most_rent(quote_request, draft, written, before, paid.made)
    left = lamports_left(quote, draft, amount, network_costs(draft, facts.unit_price, terms), rent, before)
    stated = (quote, draft, amount, left, before)
    protections, first = assertions(*stated), () if _is_fixed(context, draft) else limits(*stated)
    asserted: Sequence[SvmInstruction]
    try:
        message = _compile(payer, [*budget, *first, *work, *protections], facts)
        asserted, bounded = protections, bool(protections)
    except (Unfit, ValueError):
        (message, asserted), bounded = _compiled_with(payer, plain, protections, facts), False
    read = decompile_message(message, facts.tables)
    if set(read.signers) - {quote_request.sender, payer} - permission.co_signers or read.signers[0] != payer:
        raise UpstreamFailed("answered with a transaction that needs another signature")
    transaction = SvmTransaction(
        chain_id=quote_request.origin.id,
        program=draft.program,
        data=_signed(read, draft.co_signers),
        digest=fingerprint(read.instructions),
        last_valid_block_height=last,
        parts=parts_of(read.instructions),
    )
    # Where not all of it has room, nothing holds what leaves the wallet but a program that bounds it.
    is_enforced = (bounded or draft.bounds_input) and (draft.enforces_minimum or holds_output(quote, asserted))
    is_enforced = (is_enforced or _is_fixed(context, draft)) and not exposes(quote_request, draft, written, before)
    task = _task(context, offer, draft, transaction, read, permission.co_signers, is_enforced=is_enforced)
    costs = (
        None
        if context.request.solana is None
        else costs_of(transaction.data, read.signers, identifier, terms, paid.rents)
    )
    return BuiltQuote(
        offer, identifier, draft, deadline, offer.minimum, transaction, None,
        task and replace(task, **payments(offer.form.intake.charges, quote_request, terms, paid.rents)),
        wallet_call=True, network_fee=fee_of(transaction.data, payer),
        most_rent=rent + sum(paid.rents.values()), solana=costs,
        asked_fee=terms.priority if isinstance(terms.priority, int) else None,
        sponsored_accounts=frozenset(paid.rents),
    )  # fmt: skip


def passed_through(context: QuoteContext, offer: Offer, sealed: SvmSealed, facts: ChainFacts, key: bytes) -> BuiltQuote:
    """Return a message signed by others, unchanged, under a new ID; its fees are left out, with a warning.

    Others' statements may only shorten the deadline. For a wallet that waits to try again, the end follows from the
    chain alone: nobody can make it believe that a transaction has expired which may still be executed. Raise
    UpstreamFailed if its instructions are not those of such a route, or signatures of others are missing.
    """
    quote, quote_request = offer.quote, offer.quote.request
    if facts.terms != NOTHING_CHOSEN:
        named = "priority, jitoTip or feePayer"
        raise NoRoute(f"has a transaction that others have signed, into which no {named} can be put")
    try:
        read = decompile_message(sealed.message, facts.tables)
        data = serialise(sealed.message, read.signers, sealed.signatures)
    except ValueError as error:
        raise UpstreamFailed(f"answered with a message that cannot be read: {error}") from None
    others = frozenset(read.signers) - {quote_request.sender}
    if quote_request.sender not in read.signers or others != frozenset(sealed.signatures):
        raise UpstreamFailed("answered with a transaction that needs another signature")
    permission = _permission(quote, sealed, others)
    check([each for each in read.instructions if each.program != COMPUTE_BUDGET], permission)
    newest = facts.blockhash.last_valid_block_height
    last = newest if sealed.last_valid_block_height is None else min(sealed.last_valid_block_height, newest)
    if facts.seconds_until(last) < min(LEAST_TIME_S, facts.seconds_until(newest) / 2):
        raise UpstreamFailed("answered with a transaction that expires before it could be sent")
    deadline = _deadline(quote_request, sealed, facts, last)
    identifier = direct_id(context, quote, sealed.reference, deadline, key)
    digest = sealed_fingerprint(sealed.message)
    transaction = SvmTransaction(quote_request.origin.id, sealed.program, data, digest, newest + facts.ahead)
    warnings = (fee_skipped("this route's transaction is signed by others and cannot be added to"),)
    intake = Intake(offer.form.intake.net, (), warnings if context.request.fee_share else ())
    offer = replace(offer, form=replace(offer.form, intake=intake))
    # Its other signers are the upstream's own: the wallet does not pay the rent of their accounts.
    task = _task(context, offer, sealed, transaction, read, frozenset(), is_enforced=sealed.enforces_minimum)
    return BuiltQuote(
        offer, identifier, sealed, deadline, offer.minimum, transaction, None, task,
        wallet_call=True, network_fee=fee_of(data, quote_request.sender),
    )  # fmt: skip


def limited(built: BuiltQuote, units: int) -> BuiltQuote:
    """Return the same transaction with another limit of units: of its message nothing else changes, nor its size.

    It is another transaction, also for its run, and costs another fee.
    """
    transaction, draft, task = built.transaction, built.upstream, built.task
    if not isinstance(transaction, SvmTransaction) or not isinstance(draft, SvmDraft):
        # What others have signed stays as it is.
        return built
    units = min(units, MOST_UNITS)
    price = None if built.asked_fee is None else price_within(built.asked_fee, units)
    data = with_unit_limit(transaction.data, units, draft.co_signers, price)
    changed = replace(task, transaction=data) if isinstance(task, SvmSimulationTask) else None
    costs = built.solana
    fee = fee_of(data, built.offer.quote.request.sender if costs is None else costs.signers[0])
    if costs is not None:
        costs = replace(costs, network_fee=fee, priority_fee=priority_fee_of(data, built.asked_fee))
    return replace(built, transaction=replace(transaction, data=data), task=changed, network_fee=fee, solana=costs)


def fee_of(transaction: bytes, payer: str) -> int:
    """Return the largest network fee that somebody pays for a serialised transaction: 0 if another does."""
    fee = network_fee(transaction)
    return fee.most if fee.payer == payer else 0


def _permission(quote: Quote[Any], upstream: SvmDraft | SvmSealed, co_signers: frozenset[str]) -> Permission:
    quote_request, deposit = quote.request, upstream.deposit
    taken = quote_request.amount if upstream.input_taken is None else upstream.input_taken
    if not 0 < taken <= quote_request.amount:
        raise UpstreamFailed("the transaction takes another amount than was agreed")
    payees = frozenset() if deposit is None else frozenset(deposit.holders)
    return Permission(
        quote_request, upstream.programs, payees, upstream.delegate, taken, quote.native_fee, co_signers=co_signers
    )


def _fee_transfer(quote_request: QuoteRequest, charge: Charge, facts: ChainFacts) -> SvmInstruction:
    if facts.mint is None:
        return SystemTransfer(quote_request.sender, charge.recipient, charge.amount).encode()
    mint, address = facts.mint, quote_request.origin_token.address
    source, destination = (
        associated_token_address(owner, address, mint.program) for owner in (quote_request.sender, charge.recipient)
    )
    tax = None if mint.transfer_fees is None else mint.transfer_fees.at(facts.epoch).of(charge.amount)
    return TokenTransfer(
        mint.program, source, destination, quote_request.sender, charge.amount, address, mint.decimals, tax
    ).encode()


def _with_budget(draft: SvmDraft, units: int, price: int, work: Sequence[SvmInstruction]) -> list[SvmInstruction]:
    try:
        budget = ComputeBudget(units, price, draft.heap_frame)
    except ValueError as error:
        raise UpstreamFailed(f"answered with a compute budget that is none: {error}") from None
    return [*budget.instructions(), *work]


def _compiled_with(
    payer: str, plain: Sequence[SvmInstruction], protections: Sequence[SvmInstruction], facts: ChainFacts
) -> tuple[bytes, Sequence[SvmInstruction]]:
    """Return the message with as many of the assertions, from the first on, as there is room for, and those."""
    for count in range(len(protections), 0, -1):
        try:
            return _compile(payer, [*plain, *protections[:count]], facts), protections[:count]
        except (Unfit, ValueError):
            continue
    return _compiled(payer, plain, facts), ()


def _compile(payer: str, instructions: Sequence[SvmInstruction], facts: ChainFacts) -> bytes:
    tables = without_tip_accounts(facts.tables) if facts.terms.tip else facts.tables
    return compile_v0(payer, instructions, tables, facts.blockhash.value)


def _compiled(payer: str, instructions: Sequence[SvmInstruction], facts: ChainFacts) -> bytes:
    try:
        return _compile(payer, instructions, facts)
    except TooLarge as error:
        raise NoRoute(f"has a route that does not fit: with fees and tracking {error}") from None
    except Unfit as error:
        raise NoRoute(f"has a route that does not fit: {error}") from None
    except ValueError as error:
        raise UpstreamFailed(f"answered with instructions that make no transaction: {error}") from None


def _signed(read: Decompiled, secrets: Sequence[bytes]) -> bytes:
    try:
        return serialise(read.message, read.signers, signed_by(secrets, read.message))
    except ValueError:
        raise UpstreamFailed("answered with accounts of its own that the transaction does not name") from None


def _deadline(quote_request: QuoteRequest, upstream: SvmDraft | SvmSealed, facts: ChainFacts, last: int) -> int:
    ends = (quote_request.deadline, facts.now + facts.seconds_until(last), upstream.expires_at)
    return min(each for each in ends if each is not None)


def _is_fixed(context: QuoteContext, draft: SvmDraft) -> bool:
    """Return whether the bridge's amount is in an instruction that its adapter has decoded."""
    return context.crossing and draft.deposit is not None and not draft.deposit.swapped


def _task(
    context: QuoteContext,
    offer: Offer,
    upstream: SvmDraft | SvmSealed,
    transaction: SvmTransaction,
    read: Decompiled,
    co_signers: frozenset[str],
    *,
    is_enforced: bool,
) -> SvmSimulationTask | None:
    if context.shown_only:
        return None
    quote, quote_request = offer.quote, offer.quote.request
    return SvmSimulationTask(
        chain_id=quote_request.origin.id,
        sender=quote_request.sender,
        # What arrives on another chain is not seen here, and its receiver may be an address of another type.
        receiver=quote_request.sender if context.crossing else quote_request.receiver,
        input_token=quote_request.origin_token.address,
        input_amount=context.request.amount,
        output_token=None if context.crossing else quote_request.destination_token.address,
        advertised_output=quote.output_amount,
        transaction=transaction.data,
        writable=tuple(role.address for role in read.accounts if role.writable),
        signatures=len(read.signers),
        min_output=offer.minimum,
        native_fee=quote.native_fee,
        co_signers=co_signers,
        programs=upstream.programs,
        delegate=upstream.delegate,
        deposit=upstream.deposit,
        is_enforced=is_enforced,
    )
