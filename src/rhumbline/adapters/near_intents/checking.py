"""Comparing 1Click's answers with what it was asked.

The service answers an address and nothing that is signed by anybody but itself: what can be compared is its repetition
of the request, its own arithmetic, its list of tokens, and its signature over the quote and our question.
"""

from collections.abc import Mapping
from datetime import datetime

from rhumbline.adapters.near_intents.asking import WHOLE
from rhumbline.adapters.near_intents.deployments import Deployment
from rhumbline.adapters.near_intents.signature import is_signed_by
from rhumbline.adapters.near_intents.wire import Deposit, Echo, ListedToken, QuoteAnswer, QuoteFields, Signed
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expecting import expect, expect_at_least, expect_at_most
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.upstreams import read_answer

LATER_S = 3 * 86_400
"""By how much an address outlives the deadline that was asked for (production's quotes of 2026-09-28: exactly that)."""
SKEW_S = 300
"""How far the time at which a quote was signed may be from ours: an older one was made for somebody else's question."""
# Fields that lead the output, the refund or the deposit somewhere else; none of them is asked for.
_DETOURS = ("virtualChainRecipient", "virtualChainRefundRecipient", "customRecipientMsg", "depositMemo")


def checked_quote(
    answer: QuoteAnswer, question: Mapping[str, object], signer: str, now: float
) -> tuple[QuoteFields, Echo]:
    """Return the answer's quote if it is about the question, holds its own slippage, and ``signer`` signed it just now.

    Raise UpstreamFailed if not. ``now`` is in Unix seconds.
    """
    echo, fields = read_answer(Echo, answer.quote_request), read_answer(QuoteFields, answer.quote)
    for name, wanted in question.items():
        if name == "deadline":
            expect(name, echo.deadline, _second(str(wanted)))
        else:
            expect(name, answer.quote_request.get(name), wanted)
    for name in _DETOURS:
        if answer.quote_request.get(name) or answer.quote.get(name):
            raise UpstreamFailed(f"answered with a {name} that was not asked for")
    _expect_amounts(fields, question)
    if not is_signed_by(signer, question, answer):
        raise UpstreamFailed("answered with a quote that its own key has not signed for this question")
    if abs(read_answer(Signed, {"timestamp": answer.timestamp}).timestamp - now) > SKEW_S:
        raise UpstreamFailed("answered with a quote that was not signed just now")
    return fields, echo


def _expect_amounts(fields: QuoteFields, question: Mapping[str, object]) -> None:
    amount, tolerance = int(str(question["amount"])), int(str(question["slippageTolerance"]))
    expect("input amount", fields.amount_in, amount)
    expect_at_most("minimum input", fields.min_amount_in, amount)
    expect_at_least("output", fields.amount_out, 1)
    expect_at_most("minimum output", fields.min_amount_out, fields.amount_out)
    expect_at_least("minimum output", fields.min_amount_out, fields.amount_out * (WHOLE - tolerance) // WHOLE)


def checked_deposit(answer: QuoteAnswer, question: Mapping[str, object], request: QuoteRequest) -> Deposit:
    """Return where to pay, of a checked quote; raise UpstreamFailed for an address that was not made for this one."""
    deposit = read_answer(Deposit, answer.quote)
    known = (NATIVE_EVM, request.sender, request.receiver, request.payout_address, request.taker)
    tokens = (request.origin_token.address, request.destination_token.address)
    contracts = (request.origin.diamond, request.origin.executor, request.origin.wrapped_native)
    taken = {each.lower() for each in (*known, *tokens, *contracts) if each is not None}
    if deposit.deposit_address.lower() in taken or int(deposit.deposit_address, 16) < 2**32:
        raise UpstreamFailed("answered with a deposit address that belongs to somebody else")
    # The signature has the address's own end in the place of the deadline that was asked for.
    asked = _second(str(question["deadline"]))
    expect_at_least("deadline", deposit.deadline, asked)
    expect_at_most("deadline", deposit.deadline, asked + LATER_S)
    return deposit


def expect_token(listed: ListedToken, token: Token, deployment: Deployment) -> None:
    """Raise UpstreamFailed unless the service's entry is this token on this chain."""
    expect("chain of the token", listed.blockchain, deployment.blockchain)
    expect("number of decimals", listed.decimals, token.decimals)
    native = token.address in (NATIVE_EVM, NATIVE_SVM)
    expect("token", listed.contract_address or None, None if native else token.address)


def _second(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() // 1)
