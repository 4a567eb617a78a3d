"""The sandbox's prices as the service has them: from a source that is none of the pools that are quoted from."""

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.sandbox_settings import NAMES, SOLANA_NAMES, sandbox_settings
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.wiring import Wiring, wired
from rhumbline.devnet.evm.pools import PRICES
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.plans import PRICES as SOLANA_PRICES
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.token import Token
from rhumbline.routing.quote_prices import fresh_price, independent_price

WALLET = "0x00000000000000000000000000000000000cafe5"
SOLANA = 900_003
WORTH = {**SOLANA_PRICES, **PRICES, "ETH": PRICES["WETH"], "SOL": SOLANA_PRICES["WSOL"]}
PATIENCE = 600
"""Looks, 50 ms apart, for a busy machine; the loop itself needs one round."""


def pools_of(token: Token) -> tuple[str, ...]:
    """Say what tells the same: the pools, which are not read on Solana."""
    return () if token.chain_id == SOLANA else ("onchain",)


@pytest.fixture
def settings(sandbox: Sandbox, defillama: DefiLlama, tmp_path: Path) -> Settings:
    file = tmp_path / "sandbox.toml"
    file.write_text(sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:1", WALLET, [defillama]), "utf-8")
    return load_settings(file, {})


def listed(wiring: Wiring) -> list[Token]:
    return [token for chain in wiring.chains.catalog for token in (chain.native, *wiring.tokens.listed(chain.id))]


def shown(wiring: Wiring, token: Token) -> PriceSnapshot:
    return wiring.prices.peek(token.chain_id, token.address)


async def test_after_the_start_every_token_has_a_price_of_another_source_than_the_pools(
    settings: Settings, store_engine: AsyncEngine
) -> None:
    assert settings.prices.sources == ("defillama", "onchain")
    async with wired(settings, store_engine) as wiring:
        tokens = listed(wiring)
        assert {(token.chain_id, token.symbol) for token in tokens} >= {
            (number, symbol) for number in (900_001, 900_002) for symbol in ("ETH", *(row[0] for row in NAMES))
        } | {(SOLANA, symbol) for symbol in ("SOL", *(row[0] for row in SOLANA_NAMES))}
        loop = asyncio.create_task(wiring.prices.run())
        for _ in range(PATIENCE):
            if not any(shown(wiring, token).stale for token in tokens):
                break
            await asyncio.sleep(0.05)
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        for token in tokens:
            snapshot = shown(wiring, token)
            assert (snapshot.source, snapshot.agreeing) == ("defillama", pools_of(token)), token
            worth = Decimal(WORTH[token.symbol]) / 100
            assert independent_price(token, wiring.prices.read, "RELAY") == worth


@pytest.mark.parametrize(
    "behaviour",
    [{"failure": "internal"}, {"failure": "knows_nothing"}, {"fault": "html"}, {"age_s": 3700}, {"confidence": 0.5}],
    ids=str,
)
async def test_pools_alone_are_a_price_and_no_evidence(
    settings: Settings, defillama: DefiLlama, store_engine: AsyncEngine, behaviour: dict[str, object]
) -> None:
    defillama.behaviour = defillama.behaviour_from(behaviour)
    async with wired(settings, store_engine) as wiring:
        await wiring.prices.refresh_due()
        for token in listed(wiring):
            if token.chain_id == SOLANA:
                assert shown(wiring, token).usd is None
                continue
            assert shown(wiring, token).source == "onchain"
            assert shown(wiring, token).agreeing == ()
            assert fresh_price(token, wiring.prices.read) is not None
            assert independent_price(token, wiring.prices.read, "RELAY") is None


async def test_a_source_that_lies_about_one_token_leaves_it_without_a_price(
    settings: Settings, defillama: DefiLlama, store_engine: AsyncEngine
) -> None:
    defillama.behaviour = defillama.behaviour_from({"factors": {"sbxa:WETH": 2}})
    async with wired(settings, store_engine) as wiring:
        await wiring.prices.refresh_due()
        without = {(token.chain_id, token.symbol) for token in listed(wiring) if shown(wiring, token).usd is None}
        assert without == {(900_001, "ETH"), (900_001, "WETH")}
