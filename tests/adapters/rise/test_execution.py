"""What a quote promises is delivered on the sandbox chain, by the instructions that are handed out."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.quote import Quote
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from tests.adapters.exchanges.svm.adapter_fixture import SENDER, AdapterFixture

ONE = 10**9
FEE = 5000
PAIRS = [
    ("USDC", "DAI", 500 * 10**6),
    ("DAI", "USDC", 500 * ONE),
    ("WSOL", "TAX", ONE),
    ("SOL", "WBTC", 2 * ONE),
    ("WBTC", "SOL", 10**5),
    ("WBTC", "WSOL", 10**5),
]


async def built(solana: AdapterFixture, quote: Quote[Any]) -> tuple[Quote[Any], SvmDraft]:
    bound = replace(quote, min_output_amount=quote.output_amount * 995 // 1000)
    return bound, await solana.built(bound)


@pytest.mark.parametrize(("sold", "bought", "amount"), PAIRS)
async def test_what_was_quoted_arrives(solana: AdapterFixture, sold: str, bought: str, amount: int) -> None:
    quote, draft = await built(solana, await solana.adapter.quote(solana.request(sold, bought, amount)))
    before = await solana.balance(SENDER, sold)
    gained = await solana.gained(quote, draft)
    assert gained == quote.output_amount - (FEE if bought == "SOL" else 0)
    lost = before - await solana.balance(SENDER, sold)
    assert lost == amount + (FEE if sold == "SOL" else 0)


async def test_the_minimum_holds_on_chain(solana: AdapterFixture) -> None:
    _, draft = await built(solana, await solana.adapter.quote(solana.request("USDC", "DAI", 10**8)))
    big, first = await built(solana, await solana.adapter.quote(solana.request("USDC", "DAI", 10**11)))
    await solana.gained(big, first)
    with pytest.raises(SvmRpcError) as refused:
        await solana.execute(draft)
    assert refused.value.error is not None
    assert refused.value.error.custom == 7000


@pytest.mark.parametrize("lie", sorted(Lie))
@pytest.mark.parametrize(("sold", "bought"), [("USDC", "DAI"), ("WBTC", "SOL")])
async def test_every_lie_is_refused(solana: AdapterFixture, lie: Lie, sold: str, bought: str) -> None:
    solana.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await built(solana, await solana.adapter.quote(solana.request(sold, bought, 10**6)))
