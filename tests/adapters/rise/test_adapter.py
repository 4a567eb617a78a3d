"""Rise is asked as its documents say; its failures mean what they say, and a transaction is exactly the trade."""

import json
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.rise.checking import BUY, NO_RAISE
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SystemTransfer, decode, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from tests.adapters.rise.stub_upstream import (
    AMOUNT,
    MARKET,
    MINIMUM,
    OUTPUT,
    PLACE,
    QUOTE,
    REQUEST,
    SOL,
    SOLANA,
    STRANGER,
    UPONLY,
    USDC,
    WALLET,
    WSOL,
    StubUpstream,
    call,
    tokens_of,
    transaction,
)
from tests.adapters.svm_accounts import tokens

SALE = replace(REQUEST, origin_token=UPONLY, destination_token=WSOL)
SOLD = QUOTE | {"direction": "sell"}
OWN_SOL = tokens_of(WALLET, SOL)


async def built(stub_upstream: StubUpstream, request: QuoteRequest = REQUEST) -> Any:
    quote = await stub_upstream.adapter.quote(request)
    return await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM))


async def test_what_is_asked(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.output_amount, quote.min_output_amount, quote.price_impact_bps) == (OUTPUT, None, 51)
    draft = await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM))
    market, offer, made = stub_upstream.upstream.asked
    assert (market.method, market.path) == ("GET", f"/markets/{UPONLY.address}")
    assert (offer.method, offer.path) == ("POST", f"/markets/{UPONLY.address}/quote")
    assert json.loads(offer.body) == {"amount": AMOUNT, "direction": "buy"}
    assert (made.method, made.path) == ("POST", "/program/buyToken")
    wanted = {"wallet": WALLET, "market": UPONLY.address, "cashIn": AMOUNT, "minTokenOut": MINIMUM}
    assert json.loads(made.body) == wanted
    assert {each.headers["x-api-key"] for each in (market, offer, made)} == {"sesame"}
    account = CreateTokenAccount.of(WALLET, WALLET, UPONLY.address, SPL).encode()
    assert [each.data for each in draft.instructions] == [account.data, call().data[:24] + NO_RAISE]
    assert not draft.enforces_minimum


async def test_a_sale_is_another_endpoint(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote", {"ok": True, "quote": SOLD})
    stub_upstream.says(call(buys=False), end="/program/sellToken")
    await built(stub_upstream, SALE)
    body = json.loads(stub_upstream.upstream.asked[-1].body)
    assert body == {"wallet": WALLET, "market": UPONLY.address, "tokenIn": AMOUNT, "minCashOut": MINIMUM}


@pytest.mark.parametrize("held", [None, 7])
@pytest.mark.parametrize("sells", [False, True], ids=["SOL in", "SOL out"])
async def test_sol_is_wrapped_by_the_service(stub_upstream: StubUpstream, sells: bool, held: int | None) -> None:
    stub_upstream.upstream.says("/quote", {"ok": True, "quote": SOLD if sells else QUOTE})
    stub_upstream.says(call(buys=False), end="/program/sellToken")
    if held is not None:
        stub_upstream.node.accounts[OWN_SOL] = tokens(WALLET, WRAPPED_SOL, held)
    request = replace(SALE, destination_token=SOL) if sells else replace(REQUEST, origin_token=SOL)
    draft = await built(stub_upstream, request)
    closed = [each for each in draft.instructions if each == CloseAccount(SPL, OWN_SOL, WALLET, WALLET).encode()]
    assert len(closed) == (1 if sells or held is None else 0)
    paid = [each.lamports for each in map(decode, draft.instructions) if isinstance(each, SystemTransfer)]
    # What was wrapped before is wrapped again after an account was closed.
    assert paid == ([] if sells and held is None else [held if sells else AMOUNT])


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"ok": False, "error": "Invalid or missing API key"}, 401, CredentialsRejected),
        ({"ok": False, "error": "?"}, 404, NoRoute),
        ({"error": "Personal position not found. Please deposit tokens first."}, 400, RequestRejected),
        ({"ok": False, "error": "limit"}, 429, UpstreamFailed),
        ({"ok": False, "error": "?"}, 500, UpstreamFailed),
        ({"ok": False, "error": "?"}, 200, UpstreamFailed),
        ({}, 200, UpstreamFailed),
    ],
)
@pytest.mark.parametrize("end", [UPONLY.address, "/quote", "/program/buyToken"])
async def test_failures(
    stub_upstream: StubUpstream, end: str, body: object, status: int, kind: type[AdapterError]
) -> None:
    stub_upstream.upstream.says(f"/markets/{end}" if end == UPONLY.address else end, body, status)
    with pytest.raises(AdapterError) as failed:
        await built(stub_upstream)
    assert type(failed.value) is kind


@pytest.mark.parametrize(
    ("market", "quote", "kind"),
    [
        ({"mint_main": USDC.address}, {}, NoRoute),
        ({"mint_token": USDC.address}, {}, UpstreamFailed),
        ({"mint_main": "nobody"}, {}, UpstreamFailed),
        ({}, {"direction": "sell"}, UpstreamFailed),
        ({}, {"amountIn": AMOUNT - 1}, UpstreamFailed),
        ({}, {"amountOut": 0}, NoRoute),
        ({}, {"amountOut": 2**53}, NoRoute),
        ({}, {"amountOut": 2.5}, UpstreamFailed),
        ({}, {"amountOut": -1}, UpstreamFailed),
    ],
)
async def test_an_answer_about_something_else(
    stub_upstream: StubUpstream, market: dict[str, Any], quote: dict[str, Any], kind: type[AdapterError]
) -> None:
    stub_upstream.upstream.says(f"/markets/{UPONLY.address}", {"ok": True, "market": MARKET | market})
    stub_upstream.upstream.says("/quote", {"ok": True, "quote": QUOTE | quote})
    with pytest.raises(kind):
        await stub_upstream.adapter.quote(REQUEST)


async def test_a_market_without_sales(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says(f"/markets/{UPONLY.address}", {"ok": True, "market": MARKET | {"disableSell": True}})
    await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(NoRoute, match="no sales"):
        await stub_upstream.adapter.quote(SALE)


@pytest.mark.parametrize("amount", [0, 2**53])
async def test_amounts_that_rise_cannot_read(stub_upstream: StubUpstream, amount: int) -> None:
    with pytest.raises(RequestRejected):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=amount))


@pytest.mark.parametrize(
    "changes",
    [
        {"origin_token": USDC, "destination_token": WSOL},
        {"origin_token": SOL, "destination_token": WSOL},
        {"destination_token": UPONLY, "origin_token": UPONLY},
        {"destination_token": replace(UPONLY, address=STRANGER)},
        {"payout_address": STRANGER},
        {"taker": STRANGER},
        {"destination": replace(SOLANA, id=1)},
        {"origin": replace(SOLANA, id=1), "destination": replace(SOLANA, id=1)},
    ],
)
async def test_what_it_does_not_serve(stub_upstream: StubUpstream, changes: dict[str, Any]) -> None:
    assert not stub_upstream.adapter.supports(replace(REQUEST, **changes))
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(REQUEST, **changes))


@pytest.mark.parametrize(
    "name",
    ["wallet", "token", "main", "source", "target", "token_program", "main_program", "mayflower", "events", "program"],
)
async def test_every_account_that_counts(stub_upstream: StubUpstream, name: str) -> None:
    made = call()
    roles = list(made.accounts)
    roles[BUY.places[name]] = AccountRole(STRANGER)
    stub_upstream.says(replace(made, accounts=tuple(roles)))
    with pytest.raises(UpstreamFailed):
        await built(stub_upstream)


BESIDE = {
    "payment": SystemTransfer(WALLET, STRANGER, 1).encode(),
    "wrapping more": SystemTransfer(WALLET, OWN_SOL, AMOUNT + 1).encode(),
    "closing": CloseAccount(SPL, tokens_of(WALLET, UPONLY), WALLET, WALLET).encode(),
    "stranger's account": CreateTokenAccount.of(WALLET, STRANGER, UPONLY.address, SPL).encode(),
    "stranger's program": SvmInstruction(STRANGER, (AccountRole(WALLET, True, True),), b""),
    "second trade": call(amount=1),
    "co-signer": SvmInstruction(PLACE.program, (AccountRole(STRANGER, True),), b""),
}


@pytest.mark.parametrize("what", BESIDE)
async def test_nothing_strange_stands_beside_it(stub_upstream: StubUpstream, what: str) -> None:
    stub_upstream.says(BESIDE[what], call())
    with pytest.raises(UpstreamFailed):
        await built(stub_upstream)


async def test_what_may_stand_beside_it(stub_upstream: StubUpstream) -> None:
    account = CreateTokenAccount.of(WALLET, WALLET, UPONLY.address, SPL).encode()
    closed = CloseAccount(SPL, OWN_SOL, WALLET, WALLET).encode()
    stub_upstream.says(account, *wrap_sol(WALLET, OWN_SOL, AMOUNT), call(), closed)
    draft = await built(stub_upstream)
    assert [each.data for each in draft.instructions] == [account.data, call().data[:24] + NO_RAISE]


@pytest.mark.parametrize(
    "made",
    [
        call(amount=AMOUNT + 1),
        call(least=MINIMUM - 1),
        call(buys=False),
        replace(call(), data=call().data + b"\x00"),
        replace(call(), accounts=(*call().accounts, AccountRole(STRANGER))),
        call(tenant=tokens_of(WALLET, UPONLY)),
    ],
)
async def test_another_trade_is_refused(stub_upstream: StubUpstream, made: SvmInstruction) -> None:
    stub_upstream.says(made)
    with pytest.raises(UpstreamFailed):
        await built(stub_upstream)


async def test_bytes_that_are_no_transaction(stub_upstream: StubUpstream) -> None:
    for said in ("", "AA==", "*", transaction(call())[:-4], transaction(call(), payer=STRANGER)):
        stub_upstream.upstream.says("/program/buyToken", {"ok": True, "transaction": said})
        with pytest.raises(UpstreamFailed):
            await built(stub_upstream)
