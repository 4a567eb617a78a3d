"""What the API tells of transactions on Solana, by their signatures and IDs; and what completes their records."""

from collections.abc import AsyncIterator
from dataclasses import replace

import aiohttp
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.server.application import create_app
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.token import Token
from rhumbline.tracking.enrichment import Enricher, FeeWallets
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.svm.receipts import SvmFees
from tests.api.api_service import KEY as API_KEY
from tests.api.api_service import ApiService, services
from tests.api.conftest import Client, served
from tests.tracking.conftest import wallet_of
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import (
    KNOWN,
    OTHER,
    SENDER,
    SERVICE,
    SOLANA,
    USDC_MINT,
    USDT_MINT,
    WETH_THERE,
    Order,
    SolanaOrders,
    budget,
)

TOKENS = TokenCatalog(
    [SOLANA, OTHER],
    [
        Token(SOLANA.id, USDC_MINT, "USDC", 6, "USD Coin"),
        Token(SOLANA.id, USDT_MINT, "USDT", 6, "Tether"),
        Token(OTHER.id, WETH_THERE, "WETH", 18, "Ether"),
    ],
    {},
)
HEADERS = {"x-api-key": API_KEY}


@pytest.fixture
async def client(store_engine: AsyncEngine) -> AsyncIterator[Client]:
    listing = Listing(store_engine, KNOWN.chains, (b"c" * 32,), TOKENS.listed_at)
    joined = replace(services(ApiService(), {}), chains=KNOWN.chains, tokens=TOKENS, listing=listing)
    async with served(create_app(joined)) as (url, port), aiohttp.ClientSession() as session:
        yield Client(url, port, session)


async def seen(solana: SolanaOrders, engine: AsyncEngine, order: Order) -> str:
    await keep(engine, order)
    signature = await solana.send(*budget(), *order.calls)
    await catch_up(chain_indexer(solana, engine))
    fees = FeeWallets(SERVICE, wallet_of)
    await Enricher(SOLANA, SvmFees(solana.rpc), engine, TOKENS, fees, lambda: solana.now).enrich()
    return signature


async def test_a_swap_is_told(solana: SolanaOrders, store_engine: AsyncEngine, client: Client) -> None:
    order = solana.swap(integrator="Acme")
    signature = await seen(solana, store_engine, order)
    told = (await client.ask(f"/v1/transactions/{signature}", headers=HEADERS)).json
    assert (await client.ask(f"/v1/transactions/{order.issued.transaction_id}", headers=HEADERS)).json == told
    assert (told["sourceTxHash"], told["destTxHash"]) == (signature, signature)
    assert (told["status"], told["statusSource"], told["protocol"]) == ("success", "analytics", "GENERIC_SWAP")
    assert (told["sourceNetwork"], told["sourceChainId"], told["sourceLogIndex"]) == ("Sandbox Solana", SOLANA.id, 5)
    executed = await solana.rpc.transaction(signature)
    assert executed is not None
    assert told["sourceBlockNumber"] == executed.slot
    assert (told["inputToken"]["address"], told["inputToken"]["symbol"]) == (USDC_MINT, "USDC")
    assert (told["outputToken"]["address"], told["outputToken"]["symbol"]) == (USDT_MINT, "USDT")
    assert told["sourceGasFee"]["amountRaw"] == str(executed.fee)
    assert told["integratorFee"]["amountRaw"] == "2000"
    assert told["integratorFee"]["token"] == "USDC"
    listed = (await client.ask("/v1/transactions", {"sourceChain": str(SOLANA.id)}, headers=HEADERS)).json
    assert [each["sourceTxHash"] for each in listed["transactions"]] == [signature]


async def test_a_crossing_is_told(solana: SolanaOrders, store_engine: AsyncEngine, client: Client) -> None:
    order = solana.crossing(integrator="Acme")
    signature = await seen(solana, store_engine, order)
    told = (await client.ask(f"/v1/transactions/{signature}", headers=HEADERS)).json
    assert (told["status"], told["protocol"], told["destNetwork"]) == ("bridge_pending", "TOYBRIDGE", "Sandbox A")
    assert (told["sender"], told["receiver"]) == (SENDER, WETH_THERE)
    status = (await client.ask(f"/v1/transactions/{signature}/status", headers=HEADERS)).json
    assert (status["status"], status["sourceTxHash"], status["destTxHash"]) == ("bridge_pending", signature, None)


async def test_anybody_may_ask_by_the_id(solana: SolanaOrders, store_engine: AsyncEngine, client: Client) -> None:
    order = solana.swap(integrator="Acme")
    signature = await seen(solana, store_engine, order)
    answer = await client.ask(f"/v1/status/{order.issued.transaction_id}")
    assert (answer.status, answer.json["sourceTxHash"], answer.json["status"]) == (200, signature, "success")
    assert answer.json["outputToken"]["address"] == USDT_MINT
    # Signatures are not what status is asked by, nor is a part of one a name.
    assert (await client.ask(f"/v1/status/{signature}")).status == 404
    assert (await client.ask(f"/v1/transactions/{signature[:-1]}", headers=HEADERS)).status == 404
