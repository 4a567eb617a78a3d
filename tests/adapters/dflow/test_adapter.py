"""DFlow is asked as its documents say, and for nothing that the wallet's own transaction could not be."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import NoRoute, RequestRejected
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.dflow.orders import AMOUNT, FRIEND, MINIMUM, OUTPUT, REQUEST, SOL, SOLANA, USDC, USDT, WALLET, WSOL
from tests.adapters.dflow.stub_upstream import StubUpstream

PLAIN = {
    "inputMint": USDC.address, "outputMint": USDT.address, "amount": str(AMOUNT), "userPublicKey": WALLET,
    "slippageBps": "50", "allowAsyncExec": "false", "includeAddressLookupTables": "true",
    "reserveTransactionSize": "288", "wrapAndUnwrapSol": "false", "prioritizationFeeLamports": "disabled",
}  # fmt: skip


async def test_one_question_has_all_that_is_needed(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    await stub_upstream.adapter.build(quote)
    [asked] = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.query) == ("GET", "/order", PLAIN)
    assert asked.headers["x-api-key"] == "sesame"
    assert "x-sign-request" not in asked.headers
    assert (quote.output_amount, quote.min_output_amount) == (OUTPUT, MINIMUM)
    assert (quote.gas_units, quote.price_impact_bps) == (240_000, 12)


@pytest.mark.parametrize(
    ("request_", "changes"),
    [
        (replace(REQUEST, origin_token=SOL), {"inputMint": WSOL.address, "wrapAndUnwrapSol": "true"}),
        (replace(REQUEST, origin_token=WSOL), {"inputMint": WSOL.address}),
        (replace(REQUEST, destination_token=SOL), {"outputMint": WSOL.address, "wrapAndUnwrapSol": "true"}),
        (replace(REQUEST, payout_address=FRIEND), {"destinationWallet": FRIEND}),
        (replace(REQUEST, slippage=Fraction(129, 100_000)), {"slippageBps": "12"}),
    ],
    ids=["SOL in", "wrapped SOL in", "SOL out", "to somebody else", "slippage rounded down"],
)
async def test_what_differs_is_asked_for(
    stub_upstream: StubUpstream, request_: QuoteRequest, changes: dict[str, str]
) -> None:
    stub_upstream.upstream.says("/order", {"msg": "none", "code": "route_not_found"}, 400)
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(request_)
    assert stub_upstream.upstream.asked[0].query == PLAIN | changes


@pytest.mark.parametrize("amount", [0, 2**64])
async def test_amounts_that_no_token_has(stub_upstream: StubUpstream, amount: int) -> None:
    with pytest.raises(RequestRejected, match="64 bits"):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=amount))
    assert not stub_upstream.upstream.asked


async def test_a_wallet_that_is_nobodys_is_not_asked_for(stub_upstream: StubUpstream) -> None:
    nobody = replace(REQUEST, sender=NATIVE_SVM, taker=NATIVE_SVM, payout_address=NATIVE_SVM)
    with pytest.raises(NoRoute, match="wallets that can sign"):
        await stub_upstream.adapter.quote(nobody)
    assert not stub_upstream.upstream.asked


@pytest.mark.parametrize(
    "changes",
    [
        {"taker": FRIEND},
        {"destination": replace(SOLANA, id=1)},
        {"origin": replace(SOLANA, id=1), "destination": replace(SOLANA, id=1)},
        {"destination_token": USDC},
        {"origin_token": SOL, "destination_token": WSOL},
        {"origin_token": WSOL, "destination_token": SOL},
    ],
)
async def test_what_it_does_not_serve(stub_upstream: StubUpstream, changes: dict[str, Any]) -> None:
    request = replace(REQUEST, **changes)
    assert not stub_upstream.adapter.supports(request)
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(request)
