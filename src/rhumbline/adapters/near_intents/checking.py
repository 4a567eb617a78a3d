"""Compares 1Click's answers with the request.

The service answers an address and nothing that is signed by anybody but itself: what can be compared is its repetition
of the request, its own arithmetic, its list of tokens, and its signature over the quote and our question.
"""

from collections.abc import Mapping
from decimal import Context
from math import ceil

from rhumbline.adapters.near_intents.client import EXACT_OUTPUT
from rhumbline.adapters.near_intents.deployments import Deployment
from rhumbline.adapters.near_intents.signature import is_signed_by
from rhumbline.adapters.near_intents.wire import (
    Deposit,
    Echo,
    EvmDeposit,
    ListedToken,
    QuoteAnswer,
    QuoteFields,
    Signed,
    SvmDeposit,
    seconds,
)
from rhumbline.domain.amount import BASIS_POINTS, less_bps
from rhumbline.domain.chain import NATIVES, ChainType
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.expectations import expect, expect_at_least, expect_at_most, expect_within, same
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.programs import ASSOCIATED, COMPUTE_BUDGET, LOOKUP_TABLES, SPL_PROGRAMS, SYSTEM
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import read_answer

LATER_S = 3 * 86_400
"""How long after the requested deadline an address expires (production's quotes of 2026-09-28: exactly that)."""
SKEW_S = 300
"""How far the time of a quote's signature may be from ours: an older one was made for another request."""
MOST_SHARES_BPS = 100
"""Of the input, together: without a partner's key the service takes 20 itself, and 25 in quotes of 2026-10.

Source: docs.near-intents.org/resources/fees, read 2026-11-23.
"""
LARGEST_REFUND_SHARE = 4
"""The largest part of a deposit that a refund may cost, a quarter: a published quote has a fifth of 6 dollars."""
_EXACT = Context(prec=1000)
_RUNTIME = SPL_PROGRAMS | {SYSTEM, ASSOCIATED, COMPUTE_BUDGET, LOOKUP_TABLES}
# Fields that redirect the output, the refund or the deposit; none of them is requested.
_DETOURS = ("virtualChainRecipient", "virtualChainRefundRecipient", "customRecipientMsg", "depositMemo")


def checked_quote(
    answer: QuoteAnswer, question: Mapping[str, object], signer: str, now: float
) -> tuple[QuoteFields, Echo]:
    """Return the answer's quote if it is about the question, holds its own slippage, and ``signer`` signed it just now.

    Raise UpstreamFailed if not. ``now`` is in Unix seconds.
    """
    echo, fields = read_answer(Echo, answer.quote_request), read_answer(QuoteFields, answer.quote)
    for name, requested in question.items():
        if name == "deadline":
            expect(name, echo.deadline, seconds(requested))
        else:
            expect(name, answer.quote_request.get(name), requested)
    for name in _DETOURS:
        if answer.quote_request.get(name) or answer.quote.get(name):
            raise UpstreamFailed(f"answered with a {name} that was not asked for")
    _expect_amounts(fields, question)
    _expect_fees(fields, echo)
    if not is_signed_by(signer, question, answer):
        raise UpstreamFailed("answered with a quote that its own key has not signed for this question")
    if abs(read_answer(Signed, {"timestamp": answer.timestamp}).timestamp - now) > SKEW_S:
        raise UpstreamFailed("answered with a quote that was not signed just now")
    return fields, echo


def _expect_amounts(fields: QuoteFields, question: Mapping[str, object]) -> None:
    amount, tolerance = int(str(question["amount"])), int(str(question["slippageTolerance"]))
    if question["swapType"] == EXACT_OUTPUT:
        expect("output amount", fields.amount_out, amount)
        expect_at_least("input amount", fields.amount_in, 1)
    else:
        expect("input amount", fields.amount_in, amount)
    expect_at_most("minimum input", fields.min_amount_in, fields.amount_in)
    expect_at_least("output", fields.amount_out, 1)
    expect_at_most("minimum output", fields.min_amount_out, fields.amount_out)
    expect_at_least("minimum output", fields.min_amount_out, less_bps(fields.amount_out, tolerance))


def _expect_fees(fields: QuoteFields, echo: Echo) -> None:
    """Raise UpstreamFailed for fee shares that nobody requested, BelowMinimum if a refund would cost too much."""
    shares = sum(ceil(fee.fee) for fee in echo.app_fees or ())
    expect_within("share for others in basis points", shares, 0, MOST_SHARES_BPS)
    least = (fields.refund_fee or 0) * LARGEST_REFUND_SHARE
    if fields.amount_in < least:
        minimum = least if least <= LARGEST_AMOUNT else None
        raise BelowMinimum("the amount is too small for what giving it back may cost", minimum)


def checked_deposit(answer: QuoteAnswer, question: Mapping[str, object], request: QuoteRequest) -> Deposit:
    """Return where to pay, of a checked quote; raise UpstreamFailed for an address that was not made for this one."""
    deposit = read_answer(SvmDeposit if request.origin.type is ChainType.SVM else EvmDeposit, answer.quote)
    known = (request.sender, request.refund_address, request.receiver, request.payout_address, request.taker)
    tokens = (request.origin_token.address, request.destination_token.address)
    contracts = (request.origin.diamond, request.origin.executor, request.origin.wrapped_native)
    taken, address = (*known, *tokens, *contracts, *_RUNTIME), deposit.deposit_address
    is_precompile = address.startswith("0x") and int(address, 16) < 2**32
    if is_precompile or any(same(address, each) for each in taken):
        raise UpstreamFailed("answered with a deposit address that belongs to somebody else")
    # The signature has the address's own end in the place of the deadline that was asked for.
    requested = seconds(question["deadline"])
    expect_at_least("deadline", deposit.deadline, requested)
    expect_at_most("deadline", deposit.deadline, requested + LATER_S)
    return deposit


def expect_token(listed: ListedToken, token: Token, deployment: Deployment) -> None:
    """Raise UpstreamFailed unless the service's entry is this token on this chain."""
    expect("chain of the token", listed.blockchain, deployment.blockchain)
    expect("number of decimals", listed.decimals, token.decimals)
    expect("token", listed.contract_address or None, None if token.address in NATIVES else token.address)


def read_fees(fields: QuoteFields, echo: Echo, request: QuoteRequest) -> tuple[FeeItem, ...]:
    """List what the service keeps: its share of the input, rounded down, and the payment's gas in the output token."""
    shares = [int(_EXACT.multiply(fee.fee, fields.amount_in)) // BASIS_POINTS for fee in echo.app_fees or ()]
    fees = [FeeItem(FeeType.RELAYER_SERVICE, share, request.origin_token) for share in shares if share]
    if fields.withdraw_fee:
        fees.append(FeeItem(FeeType.RELAYER_GAS, fields.withdraw_fee, request.destination_token))
    return tuple(fees)
